import * as z from 'zod/mini'
import { systemRoles } from '../../kit/permission.ts'
import { pagingOrAll, searchText, sortedBy } from '../../kit/paging.ts'
import { Instant } from '../../kit/time.ts'

/** A person as others see them. */
export const Colleague = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.nullable(z.string()),
})
export type Colleague = z.output<typeof Colleague>

/** The caller's account. `agreedAt` is null until the terms were agreed to. */
export const Member = z.extend(Colleague, {
  agreedAt: z.nullable(Instant),
  /** The teams that the person is in. */
  teams: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type Member = z.output<typeof Member>

/** What somebody may do beyond single scans, as the identity provider says it. */
export const MemberRole = z.enum(systemRoles)
export type MemberRole = z.output<typeof MemberRole>

/** `invited`: has no password yet. `deactivated`: cannot sign in, and their keys and mails have ended. */
export const memberStates = ['active', 'invited', 'deactivated'] as const
export const MemberState = z.enum(memberStates)
export type MemberState = z.output<typeof MemberState>

/** A row of the list of people. */
export const Person = z.extend(Colleague, {
  role: MemberRole,
  state: MemberState,
  teams: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Null for somebody who never came. */
  seenAt: z.nullable(Instant),
  /** Whether signing in takes more than a password; null where only the provider knows. */
  twoFactor: z.nullable(z.boolean()),
})
export type Person = z.output<typeof Person>

export const PersonListQuery = z.object({
  ...pagingOrAll,
  search: searchText,
  state: z.optional(MemberState),
  ...sortedBy(['name', 'email', 'role', 'state', 'seenAt']),
})

/** Who manages the people: the embedded identity provider, or another, at `manageUrl`. */
export const Directory = z.object({
  embedded: z.boolean(),
  /** Where people are managed, when that is not here. */
  manageUrl: z.nullable(z.string()),
})
export type Directory = z.output<typeof Directory>
