import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type {
  TeamListQuery,
  TeamsByIdsQuery,
  TeamWithMembers,
} from '@clearway/contract/account/team/schema.ts'
import type * as z from 'zod/mini'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'
import {
  findTeam,
  listTeams,
  removeTeam,
  saveTeam,
  type TeamState,
  teamsWithMembers,
  unknownMembers,
} from './store.ts'

/** A team that was changed: its name, and the ids of its members where these are other ones. */
type Changed = { name: string; members?: string[] }
/** What became of a team; null where there was, or is, none. */
export type TeamChange = { id: string; before: Changed | null; after: Changed | null }
/** `onTeams` is called after a team has changed: for the audit log, and for whoever keeps a copy. */
export type TeamDeps = { db: AccountDb; onTeams: (change: TeamChange) => Promise<void> }
type Body = { name: string; members: string[] }

export async function teamsFor(deps: TeamDeps, query: z.output<typeof TeamListQuery>) {
  const { rows, total } = await listTeams(deps, query)
  return pageReply(rows, total, query)
}

export const allTeams = async (deps: TeamDeps) =>
  (await listTeams(deps, { page: 0, size: 0, order: 'asc' })).rows

/** A team as somebody may read it: email addresses are for administrators, and for the product, which writes to them. */
const seenBy =
  ({ service, role }: Caller) =>
  (team: TeamWithMembers): TeamWithMembers =>
    service || hasPermission(role, 'admin')
      ? team
      : { ...team, members: team.members.map((member) => ({ ...member, email: null })) }

/** The teams that the query names; without `all` and without ids there are none. */
export async function teamsByIds(
  deps: TeamDeps,
  caller: Caller,
  query: z.output<typeof TeamsByIdsQuery>,
): Promise<TeamWithMembers[]> {
  const ids = query.ids.flatMap((text) => text.split(',')).filter((id) => id !== '')
  return (await teamsWithMembers(deps, query.all ? null : ids, query.search)).map(seenBy(caller))
}

export async function teamFor(
  deps: TeamDeps,
  caller: Caller,
  id: string,
): Promise<TeamWithMembers | Refusal> {
  const team = await findTeam(deps, id)
  return team ? seenBy(caller)(team) : refuse('not-found')
}

/** What is different after a change; null where nothing is. */
function changeOf(id: string, before: TeamState | null, after: TeamState): TeamChange | null {
  const hasSameMembers = before !== null && isDeepStrictEqual(before.members, after.members)
  if (!hasSameMembers) return { id, before, after }
  if (before.name === after.name) return null
  return { id, before: { name: before.name }, after: { name: after.name } }
}

async function store(
  deps: TeamDeps,
  caller: Caller,
  id: string,
  body: Body,
  isNew: boolean,
): Promise<TeamWithMembers | Refusal> {
  const unknown = new Set(await unknownMembers(deps, body.members))
  const errors = body.members.flatMap((member, index): FieldError[] =>
    unknown.has(member)
      ? [{ path: `members.${index}`, code: 'unknown-value', params: { value: member } }]
      : [],
  )
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const saved = await saveTeam(deps, { id, ...body, isNew })
  if (saved === 'not-found') return refuse('not-found')
  if (saved === 'name-taken')
    return refuse('name-taken', {
      errors: [{ path: 'name', code: 'name-taken', params: { value: body.name } }],
    })
  const after = { name: body.name, members: [...new Set(body.members)].toSorted() }
  const change = changeOf(id, saved.before, after)
  if (change) await deps.onTeams(change)
  return teamFor(deps, caller, id)
}

export const createTeam = (deps: TeamDeps, caller: Caller, body: Body) =>
  store(deps, caller, newId(), body, true)
export const updateTeam = (deps: TeamDeps, caller: Caller, id: string, body: Body) =>
  store(deps, caller, id, body, false)

export async function deleteTeam(deps: TeamDeps, id: string): Promise<void | Refusal> {
  const before = await removeTeam(deps, id)
  if (before === null) return refuse('not-found')
  await deps.onTeams({ id, before, after: null })
  return undefined
}
