import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { Assignment, AssignmentsBody, ScanAccessBody, TeamAccessQuery } from '@clearway/contract/monitor/access/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type * as z from 'zod/mini'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import type { Accounts } from '../../user/account/service.ts'
import { canManageGroup } from '../store.ts'
import { readScanAccess, listGrants, findNamedTargets, readCurrentRoles, writeGrants, writeScanAccess } from './store.ts'

export type GrantDeps = { db: MonitorDb; accounts: Accounts }
/** The caller and the token that authorizes requests to the account service. */
export type Requester = { caller: Caller; authorization: string }

/** Refusal for access that changed since the caller loaded it. */
export const accessChangedRefusal = refuse('edit-conflict', {
  detail: 'The access was changed since you opened it. Load it again.',
})

const createUnknownValueError = (path: string, value: string): FieldError => ({ path, code: 'unknown-value', params: { value } })

export async function findTeamErrors(
  deps: GrantDeps,
  requester: Requester,
  path: string,
  teams: readonly { teamId: string }[],
): Promise<FieldError[]> {
  if (teams.length === 0) return []
  const knownTeamIds = new Set((await deps.accounts.teams(requester)).map((team) => team.id))
  const seenTeamIds = new Set<string>()
  return teams.flatMap(({ teamId }, index): FieldError[] => {
    const errorPath = `${path}.${index}.teamId`
    if (!knownTeamIds.has(teamId)) return [createUnknownValueError(errorPath, teamId)]
    if (seenTeamIds.has(teamId)) return [{ path: errorPath, code: 'duplicate', params: { value: teamId } }]
    seenTeamIds.add(teamId)
    return []
  })
}

export const getScanAccess = (deps: GrantDeps, scanId: string) => readScanAccess(deps, scanId)

/** Only managers of a group may add a scan to it or remove one; all other groups of the scan stay. */
export async function findGroupErrors(
  deps: GrantDeps,
  requester: Requester,
  scanId: string,
  groupIds: readonly string[],
): Promise<FieldError[]> {
  const currentGroupIds = new Set((await readScanAccess(deps, scanId)).groups.map((group) => group.scanGroupId))
  const requestedGroupIds = new Set(groupIds)
  const errors: FieldError[] = []
  for (const [index, groupId] of groupIds.entries()) {
    const errorPath = `groups.${index}`
    if (groupIds.indexOf(groupId) < index) errors.push({ path: errorPath, code: 'duplicate', params: { value: groupId } })
    else if (!currentGroupIds.has(groupId) && !(await canManageGroup(deps, requester.caller, groupId)))
      errors.push(createUnknownValueError(errorPath, groupId))
  }
  for (const id of currentGroupIds)
    if (!requestedGroupIds.has(id) && !(await canManageGroup(deps, requester.caller, id)))
      errors.push({ path: 'groups', code: 'required', params: { value: id } })
  return errors
}

export async function updateScanAccess(
  deps: GrantDeps,
  requester: Requester,
  scanId: string,
  body: z.output<typeof ScanAccessBody>,
) {
  const fieldErrors = [
    ...(await findTeamErrors(deps, requester, 'teams', body.teams)),
    ...(body.groups ? await findGroupErrors(deps, requester, scanId, body.groups) : []),
  ]
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  if ((await writeScanAccess(deps, scanId, body)) === 'edit-conflict') return accessChangedRefusal
  return readScanAccess(deps, scanId)
}

export async function listTeamAccess(deps: GrantDeps, requester: Requester, query: z.output<typeof TeamAccessQuery>) {
  // Refreshes the stored team names from the account service.
  await deps.accounts.teams(requester)
  const { rows: grantRows, total: totalGrants } = await listGrants(deps, query)
  return buildPageReply(grantRows, totalGrants, query)
}

type AssignmentChange = z.output<typeof Assignment>

async function findAssignmentErrors(
  deps: GrantDeps,
  requester: Requester,
  changes: readonly AssignmentChange[],
): Promise<FieldError[]> {
  const knownTeamIds = new Set((await deps.accounts.teams(requester)).map((team) => team.id))
  const matchedTargets = await findNamedTargets(deps, {
    scans: changes.flatMap((c) => c.scanId ?? []),
    groups: changes.flatMap((c) => c.scanGroupId ?? []),
  })
  const knownTargetIds = new Set([...matchedTargets.scans, ...matchedTargets.groups].map(({ id }) => id))
  const seenAssignments = new Set<string>()
  return changes.flatMap((change, index): FieldError[] => {
    const errorPath = `assignments.${index}`
    const targetId = change.scanId ?? change.scanGroupId
    if (!targetId) return [{ path: `${errorPath}.scanId`, code: 'required', params: {} }]
    if (change.scanId && change.scanGroupId) return [{ path: `${errorPath}.scanGroupId`, code: 'invalid', params: {} }]
    if (!knownTeamIds.has(change.teamId)) return [createUnknownValueError(`${errorPath}.teamId`, change.teamId)]
    if (!knownTargetIds.has(targetId))
      return [createUnknownValueError(`${errorPath}.${change.scanId ? 'scanId' : 'scanGroupId'}`, targetId)]
    const assignmentKey = `${change.teamId} ${targetId}`
    if (seenAssignments.has(assignmentKey)) return [{ path: errorPath, code: 'duplicate', params: {} }]
    seenAssignments.add(assignmentKey)
    return []
  })
}

/** Detail for API clients, which do not show field errors. */
const missingTargetDetail = (errors: readonly FieldError[]) =>
  errors.some(({ path, code }) => code === 'required' && path.endsWith('.scanId'))
    ? { detail: 'Scan or Scan Group must not be empty.' }
    : {}

/** Applies all role changes or none. With `check`, only reports the current roles and version. */
export async function assignTeams(
  deps: GrantDeps,
  requester: Requester,
  { assignments, check, version: knownVersion }: z.output<typeof AssignmentsBody>,
): Promise<{ applied: number; before: (ScanRole | null)[]; version: number } | Refusal> {
  const fieldErrors = (await findAssignmentErrors(deps, requester, assignments)).slice(0, 100)
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors, ...missingTargetDetail(fieldErrors) })
  const roleGrants = assignments.map(({ teamId, scanId, scanGroupId, role }) => ({
    teamId,
    scanId: scanId ?? null,
    groupId: scanGroupId ?? null,
    role,
  }))
  const { roles: previousRoles, version: currentVersion } = await readCurrentRoles(deps, roleGrants)
  if (!check && (await writeGrants(deps, roleGrants, knownVersion)) === 'edit-conflict') return accessChangedRefusal
  return { applied: check ? 0 : roleGrants.length, before: previousRoles, version: currentVersion }
}
