import type { Permission } from '@clearway/contract/kit/permission.ts'
import { roleMay, scanPermissions, type ScanPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, isRefusal, type Refusal, refuse, type Subject } from '../../kit/http/answer.ts'
import type { Guard } from '../../kit/http/register.ts'
import type { MonitorDb } from '../database.ts'
import { creationSettings, rememberPerson, roleOn, rolesAnywhere, scanOf } from './store.ts'

export type AccessDeps = { db: MonitorDb }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const isScanPermission = (permission: Permission): permission is ScanPermission =>
  permission in scanPermissions

/** Whether somebody may create scans: the strictest of his roles counts. */
async function mayCreateScans(deps: AccessDeps, caller: Caller): Promise<boolean> {
  if (caller.isAdmin) return true
  const [{ strictest }, settings] = await Promise.all([
    rolesAnywhere(deps, caller.id),
    creationSettings(deps),
  ])
  const allowed = { scanAdmin: true, scanMember: settings.members, scanViewer: settings.viewers }
  return strictest === null || allowed[strictest]
}

/** What a caller may do beyond single scans, as `/users/permissions` answers it. */
export async function permissionsOf(deps: AccessDeps, caller: Caller) {
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

/** Decides every call of the monitor service. Guests come by their own header, which has its place here. */
async function authorise(
  deps: AccessDeps,
  call: Call,
  caller: Caller | null,
): Promise<{ subject: Subject | null } | Refusal> {
  const { permission } = call
  const nothing = { subject: null }
  if (permission === 'open') return nothing
  if (!caller) return refuse('not-signed-in')
  if (permission === 'signed-in') return nothing
  if (!caller.hasAccess) return refuse('no-access')
  if (isScanPermission(permission)) return onScan(deps, { ...call, permission }, caller)
  if (permission === 'admin') return caller.isAdmin ? nothing : refuse('access-denied')
  if (permission === 'scan.create')
    return (await mayCreateScans(deps, caller)) ? nothing : refuse('access-denied')
  return nothing
}

const rememberEveryMs = 10 * 60_000

/** The guard of the monitor service. Keeps the names of those who come, at most every ten minutes. */
export function monitorGuard(deps: AccessDeps, identify: Guard['identify']): Guard {
  const seen = new Map<string, number>()
  return {
    identify: async (request) => {
      const caller = await identify(request)
      if (caller && !isRefusal(caller) && caller.hasAccess) {
        const now = Date.now()
        if (now - (seen.get(caller.id) ?? 0) > rememberEveryMs) {
          if (seen.size > 10_000) seen.clear()
          seen.set(caller.id, now)
          await rememberPerson(deps, caller)
        }
      }
      return caller
    },
    authorise: (call, caller) => authorise(deps, call, caller),
  }
}
