import * as z from 'zod/mini'
import { IssueId, ScanId } from '../../../kit/id.ts'
import { createPageSchema, pagingQuery, queryBoolean } from '../../../kit/paging.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { RunStatus, Score } from '../../run/schema.ts'

/** Reason of an inbox entry: issues were assigned, a comment mentioned the person, or a run of their scan ended. */
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
  /** Person who assigned or commented; null for a run. `name` is null if the account was deleted. */
  actor: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  issue: z.nullable(z.object({ id: IssueId, rule: z.string(), help: z.string() })),
  /** Number of issues that were assigned together. */
  issues: Count,
  /** `new`, `back` (reappeared) and `fixed` count issues; they and the change of the score are null for the first run. */
  run: z.nullable(
    z.object({
      number: Count,
      status: RunStatus,
      score: Score,
      new: z.nullable(Count),
      back: z.nullable(Count),
      fixed: z.nullable(Count),
      scoreChange: z.nullable(z.number()),
      scoreChangeByDecisions: z.nullable(z.number()),
    }),
  ),
})
export type InboxEntry = z.output<typeof InboxEntry>

export const InboxQuery = z.object({ ...pagingQuery, unread: z.optional(queryBoolean) })
export const InboxPage = createPageSchema(InboxEntry)
export const InboxCount = z.object({ unread: Count })

/** Maximum number of unread entries that are counted. */
export const maxUnreadCount = 100

/** Entries to mark as read: the given ones, or all up to one. */
export const ReadEntries = z.union([
  z.strictObject({ ids: z.array(InboxEntryId).check(z.minLength(1), z.maxLength(500)) }),
  z.strictObject({ until: InboxEntryId }),
])
