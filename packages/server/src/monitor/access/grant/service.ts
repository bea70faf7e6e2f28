import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type {
  Assignment,
  AssignmentsBody,
  ScanAccessBody,
  TeamAccessQuery,
} from '@clearway/contract/monitor/access/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type * as z from 'zod/mini'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { pageReply } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import type { Accounts } from '../../user/account/service.ts'
import { managesGroup } from '../store.ts'
import { accessOfScan, listGrants, targetsNamed, rolesNow, writeGrants, writeScanAccess } from './store.ts'

export type GrantDeps = { db: MonitorDb; accounts: Accounts }
/** What a call about teams needs besides who calls: the token, with which the account service is asked. */
export type Asker = { caller: Caller; authorization: string }

/** Somebody else changed it since the caller looked at it. */
export const accessChanged = refuse('edit-conflict', {
  detail: 'The access was changed since you opened it. Load it again.',
})

const unknown = (path: string, value: string): FieldError => ({
  path,
  code: 'unknown-value',
  params: { value },
})

/** Errors of a list of teams with roles: unknown ones, and those named twice. */
export async function teamErrors(
  deps: GrantDeps,
  asker: Asker,
  path: string,
  teams: readonly { teamId: string }[],
): Promise<FieldError[]> {
  if (teams.length === 0) return []
  const known = new Set((await deps.accounts.teams(asker.authorization)).map((team) => team.id))
  const seen = new Set<string>()
  return teams.flatMap(({ teamId }, index): FieldError[] => {
    const at = `${path}.${index}.teamId`
    if (!known.has(teamId)) return [unknown(at, teamId)]
    if (seen.has(teamId)) return [{ path: at, code: 'duplicate', params: { value: teamId } }]
    seen.add(teamId)
    return []
  })
}

export const scanAccess = (deps: GrantDeps, scanId: string) => accessOfScan(deps, scanId)

/** A scan may be put into groups, and taken from them, by who managesGroup those; the others it keeps. */
export async function groupErrors(
  deps: GrantDeps,
  asker: Asker,
  scanId: string,
  groups: readonly string[],
): Promise<FieldError[]> {
  const now = new Set((await accessOfScan(deps, scanId)).groups.map((group) => group.scanGroupId))
  const wanted = new Set(groups)
  const errors: FieldError[] = []
  for (const [index, id] of groups.entries()) {
    const path = `groups.${index}`
    if (groups.indexOf(id) < index) errors.push({ path, code: 'duplicate', params: { value: id } })
    else if (!now.has(id) && !(await managesGroup(deps, asker.caller, id))) errors.push(unknown(path, id))
  }
  for (const id of now)
    if (!wanted.has(id) && !(await managesGroup(deps, asker.caller, id)))
      errors.push({ path: 'groups', code: 'required', params: { value: id } })
  return errors
}

export async function updateScanAccess(
  deps: GrantDeps,
  asker: Asker,
  scanId: string,
  body: z.output<typeof ScanAccessBody>,
) {
  const errors = [
    ...(await teamErrors(deps, asker, 'teams', body.teams)),
    ...(body.groups ? await groupErrors(deps, asker, scanId, body.groups) : []),
  ]
  if (errors.length > 0) return refuse('validation-failed', { errors })
  if ((await writeScanAccess(deps, scanId, body)) === 'edit-conflict') return accessChanged
  return accessOfScan(deps, scanId)
}

export async function teamAccessFor(deps: GrantDeps, asker: Asker, query: z.output<typeof TeamAccessQuery>) {
  // Listed with the names that the account service has for them now.
  await deps.accounts.teams(asker.authorization)
  const { rows, total } = await listGrants(deps, query)
  return pageReply(rows, total, query)
}

type Change = z.output<typeof Assignment>

async function assignmentErrors(
  deps: GrantDeps,
  asker: Asker,
  changes: readonly Change[],
): Promise<FieldError[]> {
  const teams = new Set((await deps.accounts.teams(asker.authorization)).map((team) => team.id))
  const targets = await targetsNamed(deps, {
    scans: changes.flatMap((c) => c.scanId ?? []),
    groups: changes.flatMap((c) => c.scanGroupId ?? []),
  })
  const known = new Set([...targets.scans, ...targets.groups].map(({ id }) => id))
  const seen = new Set<string>()
  return changes.flatMap((change, index): FieldError[] => {
    const path = `assignments.${index}`
    const target = change.scanId ?? change.scanGroupId
    if (!target) return [{ path: `${path}.scanId`, code: 'required', params: {} }]
    if (change.scanId && change.scanGroupId)
      return [{ path: `${path}.scanGroupId`, code: 'invalid', params: {} }]
    if (!teams.has(change.teamId)) return [unknown(`${path}.teamId`, change.teamId)]
    if (!known.has(target)) return [unknown(`${path}.${change.scanId ? 'scanId' : 'scanGroupId'}`, target)]
    const pair = `${change.teamId} ${target}`
    if (seen.has(pair)) return [{ path, code: 'duplicate', params: {} }]
    seen.add(pair)
    return []
  })
}

/** What callers without the web read. */
const noTarget = (errors: readonly FieldError[]) =>
  errors.some(({ path, code }) => code === 'required' && path.endsWith('.scanId'))
    ? { detail: 'Scan or Scan Group must not be empty.' }
    : {}

/** Gives and takes roles of teams: all of the list or nothing. With `check` it only says what would change. */
export async function assignTeams(
  deps: GrantDeps,
  asker: Asker,
  { assignments, check, version: known }: z.output<typeof AssignmentsBody>,
): Promise<{ applied: number; before: (ScanRole | null)[]; version: number } | Refusal> {
  const errors = (await assignmentErrors(deps, asker, assignments)).slice(0, 100)
  if (errors.length > 0) return refuse('validation-failed', { errors, ...noTarget(errors) })
  const grants = assignments.map(({ teamId, scanId, scanGroupId, role }) => ({
    teamId,
    scanId: scanId ?? null,
    groupId: scanGroupId ?? null,
    role,
  }))
  const { roles: before, version } = await rolesNow(deps, grants)
  if (!check && (await writeGrants(deps, grants, known)) === 'edit-conflict') return accessChanged
  return { applied: check ? 0 : grants.length, before, version }
}
