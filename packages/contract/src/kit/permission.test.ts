import { expect, it } from 'vitest'
import {
  getRoleClaims,
  isScanPermission,
  type Permission,
  permissions,
  hasPermission,
  subjectRoles,
  getSystemRole,
  systemRoles,
} from './permission.ts'

const allPermissions = Object.keys(permissions) as Permission[]

it('each scan role has all permissions of the roles after it, so that lists can compare by rank', () => {
  for (const permission of allPermissions.filter(isScanPermission)) {
    const allowedFlags = subjectRoles.map((role) => hasPermission(role, permission))
    expect([permission, allowedFlags]).toEqual([
      permission,
      allowedFlags.toSorted((first, second) => Number(second) - Number(first)),
    ])
  }
})
it('uses the first of several roles of a sign-in', () => {
  expect(getSystemRole(['access', 'admin'])).toBe('admin')
  expect(getSystemRole(['access'])).toBe('user')
  expect(getSystemRole(['something', 'else'])).toBe('outsider')
})
it('maps roles to claims and back', () => {
  for (const role of systemRoles) expect(getSystemRole(getRoleClaims(role))).toBe(role)
})
it('admins have all permissions, outsiders only the open ones', () => {
  for (const permission of allPermissions) expect([permission, hasPermission('admin', permission)]).toEqual([permission, true])
  expect(allPermissions.filter((permission) => hasPermission('outsider', permission))).toEqual(['open', 'signed-in'])
})
