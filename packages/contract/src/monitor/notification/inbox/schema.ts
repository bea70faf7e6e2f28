import * as z from 'zod/mini'
import { IssueId, ScanId } from '../../../kit/id.ts'
import { pageOf, paging, queryBoolean } from '../../../kit/paging.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { RunStatus } from '../../run/schema.ts'

/** Why somebody finds an entry in the inbox: got issues, was mentioned in a comment, or a run of an own scan ended. */
export const InboxKind = z.enum(['assigned', 'mentioned', 'run'])
export type InboxKind = z.output<typeof InboxKind>

const InboxEntryId = z.uuid()

export const InboxEntry = z.object({
  id: InboxEntryId,
  kind: InboxKind,
  at: Instant,
  read: z.boolean(),
  scanId: ScanId,
  scanName: z.string(),
  /** Who assigned or wrote; null for a run. Without a name, somebody whose account is gone. */
  actor: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** The issue, where it is one. */
  issue: z.nullable(z.object({ id: IssueId, rule: z.string(), help: z.string() })),
  /** How many issues were assigned at once. */
  issues: Count,
  run: z.nullable(z.object({ number: Count, status: RunStatus })),
})
export type InboxEntry = z.output<typeof InboxEntry>

export const InboxQuery = z.object({ ...paging, unread: z.optional(queryBoolean) })
export const InboxPage = pageOf(InboxEntry)
export const InboxCount = z.object({ unread: Count })

/** The most unread entries that are counted. */
export const mostCounted = 100

/** Entries to mark as read: those named, or all up to one. */
export const ReadEntries = z.union([
  z.strictObject({ ids: z.array(InboxEntryId).check(z.minLength(1), z.maxLength(500)) }),
  z.strictObject({ until: InboxEntryId }),
])
