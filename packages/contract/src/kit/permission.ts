/**
 * The permission words. Every endpoint names one; the table below says which role has which, and is the
 * permission matrix of the documentation.
 */
export const roles = ['admin', 'scanAdmin', 'scanMember', 'scanViewer', 'guest'] as const
export type Role = (typeof roles)[number]
/** A role that a team gives on one scan. */
export type ScanRole = 'scanAdmin' | 'scanMember' | 'scanViewer'

/** What can be done to one scan and to what belongs to it. */
export const scanPermissions = {
  /** See the scan, its runs, pages and issues. */
  'scan.see': ['admin', 'scanAdmin', 'scanMember', 'scanViewer', 'guest'],
  'scan.favorite': ['admin', 'scanAdmin', 'scanMember', 'scanViewer'],
  'scan.export': ['admin', 'scanAdmin', 'scanMember', 'scanViewer'],
  /** Comment, label, assign, set a status. */
  'scan.discuss': ['admin', 'scanAdmin', 'scanMember', 'scanViewer'],
  /** Mark or unmark as issue, delete issues and pages, upload results. */
  'scan.curate': ['admin', 'scanAdmin', 'scanMember'],
  /** Start and cancel runs, update reports. */
  'scan.run': ['admin', 'scanAdmin', 'scanMember'],
  /** Edit, delete, schedule, share publicly, preset, scripts. */
  'scan.manage': ['admin', 'scanAdmin'],
  /** Team access of the scan. */
  'scan.access': ['admin', 'scanAdmin'],
} as const satisfies Record<string, readonly Role[]>
export type ScanPermission = keyof typeof scanPermissions

/** What does not hang on one scan. */
export const generalPermissions = {
  /** Anybody, without signing in. */
  open: 'anybody',
  /** Any valid token, with or without access to this product. */
  'signed-in': 'anybody who has signed in',
  /** A list, of which everybody gets what they may see. */
  list: 'users with access, and guests',
  user: 'users with access',
  'scan.create': 'users with access, as the permission settings allow',
  /** One group of scans; everybody else cannot tell it from one that does not exist. */
  'group.manage': 'admins, and the admins of that group',
  admin: 'admins',
} as const
export type GeneralPermission = keyof typeof generalPermissions
export type Permission = ScanPermission | GeneralPermission

/** Whether a role has a permission on a scan. */
export const roleMay = (role: Role, permission: ScanPermission): boolean =>
  (scanPermissions[permission] as readonly Role[]).includes(role)
