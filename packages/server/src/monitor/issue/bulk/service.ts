import * as z from 'zod/mini'
import { type IssueFields, IssueFilter } from '@clearway/contract/monitor/issue/schema.ts'
import type {
  BulkIssueDeletion,
  BulkIssuePatch,
  BulkIssueUndo,
  IssueSelection,
  UndoableIssueBatch,
} from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { ScanPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, refuse, type Subject } from '../../../kit/http/answer.ts'
import { getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import { getIssue } from '../service.ts'
import { countSelected, type SelectedIssues } from '../selection/store.ts'
import { deleteIssues, editIssues, removeLabel } from './store.ts'
import { listUndoable, restoreIssues } from '../undo/store.ts'
import { listAssignees, readCurrentRole } from '../assignee/store.ts'
import { inTransaction } from '../../../kit/database.ts'
import { refuseUnclearSelection } from '../../../kit/selection.ts'
import { insertEntries, revertEntries } from '../../notification/inbox/store.ts'

type BulkDeps = { db: MonitorDb }

/** The selection of a request body, limited to scans that the caller may see. */
export function toSelection(caller: Caller, { filters, selected }: IssueSelection): SelectedIssues {
  const callerScans = visibleScans(caller)
  return {
    visible: callerScans,
    runs: runsInView(callerScans, filters),
    filters,
    selection: { selectAllMode: selected.selectAllMode, ids: selected.selectedIssues, except: selected.deselectedIssues },
  }
}

const selectOne = (caller: Caller, issueId: string): SelectedIssues =>
  toSelection(caller, {
    filters: emptyFilters,
    selected: { selectAllMode: false, selectedIssues: [issueId as never], deselectedIssues: [] },
  })
const emptyFilters = z.parse(IssueFilter, {})

/** Changing whether a result counts as an issue needs a stronger permission than describing it. */
const getRequiredPermission = (fields: IssueFields): ScanPermission =>
  fields.markAsIssue === undefined && fields.review === undefined ? 'scan.discuss' : 'scan.curate'

/** An ignore that covers more than the chosen issues would be created again by each batch. */
const canBatch = ({ ignore }: IssueFields): boolean => ignore === undefined || ignore.scope === 'issue'

async function applyEdit(
  deps: BulkDeps,
  caller: Caller,
  selected: SelectedIssues,
  fields: IssueFields,
  {
    version: expectedVersion,
    canUndo = false,
    batch,
  }: { version?: number | undefined; canUndo?: boolean; batch?: UndoableIssueBatch | undefined } = {},
) {
  const assigneeId = fields.assignedTo
  const assignableScans = assigneeId ? visibleScans({ id: assigneeId, role: await readCurrentRole(deps, assigneeId) }) : null
  const editResult = await inTransaction(deps.db, async (trx) => {
    const maxRank = getMaxRank(getRequiredPermission(fields))
    const authorId = caller.id
    const editOutcome = await editIssues(trx, selected, {
      fields,
      authorId,
      version: expectedVersion,
      canUndo,
      batch,
      rank: maxRank,
      assignable: assignableScans,
    })
    if (editOutcome.kind === 'done' && assigneeId)
      for (const assignment of editOutcome.assigned)
        await insertEntries(trx, {
          kind: 'assigned',
          ...assignment,
          undoId: editOutcome.undo,
          people: [assigneeId],
          actorId: authorId,
        })
    return editOutcome
  })
  if (editResult.kind === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The issue was changed since you opened it. Load it again.' })
  if (editResult.kind === 'not-assignable')
    return refuse('validation-failed', {
      errors: [{ path: 'fieldsToUpdate.assignedTo', code: 'unknown-value', params: { value: assigneeId ?? '' } }],
    })
  return editResult
}

/** Changes one issue; refused when it changed since `version`. */
export async function patchIssue(
  deps: BulkDeps,
  context: { caller: Caller; subject: Subject },
  issueId: string,
  patch: { fieldsToUpdate: IssueFields; version?: number | undefined },
) {
  const editResult = await applyEdit(deps, context.caller, selectOne(context.caller, issueId), patch.fieldsToUpdate, {
    version: patch.version,
  })
  if (!('kind' in editResult)) return editResult
  // The caller can see the issue, so only their role can have prevented the change.
  return editResult.changed === 0 ? refuse('access-denied') : getIssue(deps, context.caller, issueId)
}

/** Refuses to change issues that may not be meant; null for a clear selection. */
const refuseUnclearIssues = (
  deps: BulkDeps,
  caller: Caller,
  { filters, selected, expectedCount, batch }: z.output<typeof BulkIssueDeletion>,
) =>
  refuseUnclearSelection({ selectAllMode: selected.selectAllMode, filters, expectedCount }, async () => {
    // Only the first batch meets all rows of the selection.
    if (batch?.after !== undefined) return expectedCount!
    const { count } = await countSelected(deps.db, toSelection(caller, { filters, selected }))
    return count
  })

/** Changes all selected issues that the caller's roles allow. */
export async function patchIssues(deps: BulkDeps, caller: Caller, body: z.output<typeof BulkIssuePatch>) {
  const refusal = await refuseUnclearIssues(deps, caller, body)
  if (refusal) return refusal
  const { fieldsToUpdate: fields, batch } = body
  if (batch && !canBatch(fields))
    return refuse('validation-failed', { errors: [{ path: 'batch', code: 'unknown-field', params: {} }] })
  const editResult = await applyEdit(deps, caller, toSelection(caller, body), fields, { canUndo: true, batch })
  if (!('kind' in editResult)) return editResult
  const { changed: changedCount, skipped: skippedCount, undo: undoId, next: nextPosition } = editResult
  return { success: true as const, changed: changedCount, skipped: skippedCount, undo: undoId, next: nextPosition }
}

/** Reverts a bulk change of the caller, except issues that changed since. */
export async function undoIssues(deps: BulkDeps, caller: Caller, { undo: undoId, ...range }: z.output<typeof BulkIssueUndo>) {
  const undoResult = await inTransaction(deps.db, async (trx) => {
    const restoration = await restoreIssues(trx, { id: undoId, authorId: caller.id, ...range, visible: visibleScans(caller) })
    if (restoration?.assigned) await revertEntries(trx, undoId, restoration.assigned)
    return restoration?.restored
  })
  return undoResult ?? refuse('not-found')
}

export async function removeIssue(deps: BulkDeps, caller: Caller, issueId: string): Promise<void> {
  await deleteIssues(deps.db, selectOne(caller, issueId), { rank: getMaxRank('scan.curate') })
}

export async function removeIssues(deps: BulkDeps, caller: Caller, body: z.output<typeof BulkIssueDeletion>) {
  const refusal = await refuseUnclearIssues(deps, caller, body)
  if (refusal) return refusal
  const range = { rank: getMaxRank('scan.curate'), ...(body.batch && { batch: body.batch }) }
  const { next: nextPosition, ...counts } = await deleteIssues(deps.db, toSelection(caller, body), range)
  return { success: true as const, ...counts, next: nextPosition }
}

export async function addLabels(deps: BulkDeps, caller: Caller, issueId: string, labels: readonly string[]) {
  await applyEdit(deps, caller, selectOne(caller, issueId), { addLabels: [...labels] })
  return getIssue(deps, caller, issueId)
}

export async function deleteLabel(deps: BulkDeps, caller: Caller, issueId: string, label: string) {
  await removeLabel(deps, issueId, label)
  return getIssue(deps, caller, issueId)
}

/** Bulk changes of the caller that can be undone. */
export const listIssueChanges = async (deps: BulkDeps, caller: Caller) => ({
  content: await listUndoable(deps.db, { authorId: caller.id, visible: visibleScans(caller) }),
})

export const countSelectedIssues = (deps: BulkDeps, caller: Caller, body: IssueSelection) =>
  countSelected(deps.db, toSelection(caller, body))

/** People who can be assigned all selected issues. */
export const listSelectedAssignees = async (deps: BulkDeps, caller: Caller, body: IssueSelection) => ({
  content: await listAssignees(deps.db, toSelection(caller, body)),
})
