import type { GroupId, ScanId, TeamId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import { StepSearch, withDefault, listSearch, sortParam } from '../../kit/list/search.ts'

/** The list of team access as the address bar keeps it. */
export const AccessSearch = z.object({
  ...listSearch,
  sort: sortParam(['team', 'target', 'role'], 'team,asc'),
})
export type AccessSearch = z.output<typeof AccessSearch>
export const accessSearchDefaults = z.parse(AccessSearch, {})

/** Whose access is changed: the team that is chosen already. */
export const AssignSearch = z.object({ ...StepSearch.shape, team: withDefault(z.string(), '') })
export type AssignSearch = z.output<typeof AssignSearch>
/** How several teams are given access: step by step, or by a file. */
export const AssignAllSearch = z.object({
  ...StepSearch.shape,
  by: withDefault(z.enum(['hand', 'file']), 'hand'),
})
export type AssignAllSearch = z.output<typeof AssignAllSearch>

/** What somebody chose to give, or with `none` to take away. */
export type AssignValues = { teams: string[]; scans: ScanId[]; groups: GroupId[]; role: ScanRole | 'none' }

/** One change for each team and each target, as the server takes them. */
export function assignmentsOf({ teams, scans, groups, role }: AssignValues) {
  const given = role === 'none' ? null : role
  return teams.flatMap((team) => [
    ...scans.map((scanId) => ({ teamId: team as TeamId, scanId, role: given })),
    ...groups.map((scanGroupId) => ({ teamId: team as TeamId, scanGroupId, role: given })),
  ])
}
