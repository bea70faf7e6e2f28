import * as z from 'zod/mini'
import { IssueId } from '../../../kit/id.ts'
import { BulkResult, createIdList, expectedCountField } from '../../../kit/selection.ts'
import { Count } from '../../../kit/count.ts'
import { IssueFields, IssueFilter } from '../schema.ts'

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
export const BulkIssuePatch = z.extend(IssueSelection, { fieldsToUpdate: IssueFields })

export const SelectedCount = z.object({
  count: Count,
  /** Number of scans with these issues. */
  scans: Count,
})
/** A possible assignee of all selected issues: a person with a role on each of their scans. */
export const Assignee = z.object({ id: z.string(), username: z.string(), firstName: z.string(), lastName: z.string() })

/** Result of a bulk issue change. `undo` identifies the previous state for 24 hours; null if more than 200,000 issues were changed. */
export const BulkIssueResult = z.extend(BulkResult, { undo: z.nullable(z.uuid()) })
export const BulkIssueUndo = z.strictObject({ undo: z.uuid() })
/** Result of an undo; `left` counts issues that were changed or deleted since, and `named` lists the first of them. */
export const BulkIssueRestored = z.object({
  restored: Count,
  left: Count,
  named: z.array(z.object({ id: IssueId, rule: z.string() })),
})
