import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { TeamListQuery, TeamsByIdsQuery, TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import type * as z from 'zod/mini'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { createId } from '../../kit/id.ts'
import { buildPageReply } from '../../kit/paging.ts'
import { hideAddress } from '../../kit/text.ts'
import type { AccountDb } from '../database.ts'
import { findTeam, listTeams, removeTeam, saveTeam, type TeamState, listTeamsWithMembers, findUnknownMemberIds } from './store.ts'

/** State of a changed team: its name, and the ids of its members if they changed. */
type ChangedTeam = { name: string; members?: string[] }
/** A change of a team; `before` is null for a new team, `after` for a deleted one. */
export type TeamChange = { id: string; before: ChangedTeam | null; after: ChangedTeam | null }
/** `onTeams` is called after each change of a team: for the audit log and for copies of the teams. */
export type TeamDeps = { db: AccountDb; onTeams: (change: TeamChange) => Promise<void> }
type TeamBody = { name: string; members: string[] }

/** All teams for the administration and for the product itself, which grants access to them and sends mail. */
const canSeeAllTeams = ({ service, role }: Caller): boolean => service === true || hasPermission(role, 'admin.see')
/** The member whose teams alone are visible; null for callers who see all. */
const getVisibleMember = (caller: Caller): string | null => (canSeeAllTeams(caller) ? null : caller.id)

export async function getTeamsPage(deps: TeamDeps, caller: Caller, query: z.output<typeof TeamListQuery>) {
  const { rows: teamRows, total: totalTeams } = await listTeams(deps, query, getVisibleMember(caller))
  return buildPageReply(teamRows, totalTeams, query)
}

export const listAllTeams = async (deps: TeamDeps, caller: Caller) =>
  (await listTeams(deps, { page: 0, size: 0, sort: [], order: 'asc' }, getVisibleMember(caller))).rows

/** Removes email addresses, also as user names, unless the caller is an administrator or the product itself. */
const redactEmailsFor =
  ({ service, role }: Caller) =>
  (team: TeamWithMembers): TeamWithMembers =>
    service || hasPermission(role, 'admin')
      ? team
      : {
          ...team,
          members: team.members.map((member) => ({ ...member, username: hideAddress(member.username), email: null })),
        }

/** The teams that the query names; none without `all` and without ids. */
export async function getTeamsByIds(
  deps: TeamDeps,
  caller: Caller,
  query: z.output<typeof TeamsByIdsQuery>,
): Promise<TeamWithMembers[]> {
  const requestedIds = query.ids.flatMap((idList) => idList.split(',')).filter((id) => id !== '')
  const teamFilter = { ids: query.all ? null : requestedIds, search: query.search, memberId: getVisibleMember(caller) }
  return (await listTeamsWithMembers(deps, teamFilter)).map(redactEmailsFor(caller))
}

export async function getTeam(deps: TeamDeps, caller: Caller, id: string): Promise<TeamWithMembers | Refusal> {
  const team = await findTeam(deps, id, getVisibleMember(caller))
  return team ? redactEmailsFor(caller)(team) : refuse('not-found')
}

function computeTeamChange(id: string, before: TeamState | null, after: TeamState): TeamChange | null {
  const hasSameMembers = before !== null && isDeepStrictEqual(before.members, after.members)
  if (!hasSameMembers) return { id, before, after }
  if (before.name === after.name) return null
  return { id, before: { name: before.name }, after: { name: after.name } }
}

async function storeTeam(
  deps: TeamDeps,
  caller: Caller,
  id: string,
  body: TeamBody,
  isNew: boolean,
): Promise<TeamWithMembers | Refusal> {
  const unknownMemberIds = new Set(await findUnknownMemberIds(deps, body.members))
  const fieldErrors = body.members.flatMap((memberId, index): FieldError[] =>
    unknownMemberIds.has(memberId) ? [{ path: `members.${index}`, code: 'unknown-value', params: { value: memberId } }] : [],
  )
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  const saveResult = await saveTeam(deps, { id, ...body, isNew })
  if (saveResult === 'not-found') return refuse('not-found')
  if (saveResult === 'name-taken')
    return refuse('name-taken', { errors: [{ path: 'name', code: 'name-taken', params: { value: body.name } }] })
  const updatedTeam = { name: body.name, members: [...new Set(body.members)].toSorted() }
  const teamChange = computeTeamChange(id, saveResult.before, updatedTeam)
  if (teamChange) await deps.onTeams(teamChange)
  return getTeam(deps, caller, id)
}

export const createTeam = (deps: TeamDeps, caller: Caller, body: TeamBody) => storeTeam(deps, caller, createId(), body, true)
export const updateTeam = (deps: TeamDeps, caller: Caller, id: string, body: TeamBody) => storeTeam(deps, caller, id, body, false)

export async function deleteTeam(deps: TeamDeps, id: string): Promise<void | Refusal> {
  const deletedTeam = await removeTeam(deps, id)
  if (deletedTeam === null) return refuse('not-found')
  await deps.onTeams({ id, before: deletedTeam, after: null })
  return undefined
}
