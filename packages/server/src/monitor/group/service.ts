import type * as z from 'zod/mini'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { isTimeZone } from '@clearway/contract/monitor/schedule/model.ts'
import type { GroupChange, GroupListQuery } from '@clearway/contract/monitor/group/schema.ts'
import { findNameError } from '@clearway/contract/monitor/scan/settings/model.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { createId } from '../../kit/id.ts'
import { buildPageReply } from '../../kit/paging.ts'
import { type Requester, type GrantDeps, findTeamErrors } from '../access/grant/service.ts'
import { replaceTeams } from '../access/grant/store.ts'
import { allowedScans } from '../access/store.ts'
import { checkName } from '../scan/model.ts'
import { readScanNames } from '../scan/store.ts'
import {
  findGroup,
  isGroupNameTaken,
  type GroupRow,
  findKnownPersonIds,
  listGroups,
  removeGroup,
  saveGroup,
  listScansInGroup,
} from './store.ts'

export type GroupDeps = GrantDeps & { limits: { nameLength: number } }

const toGroupReply = (row: GroupRow) => ({ ...row, createdAt: row.createdAt.toISOString() })

export async function listVisibleGroups(deps: GroupDeps, caller: Caller, query: z.output<typeof GroupListQuery>) {
  if (query.timeZone !== undefined && !isTimeZone(query.timeZone)) {
    const timeZoneErrors: FieldError[] = [{ path: 'timeZone', code: 'unknown-value', params: { value: query.timeZone } }]
    return refuse('validation-failed', { errors: timeZoneErrors })
  }
  const { rows: groupRows, total: totalGroups } = await listGroups(deps, caller, query)
  return buildPageReply(groupRows.map(toGroupReply), totalGroups, query)
}

export async function listGroupScans(
  deps: GroupDeps,
  groupId: string,
  query: { page: number; size: number; search?: string | undefined },
) {
  const { rows: scanRows, total: totalScans } = await listScansInGroup(deps, groupId, query)
  return buildPageReply(scanRows, totalScans, query)
}

export const listGroupableScans = (deps: GroupDeps, caller: Caller) => readScanNames(deps, allowedScans(caller, 'scan.access'))

/** Teams by name, for users who may grant teams access. */
export const listGroupableTeams = (deps: GroupDeps, requester: Requester) => deps.accounts.teams(requester)

export const validateGroupName = (deps: GroupDeps, name: string, exceptId?: string) =>
  checkName({
    name,
    maxLength: deps.limits.nameLength,
    nounInMessage: 'scan group',
    isTaken: (trimmed) => isGroupNameTaken(deps, trimmed, exceptId),
  })

const findDuplicates = (errorPath: string, values: readonly string[]): FieldError[] =>
  values.flatMap((value, index): FieldError[] =>
    values.indexOf(value) < index ? [{ path: `${errorPath}.${index}`, code: 'duplicate', params: { value } }] : [],
  )
const findUnknownValues = (errorPath: string, values: readonly string[], knownValues: ReadonlySet<string>): FieldError[] =>
  values.flatMap((value, index): FieldError[] =>
    knownValues.has(value) ? [] : [{ path: `${errorPath}.${index}`, code: 'unknown-value', params: { value } }],
  )

/** Scans already in the group may stay; the caller may only add scans whose access they administer. */
async function findScanErrors(deps: GroupDeps, caller: Caller, groupId: string | null, scanIds: readonly string[]) {
  const administeredScans = await readScanNames(deps, allowedScans(caller, 'scan.access'))
  const groupScans = groupId === null ? [] : (await listScansInGroup(deps, groupId, { page: 0, size: 0 })).rows
  return findUnknownValues('scans', scanIds, new Set([...administeredScans, ...groupScans].map((scan) => scan.id)))
}

async function findGroupErrors(
  deps: GroupDeps,
  requester: Requester,
  groupId: string | null,
  change: GroupChange,
): Promise<FieldError[]> {
  const { scanGroupName: groupName, admins: adminIds, scans: scanIds, teams: teamRoles } = change
  const invalidNameError = groupName === undefined ? null : findNameError('scanGroupName', groupName)
  return [
    ...(invalidNameError ? [invalidNameError] : []),
    ...(adminIds
      ? [
          ...findDuplicates('admins', adminIds),
          ...findUnknownValues('admins', adminIds, await findKnownPersonIds(deps, adminIds)),
        ]
      : []),
    ...(scanIds
      ? [...findDuplicates('scans', scanIds), ...(await findScanErrors(deps, requester.caller, groupId, scanIds))]
      : []),
    ...(teamRoles ? await findTeamErrors(deps, requester, 'teams', teamRoles) : []),
  ].slice(0, 100)
}

async function storeGroup(deps: GroupDeps, requester: Requester, existingId: string | null, change: GroupChange) {
  const fieldErrors = await findGroupErrors(deps, requester, existingId, change)
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  const groupId = existingId ?? createId()
  const {
    scanGroupName: groupName,
    admins: adminIds,
    scans: scanIds,
    teams: teamRoles,
    target,
    version: expectedVersion,
  } = change
  const replaceGroupTeams = teamRoles ? (trx: GroupDeps['db']) => replaceTeams(trx, { groupId }, teamRoles) : null
  const saveResult = await saveGroup(deps, groupId, existingId === null, {
    name: groupName,
    admins: adminIds,
    scans: scanIds,
    teams: replaceGroupTeams,
    target,
    version: expectedVersion,
  })
  if (saveResult === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The group was changed since you opened it. Load it again.' })
  if (saveResult === 'not-found') return refuse('not-found')
  if (saveResult === 'name-taken')
    return refuse('name-taken', { errors: [{ path: 'scanGroupName', code: 'name-taken', params: { value: groupName ?? '' } }] })
  const groupRow = await findGroup(deps, groupId)
  return groupRow ? toGroupReply(groupRow) : refuse('not-found')
}

export const createGroup = (deps: GroupDeps, requester: Requester, body: GroupChange) => storeGroup(deps, requester, null, body)
export const updateGroup = (deps: GroupDeps, requester: Requester, groupId: string, body: GroupChange) =>
  storeGroup(deps, requester, groupId, body)

/** Deletes the group but not its scans; access that the group granted to teams ends at once. */
export async function deleteGroup(deps: GroupDeps, groupId: string): Promise<void | Refusal> {
  return (await removeGroup(deps, groupId)) ? undefined : refuse('not-found')
}
