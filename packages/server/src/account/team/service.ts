import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type {
  TeamListQuery,
  TeamsByIdsQuery,
  TeamWithMembers,
} from '@clearway/contract/account/team/schema.ts'
import type * as z from 'zod/mini'
import { type Refusal, refuse } from '../../kit/http/answer.ts'
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'
import { findTeam, listTeams, removeTeam, saveTeam, teamsWithMembers, unknownMembers } from './store.ts'

/** `onTeams` is told when teams have changed: whoever keeps a copy asks anew. */
export type TeamDeps = { db: AccountDb; onTeams: () => void }
type Body = { name: string; members: string[] }

export async function teamsFor(deps: TeamDeps, query: z.output<typeof TeamListQuery>) {
  const { rows, total } = await listTeams(deps, query)
  return pageReply(rows, total, query)
}

export const allTeams = async (deps: TeamDeps) =>
  (await listTeams(deps, { page: 0, size: 0, order: 'asc' })).rows

/** The teams that the query names; without `all` and without ids there are none. */
export function teamsByIds(
  deps: TeamDeps,
  query: z.output<typeof TeamsByIdsQuery>,
): Promise<TeamWithMembers[]> {
  const ids = query.ids.flatMap((text) => text.split(',')).filter((id) => id !== '')
  return teamsWithMembers(deps, query.all ? null : ids, query.search)
}

export async function teamFor(deps: TeamDeps, id: string): Promise<TeamWithMembers | Refusal> {
  return (await findTeam(deps, id)) ?? refuse('not-found')
}

async function store(
  deps: TeamDeps,
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
  deps.onTeams()
  return teamFor(deps, id)
}

export const createTeam = (deps: TeamDeps, body: Body) => store(deps, newId(), body, true)
export const updateTeam = (deps: TeamDeps, id: string, body: Body) => store(deps, id, body, false)

export async function deleteTeam(deps: TeamDeps, id: string): Promise<void | Refusal> {
  if (!(await removeTeam(deps, id))) return refuse('not-found')
  deps.onTeams()
  return undefined
}
