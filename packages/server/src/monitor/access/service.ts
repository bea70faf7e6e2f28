import type { Permission } from '@clearway/contract/kit/permission.ts'
import { roleMay, scanPermissions, type ScanPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, isRefusal, type Refusal, refuse, type Subject } from '../../kit/http/answer.ts'
import type { Guard } from '../../kit/http/register.ts'
import type { MonitorDb } from '../database.ts'
import { systemSettings } from '../setting/service.ts'
import { guestOf } from '../share/service.ts'
import type { Accounts } from '../user/account/service.ts'
import { spokenIn } from './model.ts'
import { administers, rememberPerson, roleOn, rolesAnywhere, scanOf } from './store.ts'

export type AccessDeps = { db: MonitorDb }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const isScanPermission = (permission: Permission): permission is ScanPermission =>
  permission in scanPermissions

/** Whether somebody may create scans: the strictest of his roles counts. */
export async function mayCreateScans(deps: AccessDeps, caller: Caller): Promise<boolean> {
  if (caller.isAdmin) return true
  const [{ strictest }, settings] = await Promise.all([rolesAnywhere(deps, caller.id), systemSettings(deps)])
  const allowed = {
    scanAdmin: true,
    scanMember: settings.allowScanMembersToCreateScans,
    scanViewer: settings.allowScanViewersToCreateScans,
  }
  return strictest === null || allowed[strictest]
}

const guestPermissions = {
  username: 'guest',
  firstName: 'Guest',
  lastName: 'User',
  isAdmin: false,
  isGuest: true,
  canCreateScans: false,
  canCreateGroups: false,
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
    username: caller.username,
    firstName: caller.firstName,
    lastName: caller.lastName,
    isAdmin: caller.isAdmin,
    isGuest: false,
    canCreateScans,
    canCreateGroups: caller.isAdmin,
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

/** What a guest may do: read the lists and calls that his one scan answers. */
async function authoriseGuest(
  deps: AccessDeps,
  call: Call,
  guest: Caller,
): Promise<{ subject: Subject | null } | Refusal> {
  const { permission } = call
  if (isScanPermission(permission)) return onScan(deps, { ...call, permission }, guest)
  return permission === 'list' ? { subject: null } : refuse('access-denied')
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
  if (caller.guestOf !== undefined) return authoriseGuest(deps, call, caller)
  if (permission === 'signed-in') return nothing
  if (!caller.hasAccess) return refuse('no-access')
  if (isScanPermission(permission)) return onScan(deps, { ...call, permission }, caller)
  if (permission === 'admin') return caller.isAdmin ? nothing : refuse('access-denied')
  if (permission === 'group.manage') {
    const id = call.params.id ?? ''
    return uuid.test(id) && (await administers(deps, caller, id)) ? nothing : refuse('not-found')
  }
  if (permission === 'scan.create')
    return (await mayCreateScans(deps, caller)) ? nothing : refuse('access-denied')
  return nothing
}

const rememberEveryMs = 10 * 60_000

/**
 * The guard of the monitor service. Guests come by their own header, everybody else by a bearer token. Keeps the names
 * of those who come, at most every ten minutes, and their teams, at most every minute.
 */
export function monitorGuard(deps: AccessDeps & { accounts: Accounts }, identify: Guard['identify']): Guard {
  const seen = new Map<string, number>()
  const remember = async (caller: Caller, languages: string | undefined): Promise<void> => {
    const now = Date.now()
    const language = spokenIn(languages)
    const key = `${caller.id} ${language}`
    if (now - (seen.get(key) ?? 0) <= rememberEveryMs) return
    if (seen.size > 10_000) seen.clear()
    seen.set(key, now)
    await rememberPerson(deps, { ...caller, language })
  }
  return {
    identify: async (request) => {
      const caller = await identify(request)
      const guest = request.headers['x-guest-token']
      if (caller === null && typeof guest === 'string') return guestOf(deps, guest)
      if (caller && !isRefusal(caller) && caller.hasAccess) {
        await remember(caller, request.headers['accept-language'])
        // An admin sees all, whatever his teams.
        if (!caller.isAdmin) await deps.accounts.membership(caller.id, request.headers.authorization!)
      }
      return caller
    },
    authorise: (call, caller) => authorise(deps, call, caller),
  }
}
