import { type Role, hasPermission, allScanRoles } from '@clearway/contract/kit/permission.ts'
import {
  type DefaultView,
  SavedView,
  type ViewAudience,
  type ViewBody,
  type ViewScreen,
} from '@clearway/contract/monitor/view/schema.ts'
import type { viewApi } from '@clearway/contract/monitor/view/api.ts'
import * as z from 'zod/mini'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { createId } from '../../kit/id.ts'
import { buildPageReply } from '../../kit/paging.ts'
import type { Requester } from '../access/grant/service.ts'
import type { MonitorDb } from '../database.ts'
import { readCurrentQuotas } from '../setting/service.ts'
import type { Accounts } from '../user/account/service.ts'
import {
  findView,
  insertView,
  storeDefault,
  listDefaults,
  listViews,
  removeView,
  replaceView,
  listTeamsOfPerson,
  type ViewReader,
  type ViewRow,
} from './store.ts'

export type ViewDeps = { db: MonitorDb; accounts: Accounts }

const toReader = ({ id, role }: Caller): ViewReader => ({ id, seesTeams: (allScanRoles as readonly Role[]).includes(role) })

const canChangeView = (caller: Caller, viewRow: ViewRow): boolean =>
  hasPermission(caller.role, 'view.save') && (viewRow.author_id === caller.id || hasPermission(caller.role, 'admin'))

const getAudience = ({ team_id, for_everybody }: ViewRow) => {
  if (team_id !== null) return { kind: 'team', teamId: team_id }
  return { kind: for_everybody ? 'everybody' : 'me' }
}

const toViewReply = (caller: Caller, viewRow: ViewRow): SavedView =>
  z.parse(SavedView, {
    id: viewRow.id,
    name: viewRow.name,
    screen: viewRow.screen,
    query: viewRow.query,
    audience: getAudience(viewRow),
    teamName: viewRow.team_name,
    author: viewRow.author === null ? null : { id: viewRow.author_id, name: viewRow.author },
    mayChange: canChangeView(caller, viewRow),
    updatedAt: viewRow.updated_at.toISOString(),
    version: viewRow.version,
  })

export async function listVisibleViews(deps: ViewDeps, caller: Caller, query: z.output<(typeof viewApi.listViews)['query']>) {
  const { rows: viewRows, total: totalViews } = await listViews(deps, toReader(caller), query)
  return buildPageReply(
    viewRows.map((viewRow) => toViewReply(caller, viewRow)),
    totalViews,
    query,
  )
}

/** Teams for which the caller can save views: their own; all of them for an admin. */
export const listViewTeams = (deps: ViewDeps, requester: Requester) =>
  hasPermission(requester.caller.role, 'admin') ? deps.accounts.teams(requester) : listTeamsOfPerson(deps, requester.caller.id)

/** Refuses an audience that the caller may not choose; null when allowed. */
async function checkAudience(
  deps: ViewDeps,
  requester: Requester,
  audience: ViewAudience,
  pathPrefix: string,
): Promise<Refusal | null> {
  if (audience.kind === 'me') return null
  if (audience.kind === 'everybody')
    return hasPermission(requester.caller.role, 'admin')
      ? null
      : refuse('access-denied', { detail: 'Only administrators can save views for all users.' })
  const allowedTeams = await listViewTeams(deps, requester)
  if (allowedTeams.some(({ id }) => id === audience.teamId)) return null
  const errorPath = `${pathPrefix}audience.teamId`
  return refuse('validation-failed', { errors: [{ path: errorPath, code: 'unknown-value', params: { value: audience.teamId } }] })
}

const refuseTakenName = (errorPath: string, value: string) =>
  refuse('name-taken', { errors: [{ path: errorPath, code: 'name-taken', params: { value } }] })

export async function createView(deps: ViewDeps, requester: Requester, body: ViewBody): Promise<SavedView | Refusal> {
  const { caller: viewAuthor } = requester
  const refusal = await checkAudience(deps, requester, body.audience, '')
  if (refusal) return refusal
  const { views: maxViews } = await readCurrentQuotas(deps)
  const viewId = createId()
  const saveResult = await insertView(deps, { id: viewId, authorId: viewAuthor.id, maxViews, values: body })
  if (saveResult === 'too-many') return refuse('quota-views', { detail: `One person can have at most ${maxViews} saved views.` })
  if (saveResult === 'name-taken') return refuseTakenName('name', body.name)
  return getView(deps, viewAuthor, viewId)
}

async function getView(deps: ViewDeps, caller: Caller, viewId: string): Promise<SavedView | Refusal> {
  const viewRow = await findView(deps, toReader(caller), viewId)
  return viewRow ? toViewReply(caller, viewRow) : refuse('not-found')
}

/** A view that the caller may change, or a refusal. */
async function findChangeableView(deps: ViewDeps, caller: Caller, viewId: string): Promise<{ row: ViewRow } | Refusal> {
  const viewRow = await findView(deps, toReader(caller), viewId)
  if (!viewRow) return refuse('not-found')
  return canChangeView(caller, viewRow) ? { row: viewRow } : refuse('access-denied')
}

export async function updateView(
  deps: ViewDeps,
  requester: Requester,
  viewId: string,
  { settings, version }: { settings: ViewBody; version: number },
): Promise<SavedView | Refusal> {
  const changeableView = await findChangeableView(deps, requester.caller, viewId)
  if (!('row' in changeableView)) return changeableView
  if (changeableView.row.screen !== settings.screen)
    return refuse('validation-failed', {
      errors: [{ path: 'settings.screen', code: 'unknown-value', params: { value: settings.screen } }],
    })
  // A view made private by another user would disappear for that user.
  if (settings.audience.kind === 'me' && changeableView.row.author_id !== requester.caller.id)
    return refuse('access-denied', { detail: 'Only its author can make a view private.' })
  const refusal = await checkAudience(deps, requester, settings.audience, 'settings.')
  if (refusal) return refusal
  const saveResult = await replaceView(deps, { id: viewId, version, values: settings })
  if (saveResult === 'name-taken') return refuseTakenName('settings.name', settings.name)
  if (saveResult === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The view was changed since you opened it. Load it again.' })
  return getView(deps, requester.caller, viewId)
}

export async function deleteView(deps: ViewDeps, caller: Caller, viewId: string): Promise<void | Refusal> {
  const changeableView = await findChangeableView(deps, caller, viewId)
  if (!('row' in changeableView)) return changeableView
  await removeView(deps, viewId, caller.id)
}

export async function getDefaultViews(deps: ViewDeps, caller: Caller): Promise<DefaultView[]> {
  const defaultRows = await listDefaults(deps, toReader(caller))
  return defaultRows.map(({ screen, name, viewId, view: row }) => ({
    screen,
    name,
    view: row && toViewReply(caller, row),
    isDeleted: viewId === null,
  }))
}

export async function setDefaultView(
  deps: ViewDeps,
  caller: Caller,
  { screen, viewId }: { screen: ViewScreen; viewId: string | null },
): Promise<DefaultView[] | Refusal> {
  const viewRow = viewId === null ? null : await findView(deps, toReader(caller), viewId)
  if (viewId !== null && viewRow?.screen !== screen)
    return refuse('validation-failed', { errors: [{ path: 'viewId', code: 'unknown-value', params: { value: viewId } }] })
  await storeDefault(deps, { personId: caller.id, screen, view: viewRow })
  return getDefaultViews(deps, caller)
}
