import * as z from 'zod/mini'
import { IssueId } from '../../../kit/id.ts'
import { Instant } from '../../../kit/time.ts'
import { BulkResult, createIdList, expectedCountField } from '../../../kit/selection.ts'
import { Count } from '../../../kit/count.ts'
import { IssueFields, IssueFilter, SettableStatus } from '../schema.ts'

/** Selection of issues: the given ones, or all that match the filters except the given ones. */
export const SelectedIssues = z.strictObject({
  selectAllMode: z._default(z.boolean(), false),
  selectedIssues: createIdList(IssueId),
  deselectedIssues: createIdList(IssueId),
})

/** Body of all bulk issue calls. */
export const IssueSelection = z.strictObject({
  filters: z.prefault(IssueFilter, {}),
  selected: z.prefault(SelectedIssues, {}),
  ...expectedCountField,
})
export type IssueSelection = z.output<typeof IssueSelection>

/** Maximum number of issues in a batch of a bulk change or its undo. */
export const maxBatchSize = 10_000
/** Position in a selection, which is ordered by scan and issue: their ids. */
export const BatchPosition = z
  .string()
  .check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))
const batchFields = {
  /** Maximum number of issues in this batch. */
  size: z._default(z.int().check(z.gte(1), z.lte(maxBatchSize)), maxBatchSize),
  /** `next` of the previous batch; left out in the first one. */
  after: z.optional(BatchPosition),
  /** Last position to change: the parts of a selection before and after a position may be changed at once. */
  until: z.optional(BatchPosition),
}
/**
 * One batch of a bulk change: the caller repeats the call with `next` until it is null. A change in batches may stop after
 * each of them, and is not one transaction.
 */
export const IssueBatch = z.strictObject(batchFields)
export type IssueBatch = z.output<typeof IssueBatch>
/** A batch that joins the previous ones under one `undo`; null to store no previous values. */
export const UndoableIssueBatch = z.strictObject({ ...batchFields, undo: z.optional(z.nullable(z.uuid())) })
export type UndoableIssueBatch = z.output<typeof UndoableIssueBatch>
export const BulkIssuePatch = z.extend(IssueSelection, {
  fieldsToUpdate: IssueFields,
  batch: z.optional(UndoableIssueBatch),
})
export const BulkIssueDeletion = z.extend(IssueSelection, { batch: z.optional(IssueBatch) })

/** Maximum number of scans that are named. */
export const maxNamedScans = 10

export const SelectedCount = z.object({
  count: Count,
  /** Number of scans with these issues. */
  scans: Count,
  /** Names of the scans with the most of these issues. */
  scanNames: z.array(z.string()),
  /** End of about half of these issues, after a whole scan; null for one scan. */
  middle: z.nullable(BatchPosition),
})
/** A possible assignee of all selected issues: a person with a role on each of their scans. */
export const Assignee = z.object({ id: z.string(), username: z.string(), firstName: z.string(), lastName: z.string() })

/** `next` starts the next batch; null after the last one, and without batches. */
const nextField = { next: z.nullable(BatchPosition) }
export const BulkIssuesDeleted = z.extend(BulkResult, nextField)
/** Result of a bulk issue change. `undo` identifies the previous state for 24 hours; null if more than 1,000,000 issues were changed. */
export const BulkIssueResult = z.extend(BulkResult, { undo: z.nullable(z.uuid()), ...nextField })
/** `inBatches` restores at most 10,000 issues in one call, otherwise 200,000; the caller repeats it while issues remain. */
export const BulkIssueUndo = z.strictObject({
  undo: z.uuid(),
  inBatches: z._default(z.boolean(), false),
  /** Restores the first scans, while other calls restore the last ones; restores nothing when one scan remains. */
  fromStart: z._default(z.boolean(), false),
})
/**
 * Result of an undo. `left` counts issues that were changed or deleted since, `named` lists the first of them, `remaining`
 * counts issues that the next call restores.
 */
export const BulkIssueRestored = z.object({
  restored: Count,
  left: Count,
  named: z.array(z.object({ id: IssueId, rule: z.string() })),
  remaining: Count,
})

/** A bulk change of the caller in the last 24 hours that was not undone. */
export const BulkIssueChange = z.object({
  undo: z.uuid(),
  madeAt: Instant,
  /** Number of changed issues. */
  issues: Count,
  /** Names of the changed fields; empty if unknown. */
  fields: z.array(z.string()),
  /** The new status, if it was changed. */
  status: z.nullable(SettableStatus),
  /** Number of scans with these issues. */
  scans: Count,
  /** Names of the first visible ones of them. */
  scanNames: z.array(z.string()),
})
export type BulkIssueChange = z.output<typeof BulkIssueChange>
