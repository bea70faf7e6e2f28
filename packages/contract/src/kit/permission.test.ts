import { expect, it } from 'vitest'
import {
  claimsOf,
  isScanPermission,
  type Permission,
  permissions,
  roleMay,
  subjectRoles,
  systemRoleOf,
  systemRoles,
} from './permission.ts'

const all = Object.keys(permissions) as Permission[]

it('gives on a scan each role all that the roles after it have: lists compare by rank', () => {
  for (const permission of all.filter(isScanPermission)) {
    const allowed = subjectRoles.map((role) => roleMay(role, permission))
    expect([permission, allowed]).toEqual([permission, allowed.toSorted((a, b) => Number(b) - Number(a))])
  }
})
it('takes the first of several roles of a sign-in', () => {
  expect(systemRoleOf(['access', 'admin'])).toBe('admin')
  expect(systemRoleOf(['access'])).toBe('user')
  expect(systemRoleOf(['something', 'else'])).toBe('outsider')
})
it('reads from a sign-in what it would give', () => {
  for (const role of systemRoles) expect(systemRoleOf(claimsOf(role))).toBe(role)
})
it('lets an admin do everything, and somebody without access nothing but what is open to all', () => {
  for (const permission of all) expect([permission, roleMay('admin', permission)]).toEqual([permission, true])
  expect(all.filter((permission) => roleMay('outsider', permission))).toEqual(['open', 'signed-in'])
})
