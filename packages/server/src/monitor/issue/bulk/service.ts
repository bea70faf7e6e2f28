import * as z from 'zod/mini'
import { type IssueFields, IssueFilter } from '@clearway/contract/monitor/issue/schema.ts'
import type { IssueSelection } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { ScanPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, refuse, type Subject } from '../../../kit/http/answer.ts'
import { getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { runsInView } from '../../page/store.ts'
import { issueFor } from '../service.ts'
import { deleteIssues, editIssues, removeLabel, countSelected, type SelectedIssues } from './store.ts'
import { restoreIssues } from '../undo/store.ts'
import { assignees, roleNow } from '../assignee/store.ts'
import { inTransaction } from '../../../kit/database.ts'
import { insertEntries, takeBackEntries } from '../../notification/inbox/store.ts'

type Deps = { db: MonitorDb }

/** What a body selects, as far as the caller sees it. */
export function selectionOf(caller: Caller, { filters, selected }: IssueSelection): SelectedIssues {
  const visible = visibleScans(caller)
  return {
    visible,
    runs: runsInView(visible, filters),
    filters,
    selection: {
      selectAllMode: selected.selectAllMode,
      ids: selected.selectedIssues,
      except: selected.deselectedIssues,
    },
  }
}

const one = (caller: Caller, id: string): SelectedIssues =>
  selectionOf(caller, {
    filters: noFilters,
    selected: { selectAllMode: false, selectedIssues: [id as never], deselectedIssues: [] },
  })
const noFilters = z.parse(IssueFilter, {})

/** Whether a result counts as an issue decides more than what is said of it. */
const permissionFor = (fields: IssueFields): ScanPermission =>
  fields.markAsIssue === undefined ? 'scan.discuss' : 'scan.curate'

async function edit(
  deps: Deps,
  caller: Caller,
  selected: SelectedIssues,
  fields: IssueFields,
  { version, canUndo = false }: { version?: number | undefined; canUndo?: boolean } = {},
) {
  const assignee = fields.assignedTo
  const assignable = assignee ? visibleScans({ id: assignee, role: await roleNow(deps, assignee) }) : null
  const result = await inTransaction(deps.db, async (trx) => {
    const rank = getMaxRank(permissionFor(fields))
    const authorId = caller.id
    const done = await editIssues(trx, selected, { fields, authorId, version, canUndo, rank, assignable })
    if (done.kind === 'done' && assignee)
      for (const one of done.assigned)
        await insertEntries(trx, {
          kind: 'assigned',
          ...one,
          undoId: done.undo,
          people: [assignee],
          actorId: authorId,
        })
    return done
  })
  if (result.kind === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The issue was changed since you opened it. Load it again.' })
  if (result.kind === 'not-assignable')
    return refuse('validation-failed', {
      errors: [
        { path: 'fieldsToUpdate.assignedTo', code: 'unknown-value', params: { value: assignee ?? '' } },
      ],
    })
  return result
}

/** Changes one issue; refused when somebody changed it since `version`. */
export async function patchIssue(
  deps: Deps,
  who: { caller: Caller; subject: Subject },
  id: string,
  patch: { fieldsToUpdate: IssueFields; version?: number | undefined },
) {
  const result = await edit(deps, who.caller, one(who.caller, id), patch.fieldsToUpdate, {
    version: patch.version,
  })
  if (!('kind' in result)) return result
  // It was seen, so only the role can have been in the way.
  return result.changed === 0 ? refuse('access-denied') : issueFor(deps, who.caller, id)
}

/** Changes everything that is selected and that the caller's roles allow. */
export async function patchIssues(
  deps: Deps,
  caller: Caller,
  body: IssueSelection & { fieldsToUpdate: IssueFields },
) {
  const result = await edit(deps, caller, selectionOf(caller, body), body.fieldsToUpdate, { canUndo: true })
  if (!('kind' in result)) return result
  const { changed, skipped, undo } = result
  return { success: true as const, changed, skipped, undo }
}

/** Takes back the caller's last change of many issues, where nobody changed them since. */
export async function undoIssues(deps: Deps, caller: Caller, id: string) {
  const result = await inTransaction(deps.db, async (trx) => {
    const done = await restoreIssues(trx, { id, authorId: caller.id, visible: visibleScans(caller) })
    if (done) await takeBackEntries(trx, id, done.assigned)
    return done?.restored
  })
  return result ?? refuse('not-found')
}

export async function removeIssue(deps: Deps, caller: Caller, id: string): Promise<void> {
  await deleteIssues(deps.db, one(caller, id), getMaxRank('scan.curate'))
}

export async function removeIssues(deps: Deps, caller: Caller, body: IssueSelection) {
  const result = await deleteIssues(deps.db, selectionOf(caller, body), getMaxRank('scan.curate'))
  return { success: true as const, ...result }
}

export async function addLabels(deps: Deps, caller: Caller, id: string, labels: readonly string[]) {
  await edit(deps, caller, one(caller, id), { addLabels: [...labels] })
  return issueFor(deps, caller, id)
}

export async function dropLabel(deps: Deps, caller: Caller, id: string, label: string) {
  await removeLabel(deps, id, label)
  return issueFor(deps, caller, id)
}

export const selectedCount = (deps: Deps, caller: Caller, body: IssueSelection) =>
  countSelected(deps.db, selectionOf(caller, body))

/** People who could be assigned everything that is selected. */
export const selectedUsers = async (deps: Deps, caller: Caller, body: IssueSelection) => ({
  content: await assignees(deps.db, selectionOf(caller, body)),
})
