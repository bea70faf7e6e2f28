import * as z from 'zod/mini'
import { systemRoles } from '../../kit/permission.ts'
import { pagingOrAllQuery, searchTextQuery, sortByFieldQuery } from '../../kit/paging.ts'
import { Instant } from '../../kit/time.ts'

/** A person as visible to others. */
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
  teams: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type Member = z.output<typeof Member>

/** Role beyond single scans, according to the identity provider. */
export const MemberRole = z.enum(systemRoles)
export type MemberRole = z.output<typeof MemberRole>

/** `invited`: has no password yet. `deactivated`: cannot sign in; keys and mails have ended. */
export const memberStates = ['active', 'invited', 'deactivated'] as const
export const MemberState = z.enum(memberStates)
export type MemberState = z.output<typeof MemberState>

export const Person = z.extend(Colleague, {
  role: MemberRole,
  state: MemberState,
  teams: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Null if the person has never signed in. */
  seenAt: z.nullable(Instant),
  /** True if signing in requires more than a password; null if only the provider knows. */
  twoFactor: z.nullable(z.boolean()),
})
export type Person = z.output<typeof Person>

export const PersonListQuery = z.object({
  ...pagingOrAllQuery,
  search: searchTextQuery,
  state: z.optional(MemberState),
  ...sortByFieldQuery(['name', 'email', 'role', 'state', 'seenAt']),
})

/** The system that manages people: the embedded identity provider, or another one at `manageUrl`. */
export const Directory = z.object({
  embedded: z.boolean(),
  /** URL where people are managed, if not here. */
  manageUrl: z.nullable(z.string()),
})
export type Directory = z.output<typeof Directory>
