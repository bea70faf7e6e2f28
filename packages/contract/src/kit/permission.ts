/**
 * Who may do what, as data. Each call names a permission; the server decides by this table, the documentation is made
 * from it, and a test walks every call with every role.
 */

type RoleFacts = {
  name: string
  /** The scans that the role is on: all, those it was granted on, the one of a share link, or none. */
  scans: 'all' | 'granted' | 'shared' | 'none'
  /** The role of the sign-in that makes somebody this. If there are several, the first one counts. */
  claim?: string
}

/** Everybody whom permissions distinguish. On one scan each may do everything that those after it may. */
export const roles = {
  admin: { name: 'Admin', scans: 'all', claim: 'admin' },
  scanAdmin: { name: 'Scan Admin', scans: 'granted' },
  scanMember: { name: 'Scan Member', scans: 'granted' },
  scanViewer: { name: 'Scan Viewer', scans: 'granted' },
  /** Reads everything, and changes nothing except where a team or a group gives a stronger role. */
  auditor: { name: 'Auditor', scans: 'all', claim: 'auditor' },
  guest: { name: 'Guest', scans: 'shared' },
  /** Manages one group of scans. */
  groupAdmin: { name: 'Group Admin', scans: 'none' },
  /** Has access to the product. */
  user: { name: 'User', scans: 'none', claim: 'access' },
  /** Has signed in, and has no access to this product. */
  outsider: { name: 'No access', scans: 'none' },
  nobody: { name: 'Not signed in', scans: 'none' },
} as const satisfies Record<string, RoleFacts>
export type Role = keyof typeof roles
type RoleWith<Key extends string, Value> = {
  [R in Role]: (typeof roles)[R] extends Record<Key, Value> ? R : never
}[Role]

/** A role that a team gives on one scan. */
export type ScanRole = RoleWith<'scans', 'granted'>
/** A role on one scan, wherever it comes from. */
export type SubjectRole = RoleWith<'scans', 'all' | 'granted' | 'shared'>
/** What the sign-in makes of somebody. */
export type SystemRole = RoleWith<'claim', string> | 'outsider'

const named = Object.entries(roles) as [Role, RoleFacts][]
const rolesWith = <R extends Role>(test: (facts: RoleFacts) => boolean): R[] =>
  named.filter(([, facts]) => test(facts)).map(([role]) => role as R)

export const scanRoles = rolesWith<ScanRole>(({ scans }) => scans === 'granted')
export const subjectRoles = rolesWith<SubjectRole>(({ scans }) => scans !== 'none')
export const systemRoles: readonly SystemRole[] = [
  ...rolesWith<SystemRole>(({ claim }) => claim !== undefined),
  'outsider',
]

/** The role of somebody to whom the sign-in gives these. */
export const systemRoleOf = (claims: readonly string[]): SystemRole =>
  systemRoles.find((role) => {
    const { claim }: RoleFacts = roles[role]
    return claim !== undefined && claims.includes(claim)
  }) ?? 'outsider'

/** What the sign-in gives to somebody of a role: its own word, after the one for access to the product. */
export function claimsOf(role: SystemRole): string[] {
  const { claim }: RoleFacts = roles[role]
  return claim === undefined ? [] : [...new Set([roles.user.claim, claim])]
}

type PermissionFacts = {
  /** What the call is about: the role on that decides. */
  about: 'scan' | 'group' | 'nothing'
  roles: readonly Role[]
  /** For the documentation: what it allows, and what else decides. */
  meaning: string
}

const onScan = (meaning: string, ...allowed: SubjectRole[]) =>
  ({ about: 'scan', roles: allowed, meaning }) as const
const general = (meaning: string, ...allowed: Role[]) =>
  ({ about: 'nothing', roles: allowed, meaning }) as const

export const permissions = {
  'scan.see': onScan(
    'see the scan, its runs, pages and issues',
    ...(['admin', 'scanAdmin', 'scanMember', 'scanViewer', 'auditor', 'guest'] as const),
  ),
  'scan.favorite': onScan('mark as a favorite', 'admin', 'scanAdmin', 'scanMember', 'scanViewer', 'auditor'),
  'scan.export': onScan('export', 'admin', 'scanAdmin', 'scanMember', 'scanViewer', 'auditor'),
  'scan.discuss': onScan(
    'comment, label, assign, set a status',
    'admin',
    'scanAdmin',
    'scanMember',
    'scanViewer',
  ),
  'scan.curate': onScan(
    'mark as issue or not, delete issues and pages, upload results',
    'admin',
    'scanAdmin',
    'scanMember',
  ),
  'scan.run': onScan('start and cancel runs, update reports', 'admin', 'scanAdmin', 'scanMember'),
  'scan.manage': onScan('edit, delete, schedule, share, preset, scripts', 'admin', 'scanAdmin'),
  'scan.unlock': onScan('remove or replace a preset that locks settings of the scan', 'admin'),
  'scan.access': onScan('manage team access of the scan', 'admin', 'scanAdmin'),
  open: general('anybody, without signing in', ...(Object.keys(roles) as Role[])),
  'signed-in': general('anybody who has signed in', 'admin', 'auditor', 'user', 'outsider'),
  list: general('a list; callers get the part that they may see', 'admin', 'auditor', 'user', 'guest'),
  user: general('anybody with access', 'admin', 'auditor', 'user'),
  'scan.create': general('anybody with access, if the permission settings allow it', 'admin', 'user'),
  'view.save': general('save views; change and delete your own', 'admin', 'user'),
  'group.see': {
    about: 'group',
    roles: ['admin', 'auditor', 'groupAdmin'],
    meaning: 'read one scan group; nobody else can tell it from one that does not exist',
  },
  'group.manage': {
    about: 'group',
    roles: ['admin', 'groupAdmin'],
    meaning: 'manage one scan group; nobody else can tell it from one that does not exist',
  },
  'admin.see': general('read the administration', 'admin', 'auditor'),
  admin: general('administration', 'admin'),
} as const satisfies Record<string, PermissionFacts>
export type Permission = keyof typeof permissions
export type ScanPermission = {
  [P in Permission]: (typeof permissions)[P]['about'] extends 'scan' ? P : never
}[Permission]

export const isScanPermission = (permission: Permission): permission is ScanPermission =>
  permissions[permission].about === 'scan'

/** Whether a role has a permission. */
export const roleMay = (role: Role, permission: Permission): boolean =>
  (permissions[permission].roles as readonly Role[]).includes(role)

/** The roles that are roles on every scan. */
export const rolesOnAllScans = rolesWith<SubjectRole>(({ scans }) => scans === 'all')
