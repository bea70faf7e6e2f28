import * as z from 'zod/mini'
import { type IssueFields, IssueFilter } from '@clearway/contract/monitor/issue/schema.ts'
import type { IssueSelection } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { ScanPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, refuse, type Subject } from '../../../kit/http/answer.ts'
import { getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import { getIssue } from '../service.ts'
import { deleteIssues, editIssues, removeLabel, countSelected, type SelectedIssues } from './store.ts'
import { restoreIssues } from '../undo/store.ts'
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
  fields.markAsIssue === undefined ? 'scan.discuss' : 'scan.curate'

async function applyEdit(
  deps: BulkDeps,
  caller: Caller,
  selected: SelectedIssues,
  fields: IssueFields,
  { version: expectedVersion, canUndo = false }: { version?: number | undefined; canUndo?: boolean } = {},
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
const refuseUnclearIssues = (deps: BulkDeps, caller: Caller, { filters, selected, expectedCount }: IssueSelection) =>
  refuseUnclearSelection({ selectAllMode: selected.selectAllMode, filters, expectedCount }, async () => {
    const { count } = await countSelected(deps.db, toSelection(caller, { filters, selected }))
    return count
  })

/** Changes all selected issues that the caller's roles allow. */
export async function patchIssues(deps: BulkDeps, caller: Caller, body: IssueSelection & { fieldsToUpdate: IssueFields }) {
  const refusal = await refuseUnclearIssues(deps, caller, body)
  if (refusal) return refusal
  const editResult = await applyEdit(deps, caller, toSelection(caller, body), body.fieldsToUpdate, { canUndo: true })
  if (!('kind' in editResult)) return editResult
  const { changed: changedCount, skipped: skippedCount, undo: undoId } = editResult
  return { success: true as const, changed: changedCount, skipped: skippedCount, undo: undoId }
}

/** Reverts the caller's last bulk change, except issues that changed since. */
export async function undoIssues(deps: BulkDeps, caller: Caller, undoId: string) {
  const undoResult = await inTransaction(deps.db, async (trx) => {
    const restoration = await restoreIssues(trx, { id: undoId, authorId: caller.id, visible: visibleScans(caller) })
    if (restoration) await revertEntries(trx, undoId, restoration.assigned)
    return restoration?.restored
  })
  return undoResult ?? refuse('not-found')
}

export async function removeIssue(deps: BulkDeps, caller: Caller, issueId: string): Promise<void> {
  await deleteIssues(deps.db, selectOne(caller, issueId), getMaxRank('scan.curate'))
}

export async function removeIssues(deps: BulkDeps, caller: Caller, body: IssueSelection) {
  const refusal = await refuseUnclearIssues(deps, caller, body)
  if (refusal) return refusal
  const deletion = await deleteIssues(deps.db, toSelection(caller, body), getMaxRank('scan.curate'))
  return { success: true as const, ...deletion }
}

export async function addLabels(deps: BulkDeps, caller: Caller, issueId: string, labels: readonly string[]) {
  await applyEdit(deps, caller, selectOne(caller, issueId), { addLabels: [...labels] })
  return getIssue(deps, caller, issueId)
}

export async function deleteLabel(deps: BulkDeps, caller: Caller, issueId: string, label: string) {
  await removeLabel(deps, issueId, label)
  return getIssue(deps, caller, issueId)
}

export const countSelectedIssues = (deps: BulkDeps, caller: Caller, body: IssueSelection) =>
  countSelected(deps.db, toSelection(caller, body))

/** People who can be assigned all selected issues. */
export const listSelectedAssignees = async (deps: BulkDeps, caller: Caller, body: IssueSelection) => ({
  content: await listAssignees(deps.db, toSelection(caller, body)),
})
