import { type Role, roleMay, rolesOnAllScans } from '@clearway/contract/kit/permission.ts'
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
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import type { Requester } from '../access/grant/service.ts'
import type { MonitorDb } from '../database.ts'
import { quotasNow } from '../setting/service.ts'
import type { Accounts } from '../user/account/service.ts'
import {
  findView,
  insertView,
  keepDefault,
  listDefaults,
  listViews,
  removeView,
  replaceView,
  teamsWith,
  type ViewReader,
  type ViewRow,
} from './store.ts'

export type ViewDeps = { db: MonitorDb; accounts: Accounts }

const readerOf = ({ id, role }: Caller): ViewReader => ({
  id,
  seesTeams: (rolesOnAllScans as readonly Role[]).includes(role),
})

const mayChange = (caller: Caller, row: ViewRow): boolean =>
  roleMay(caller.role, 'view.save') && (row.author_id === caller.id || roleMay(caller.role, 'admin'))

const audienceOf = ({ team_id, for_everybody }: ViewRow) => {
  if (team_id !== null) return { kind: 'team', teamId: team_id }
  return { kind: for_everybody ? 'everybody' : 'me' }
}

const shown = (caller: Caller, row: ViewRow): SavedView =>
  z.parse(SavedView, {
    id: row.id,
    name: row.name,
    screen: row.screen,
    query: row.query,
    audience: audienceOf(row),
    teamName: row.team_name,
    author: row.author === null ? null : { id: row.author_id, name: row.author },
    mayChange: mayChange(caller, row),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  })

export async function viewsFor(
  deps: ViewDeps,
  caller: Caller,
  query: z.output<(typeof viewApi.listViews)['query']>,
) {
  const { rows, total } = await listViews(deps, readerOf(caller), query)
  return pageReply(
    rows.map((row) => shown(caller, row)),
    total,
    query,
  )
}

/** The teams that somebody can save views for: their own; an admin may do so for every one. */
export const viewTeamsFor = (deps: ViewDeps, { caller, authorization }: Requester) =>
  roleMay(caller.role, 'admin') ? deps.accounts.teams(authorization) : teamsWith(deps, caller.id)

/** A refusal of an audience that is not the caller's to choose; null when it is. */
async function refusedAudience(
  deps: ViewDeps,
  asker: Requester,
  audience: ViewAudience,
  prefix: string,
): Promise<Refusal | null> {
  if (audience.kind === 'me') return null
  if (audience.kind === 'everybody')
    return roleMay(asker.caller.role, 'admin')
      ? null
      : refuse('access-denied', { detail: 'Only administrators save views for everybody.' })
  const teams = await viewTeamsFor(deps, asker)
  if (teams.some(({ id }) => id === audience.teamId)) return null
  const path = `${prefix}audience.teamId`
  return refuse('validation-failed', {
    errors: [{ path, code: 'unknown-value', params: { value: audience.teamId } }],
  })
}

const taken = (path: string, value: string) =>
  refuse('name-taken', { errors: [{ path, code: 'name-taken', params: { value } }] })

export async function createView(deps: ViewDeps, asker: Requester, body: ViewBody): Promise<SavedView | Refusal> {
  const { caller } = asker
  const refused = await refusedAudience(deps, asker, body.audience, '')
  if (refused) return refused
  const { views: most } = await quotasNow(deps)
  const id = newId()
  const saved = await insertView(deps, { id, authorId: caller.id, most, values: body })
  if (saved === 'too-many')
    return refuse('quota-views', { detail: `One person has ${most} saved views at most.` })
  if (saved === 'name-taken') return taken('name', body.name)
  return view(deps, caller, id)
}

async function view(deps: ViewDeps, caller: Caller, id: string): Promise<SavedView | Refusal> {
  const row = await findView(deps, readerOf(caller), id)
  return row ? shown(caller, row) : refuse('not-found')
}

/** A view that the caller may change, or why they may not. */
async function own(deps: ViewDeps, caller: Caller, id: string): Promise<{ row: ViewRow } | Refusal> {
  const row = await findView(deps, readerOf(caller), id)
  if (!row) return refuse('not-found')
  return mayChange(caller, row) ? { row } : refuse('access-denied')
}

export async function updateView(
  deps: ViewDeps,
  asker: Requester,
  id: string,
  { settings, version }: { settings: ViewBody; version: number },
): Promise<SavedView | Refusal> {
  const found = await own(deps, asker.caller, id)
  if (!('row' in found)) return found
  if (found.row.screen !== settings.screen)
    return refuse('validation-failed', {
      errors: [{ path: 'settings.screen', code: 'unknown-value', params: { value: settings.screen } }],
    })
  // It would be out of sight for whoever takes it away.
  if (settings.audience.kind === 'me' && found.row.author_id !== asker.caller.id)
    return refuse('access-denied', { detail: 'Only its author makes a view private.' })
  const refused = await refusedAudience(deps, asker, settings.audience, 'settings.')
  if (refused) return refused
  const saved = await replaceView(deps, { id, version, values: settings })
  if (saved === 'name-taken') return taken('settings.name', settings.name)
  if (saved === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The view was changed since you opened it. Load it again.' })
  return view(deps, asker.caller, id)
}

export async function deleteView(deps: ViewDeps, caller: Caller, id: string): Promise<void | Refusal> {
  const found = await own(deps, caller, id)
  if (!('row' in found)) return found
  await removeView(deps, id, caller.id)
}

/** The views with which screens open for the caller. */
export async function defaultsFor(deps: ViewDeps, caller: Caller): Promise<DefaultView[]> {
  const rows = await listDefaults(deps, readerOf(caller))
  return rows.map(({ screen, name, viewId, view: row }) => ({
    screen,
    name,
    view: row && shown(caller, row),
    isDeleted: viewId === null,
  }))
}

export async function setDefault(
  deps: ViewDeps,
  caller: Caller,
  { screen, viewId }: { screen: ViewScreen; viewId: string | null },
): Promise<DefaultView[] | Refusal> {
  const row = viewId === null ? null : await findView(deps, readerOf(caller), viewId)
  if (viewId !== null && row?.screen !== screen)
    return refuse('validation-failed', {
      errors: [{ path: 'viewId', code: 'unknown-value', params: { value: viewId } }],
    })
  await keepDefault(deps, { personId: caller.id, screen, view: row })
  return defaultsFor(deps, caller)
}
