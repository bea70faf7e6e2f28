import * as z from 'zod/mini'
import { IssueId } from '../../../kit/id.ts'
import { BulkResult, idList } from '../../../kit/selection.ts'
import { Count } from '../../../kit/count.ts'
import { IssueFields, IssueFilter } from '../schema.ts'

/** Which issues: those named, or all that the filters match less those named. */
export const SelectedIssues = z.strictObject({
  selectAllMode: z._default(z.boolean(), false),
  selectedIssues: idList(IssueId),
  deselectedIssues: idList(IssueId),
})

/** The body of every call on many issues. */
export const IssueSelection = z.strictObject({
  filters: z.prefault(IssueFilter, {}),
  selected: z.prefault(SelectedIssues, {}),
})
export type IssueSelection = z.output<typeof IssueSelection>
export const BulkIssuePatch = z.extend(IssueSelection, { fieldsToUpdate: IssueFields })

export const SelectedCount = z.object({
  count: Count,
  /** Scans that have them. */
  scans: Count,
})
/** Somebody who could be assigned all selected issues: people with a role on each of their scans. */
export const Assignee = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})

/** What a change of many issues did. `undo` names what was before, for an hour; null when too many were changed. */
export const BulkIssueResult = z.extend(BulkResult, { undo: z.nullable(z.uuid()) })
export const BulkIssueUndo = z.strictObject({ undo: z.uuid() })
/** What was restored; `left` were changed or deleted since, the first of them named. */
export const BulkIssueRestored = z.object({
  restored: Count,
  left: Count,
  named: z.array(z.object({ id: IssueId, rule: z.string() })),
})
