import type * as z from 'zod/mini'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { isTimeZone } from '@clearway/contract/monitor/schedule/model.ts'
import type { GroupChange, GroupListQuery } from '@clearway/contract/monitor/group/schema.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import { type Asker, type GrantDeps, teamErrors } from '../access/grant/service.ts'
import { replaceTeams } from '../access/grant/store.ts'
import { allowedScans } from '../access/store.ts'
import { nameError, validityOf } from '../scan/model.ts'
import { scanNames } from '../scan/store.ts'
import {
  findGroup,
  groupNameTaken,
  type GroupRow,
  knownPeople,
  listGroups,
  removeGroup,
  saveGroup,
  scansInGroup,
} from './store.ts'

export type GroupDeps = GrantDeps & { limits: { nameLength: number } }

const groupOf = (row: GroupRow) => ({ ...row, createdAt: row.createdAt.toISOString() })

export async function groupsFor(deps: GroupDeps, caller: Caller, query: z.output<typeof GroupListQuery>) {
  if (query.timeZone !== undefined && !isTimeZone(query.timeZone)) {
    const errors: FieldError[] = [
      { path: 'timeZone', code: 'unknown-value', params: { value: query.timeZone } },
    ]
    return refuse('validation-failed', { errors })
  }
  const { rows, total } = await listGroups(deps, caller, query)
  return pageReply(rows.map(groupOf), total, query)
}

export async function groupScansFor(
  deps: GroupDeps,
  id: string,
  query: { page: number; size: number; search?: string | undefined },
) {
  const { rows, total } = await scansInGroup(deps, id, query)
  return pageReply(rows, total, query)
}

export const groupableScansFor = (deps: GroupDeps, caller: Caller) =>
  scanNames(deps, allowedScans(caller, 'scan.access'))

/** Teams by name. Only who can give teams something has a use for them. */
export const groupableTeamsFor = (deps: GroupDeps, asker: Asker) => deps.accounts.teams(asker.authorization)

/** Whether a group can have that name. */
export const validateGroupName = (deps: GroupDeps, name: string, exceptId?: string) =>
  validityOf({
    name,
    max: deps.limits.nameLength,
    what: 'scan group',
    isTaken: (trimmed) => groupNameTaken(deps, trimmed, exceptId),
  })

const repeated = (path: string, list: readonly string[]): FieldError[] =>
  list.flatMap((value, index): FieldError[] =>
    list.indexOf(value) < index ? [{ path: `${path}.${index}`, code: 'duplicate', params: { value } }] : [],
  )
const strange = (path: string, list: readonly string[], known: ReadonlySet<string>): FieldError[] =>
  list.flatMap((value, index): FieldError[] =>
    known.has(value) ? [] : [{ path: `${path}.${index}`, code: 'unknown-value', params: { value } }],
  )

/** Scans that are in the group may stay; others come in by who decides about their access. */
async function scanErrors(deps: GroupDeps, caller: Caller, id: string | null, scans: readonly string[]) {
  const mine = await scanNames(deps, allowedScans(caller, 'scan.access'))
  const inside = id === null ? [] : (await scansInGroup(deps, id, { page: 0, size: 0 })).rows
  return strange('scans', scans, new Set([...mine, ...inside].map((scan) => scan.id)))
}

async function groupErrors(
  deps: GroupDeps,
  asker: Asker,
  id: string | null,
  change: GroupChange,
): Promise<FieldError[]> {
  const { scanGroupName: name, admins, scans, teams } = change
  const bad = name === undefined ? null : nameError('scanGroupName', name)
  return [
    ...(bad ? [bad] : []),
    ...(admins
      ? [...repeated('admins', admins), ...strange('admins', admins, await knownPeople(deps, admins))]
      : []),
    ...(scans ? [...repeated('scans', scans), ...(await scanErrors(deps, asker.caller, id, scans))] : []),
    ...(teams ? await teamErrors(deps, asker, 'teams', teams) : []),
  ].slice(0, 100)
}

async function store(deps: GroupDeps, asker: Asker, id: string | null, change: GroupChange) {
  const errors = await groupErrors(deps, asker, id, change)
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const groupId = id ?? newId()
  const { scanGroupName: name, admins, scans, teams, version } = change
  const setTeams = teams ? (trx: GroupDeps['db']) => replaceTeams(trx, { groupId }, teams) : null
  const saved = await saveGroup(deps, groupId, id === null, { name, admins, scans, teams: setTeams, version })
  if (saved === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The group was changed since you opened it. Load it again.' })
  if (saved === 'name-taken')
    return refuse('name-taken', {
      errors: [{ path: 'scanGroupName', code: 'name-taken', params: { value: name ?? '' } }],
    })
  const row = await findGroup(deps, groupId)
  return row ? groupOf(row) : refuse('not-found')
}

export const createGroup = (deps: GroupDeps, asker: Asker, body: GroupChange) =>
  store(deps, asker, null, body)
export const updateGroup = (deps: GroupDeps, asker: Asker, id: string, body: GroupChange) =>
  store(deps, asker, id, body)

/** The scans stay; what the group gave to teams ends at once. */
export const deleteGroup = (deps: GroupDeps, id: string): Promise<void | Refusal> => removeGroup(deps, id)
