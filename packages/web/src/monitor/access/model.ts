import type { GroupId, ScanId, TeamId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import { StepSearch, withDefault, listSearch, sortParam } from '../../kit/list/search.ts'

export const AccessSearch = z.object({ ...listSearch, sort: sortParam(['team', 'target', 'role'], 'team,asc') })
export type AccessSearch = z.output<typeof AccessSearch>
export const accessSearchDefaults = z.parse(AccessSearch, {})

/** URL parameters of the assignment for a preselected team. */
export const AssignSearch = z.object({ ...StepSearch.shape, team: withDefault(z.string(), '') })
export type AssignSearch = z.output<typeof AssignSearch>
/** Way to assign several teams: in steps, or by a file. */
export const AssignAllSearch = z.object({ ...StepSearch.shape, by: withDefault(z.enum(['hand', 'file']), 'hand') })
export type AssignAllSearch = z.output<typeof AssignAllSearch>

/** Selected assignment; the role `none` revokes access. */
export type AssignValues = { teams: string[]; scans: ScanId[]; groups: GroupId[]; role: ScanRole | 'none' }

/** Returns one assignment for each combination of team and target, as the server expects them. */
export function toAssignments({ teams, scans, groups, role }: AssignValues) {
  const assignedRole = role === 'none' ? null : role
  return teams.flatMap((teamId) => [
    ...scans.map((scanId) => ({ teamId: teamId as TeamId, scanId, role: assignedRole })),
    ...groups.map((scanGroupId) => ({ teamId: teamId as TeamId, scanGroupId, role: assignedRole })),
  ])
}
