import {
  isScanPermission,
  type Permission,
  permissions,
  roleMay,
  type ScanPermission,
  type SystemRole,
  systemRoles,
} from '@clearway/contract/kit/permission.ts'
import { type Caller, isRefusal, type Refusal, refuse, type Subject } from '../../kit/http/answer.ts'
import { actingAs } from '../../kit/actor.ts'
import type { Guard } from '../../kit/http/register.ts'
import type { MonitorDb } from '../database.ts'
import { systemSettings } from '../setting/service.ts'
import { guestOf } from '../share/service.ts'
import type { Accounts } from '../user/account/service.ts'
import { spokenIn } from './model.ts'
import { forgetAccess, rememberPerson, roleOn, roleOnGroup, rolesAnywhere, scanOf } from './store.ts'

export type AccessDeps = { db: MonitorDb }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Whether somebody may create scans: the strictest of their roles counts. */
export async function mayCreateScans(deps: AccessDeps, caller: Caller): Promise<boolean> {
  if (roleMay(caller.role, 'admin')) return true
  if (!roleMay(caller.role, 'scan.create')) return false
  const [{ strictest }, settings] = await Promise.all([rolesAnywhere(deps, caller.id), systemSettings(deps)])
  const allowed = {
    scanAdmin: true,
    scanMember: settings.allowScanMembersToCreateScans,
    scanViewer: settings.allowScanViewersToCreateScans,
  }
  return strictest === null || allowed[strictest]
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

/** What a caller may do beyond single scans, as `/users/permissions` answers it. */
export async function permissionsOf(deps: AccessDeps, caller: Caller) {
  if (caller.guestOf !== undefined) return guestPermissions
  const [canCreateScans, { groups }] = await Promise.all([
    mayCreateScans(deps, caller),
    rolesAnywhere(deps, caller.id),
  ])
  return {
    id: caller.id,
    username: caller.username,
    firstName: caller.firstName,
    lastName: caller.lastName,
    isAdmin: roleMay(caller.role, 'admin'),
    isGuest: false,
    canCreateScans,
    canCreateGroups: roleMay(caller.role, 'admin'),
    canSaveViews: roleMay(caller.role, 'view.save'),
    groupsAdministered: groups,
  }
}

type Call = { permission: Permission; path: string; params: Readonly<Record<string, string>> }

/** The scan that a path is about: `/scans/{id}…` itself, or that of the page or issue. */
async function scanIdOf(deps: AccessDeps, call: Call): Promise<string | null> {
  const id = call.params.id ?? ''
  if (!uuid.test(id)) return null
  const noun = call.path.split('/')[1]
  return noun === 'pages' || noun === 'issues' ? scanOf(deps, noun, id) : id
}

async function onScan(deps: AccessDeps, call: Call & { permission: ScanPermission }, caller: Caller) {
  const scanId = await scanIdOf(deps, call)
  const role = scanId && (await roleOn(deps, caller, scanId))
  if (!scanId || !role) return refuse('not-found')
  if (!roleMay(role, call.permission)) return refuse('access-denied')
  return { subject: { scanId, role } }
}

async function onGroup(deps: AccessDeps, call: Call, caller: Caller) {
  const id = call.params.id ?? ''
  const role = uuid.test(id) ? await roleOnGroup(deps, caller, id) : null
  return role && roleMay(role, call.permission) ? { subject: null } : refuse('not-found')
}

/** Decides every call of the monitor service. */
async function authorise(
  deps: AccessDeps,
  call: Call,
  caller: Caller | null,
): Promise<{ subject: Subject | null } | Refusal> {
  const { permission } = call
  const nothing = { subject: null }
  if (permission === 'open') return nothing
  if (!caller) return refuse('not-signed-in')
  const { about } = permissions[permission]
  if (about === 'nothing' && roleMay(caller.role, permission))
    return permission !== 'scan.create' || (await mayCreateScans(deps, caller))
      ? nothing
      : refuse('access-denied')
  if (caller.role === 'outsider') return refuse('no-access')
  if (isScanPermission(permission)) return onScan(deps, { ...call, permission }, caller)
  // A guest has no groups, and gets the answer for everything that guests may not.
  return about === 'group' && caller.role !== 'guest' ? onGroup(deps, call, caller) : refuse('access-denied')
}

const rememberEveryMs = 10 * 60_000

/**
 * The guard of the monitor service. Guests come by their own header, everybody else by a bearer token. Keeps the names
 * of those who come, at most every ten minutes, their role at once when it is another, and their teams, at most every minute.
 */
export function monitorGuard(deps: AccessDeps & { accounts: Accounts }, identify: Guard['identify']): Guard {
  const seen = new Map<string, { at: number; said: string }>()
  const remember = async (
    caller: Caller & { role: SystemRole },
    languages: string | undefined,
  ): Promise<void> => {
    const now = performance.now()
    const language = spokenIn(languages)
    const said = `${caller.role} ${language}`
    const before = seen.get(caller.id)
    if (before?.said === said && now - before.at <= rememberEveryMs) return
    // Somebody who never had access is not remembered; somebody who lost it loses their keys, too.
    if (caller.role === 'outsider') await forgetAccess(deps, caller.id)
    else await rememberPerson(deps, { ...caller, language })
    if (seen.size > 10_000) seen.clear()
    seen.set(caller.id, { at: now, said })
  }
  return {
    identify: async (request) => {
      const caller = await identify(request)
      const guest = request.headers['x-guest-token']
      if (caller === null && typeof guest === 'string') return guestOf(deps, guest)
      if (caller && !isRefusal(caller)) {
        const role = systemRoles.find((one) => one === caller.role)
        // What the sign-in gives or takes is recorded as nobody's doing: the caller did not ask for it.
        const provider = { id: null, address: request.ip, request: request.id }
        if (role)
          await actingAs(provider, () => remember({ ...caller, role }, request.headers['accept-language']))
        // An admin may do everything, whatever the teams.
        if (role && roleMay(role, 'user') && !roleMay(role, 'admin'))
          await deps.accounts.membership(caller.id, request.headers.authorization!)
      }
      return caller
    },
    authorise: (call, caller) => authorise(deps, call, caller),
  }
}
