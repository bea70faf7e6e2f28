import {
  isScanPermission,
  type Permission,
  permissions,
  hasPermission,
  type ScanPermission,
  type SystemRole,
  systemRoles,
} from '@clearway/contract/kit/permission.ts'
import { type Caller, isRefusal, type Refusal, refuse, type Subject } from '../../kit/http/answer.ts'
import { runAsActor } from '../../kit/actor.ts'
import type { Guard } from '../../kit/http/register.ts'
import type { MonitorDb } from '../database.ts'
import { getSystemSettings } from '../setting/service.ts'
import { identifyGuest } from '../share/service.ts'
import type { Accounts } from '../user/account/service.ts'
import { findSpokenLanguage } from './model.ts'
import { forgetAccess, rememberPerson, findRoleOnScan, findRoleOnGroup, findRolesAnywhere, findScanOf } from './store.ts'

export type AccessDeps = { db: MonitorDb }

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Checks whether a user may create scans: each of their roles must allow it, so that another role lifts nothing. */
export async function canCreateScans(deps: AccessDeps, caller: Caller): Promise<boolean> {
  if (hasPermission(caller.role, 'admin')) return true
  if (!hasPermission(caller.role, 'scan.create')) return false
  const [{ roles: scanRoles }, systemSettingValues] = await Promise.all([
    findRolesAnywhere(deps, caller.id),
    getSystemSettings(deps),
  ])
  const isRoleAllowed = {
    scanAdmin: true,
    scanMember: systemSettingValues.allowScanMembersToCreateScans,
    scanViewer: systemSettingValues.allowScanViewersToCreateScans,
  }
  return scanRoles.every((role) => isRoleAllowed[role])
}

const guestPermissions = {
  id: '',
  username: 'guest',
  firstName: 'Guest',
  lastName: 'User',
  isAdmin: false,
  isGuest: true,
  canCreateScans: false,
  canCreateGroups: false,
  canSaveViews: false,
  groupsAdministered: 0,
}

export async function getPermissions(deps: AccessDeps, caller: Caller) {
  if (caller.guestOf !== undefined) return { ...guestPermissions, sharedUntil: caller.sharedUntil?.toISOString() ?? null }
  const [isAllowedToCreateScans, { groups: administeredGroupCount }] = await Promise.all([
    canCreateScans(deps, caller),
    findRolesAnywhere(deps, caller.id),
  ])
  return {
    id: caller.id,
    username: caller.username,
    firstName: caller.firstName,
    lastName: caller.lastName,
    isAdmin: hasPermission(caller.role, 'admin'),
    isGuest: false,
    canCreateScans: isAllowedToCreateScans,
    canCreateGroups: hasPermission(caller.role, 'admin'),
    canSaveViews: hasPermission(caller.role, 'view.save'),
    groupsAdministered: administeredGroupCount,
  }
}

type AuthorizedCall = { permission: Permission; path: string; params: Readonly<Record<string, string>> }

/** The scan that a path refers to: `/scans/{id}…` itself, or the scan of the page or issue. */
async function findScanId(deps: AccessDeps, call: AuthorizedCall): Promise<string | null> {
  const subjectId = call.params.id ?? ''
  if (!uuidPattern.test(subjectId)) return null
  const pathNoun = call.path.split('/')[1]
  return pathNoun === 'pages' || pathNoun === 'issues' ? findScanOf(deps, pathNoun, subjectId) : subjectId
}

async function authorizeOnScan(deps: AccessDeps, call: AuthorizedCall & { permission: ScanPermission }, caller: Caller) {
  const scanId = await findScanId(deps, call)
  const roleOnScan = scanId && (await findRoleOnScan(deps, caller, scanId))
  if (!scanId || !roleOnScan) return refuse('not-found')
  if (!hasPermission(roleOnScan, call.permission)) return refuse('access-denied')
  return { subject: { scanId, role: roleOnScan } }
}

async function authorizeOnGroup(deps: AccessDeps, call: AuthorizedCall, caller: Caller) {
  const groupId = call.params.id ?? ''
  const groupRole = uuidPattern.test(groupId) ? await findRoleOnGroup(deps, caller, groupId) : null
  return groupRole && hasPermission(groupRole, call.permission) ? { subject: null } : refuse('not-found')
}

async function authorizeCall(
  deps: AccessDeps,
  call: AuthorizedCall,
  caller: Caller | null,
): Promise<{ subject: Subject | null } | Refusal> {
  const { permission } = call
  const withoutSubject = { subject: null }
  if (permission === 'open') return withoutSubject
  if (!caller) return refuse('not-signed-in')
  const { about } = permissions[permission]
  if (about === 'nothing' && hasPermission(caller.role, permission))
    return permission !== 'scan.create' || (await canCreateScans(deps, caller)) ? withoutSubject : refuse('access-denied')
  if (caller.role === 'outsider') return refuse('no-access')
  if (isScanPermission(permission)) return authorizeOnScan(deps, { ...call, permission }, caller)
  // Guests have no groups: every other call of theirs is denied alike.
  return about === 'group' && caller.role !== 'guest' ? authorizeOnGroup(deps, call, caller) : refuse('access-denied')
}

const personRefreshMs = 10 * 60_000

/** The guard of the monitor service. Stores names at most every ten minutes, teams every minute, a changed role at once. */
export function monitorGuard(deps: AccessDeps & { accounts: Accounts }, identify: Guard['identify']): Guard {
  const rememberedCallers = new Map<string, { at: number; said: string }>()
  const rememberCaller = async (caller: Caller & { role: SystemRole }, acceptLanguage: string | undefined): Promise<void> => {
    const currentTimeMs = performance.now()
    const spokenLanguage = findSpokenLanguage(acceptLanguage)
    const callerFingerprint = `${caller.role} ${spokenLanguage}`
    const previousRecord = rememberedCallers.get(caller.id)
    if (previousRecord?.said === callerFingerprint && currentTimeMs - previousRecord.at <= personRefreshMs) return
    // A caller who never had access is not stored; one who lost it also loses their keys.
    if (caller.role === 'outsider') await forgetAccess(deps, caller.id)
    else await rememberPerson(deps, { ...caller, language: spokenLanguage })
    if (rememberedCallers.size > 10_000) rememberedCallers.clear()
    rememberedCallers.set(caller.id, { at: currentTimeMs, said: callerFingerprint })
  }
  return {
    identify: async (request) => {
      const identifiedCaller = await identify(request)
      const guestToken = request.headers['x-guest-token']
      if (identifiedCaller === null && typeof guestToken === 'string') return identifyGuest(deps, guestToken)
      if (identifiedCaller && !isRefusal(identifiedCaller)) {
        const systemRole = systemRoles.find((one) => one === identifiedCaller.role)
        // Changes from the sign-in have no actor in the audit log: the caller did not request them.
        const auditActor = { id: null, address: request.ip, request: request.id }
        if (systemRole)
          await runAsActor(auditActor, () =>
            rememberCaller({ ...identifiedCaller, role: systemRole }, request.headers['accept-language']),
          )
        // Team membership is irrelevant for admins, who may do everything.
        if (systemRole && hasPermission(systemRole, 'user') && !hasPermission(systemRole, 'admin'))
          await deps.accounts.membership(identifiedCaller.id, request.headers.authorization!)
      }
      return identifiedCaller
    },
    authorize: (call, caller) => authorizeCall(deps, call, caller),
  }
}
