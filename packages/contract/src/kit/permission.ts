/** Permissions as data: the server enforces them, the documentation is generated from them, a test checks them for every role. */

type RoleFacts = {
  name: string
  /** Scans that the role applies to: all, those granted by teams, the one of a share link, or none. */
  scans: 'all' | 'granted' | 'shared' | 'none'
  /** Claim of the sign-in that assigns the role. If there are several, the first one counts. */
  claim?: string
}

/** All roles that permissions distinguish. On one scan, each role may do everything that the roles after it may. */
export const roles = {
  admin: { name: 'Admin', scans: 'all', claim: 'admin' },
  scanAdmin: { name: 'Scan Admin', scans: 'granted' },
  scanMember: { name: 'Scan Member', scans: 'granted' },
  scanViewer: { name: 'Scan Viewer', scans: 'granted' },
  /** Reads everything, and changes only what a team or group role allows. */
  auditor: { name: 'Auditor', scans: 'all', claim: 'auditor' },
  guest: { name: 'Guest', scans: 'shared' },
  groupAdmin: { name: 'Group Admin', scans: 'none' },
  /** Has access to the product. */
  user: { name: 'User', scans: 'none', claim: 'access' },
  /** Is signed in but has no access to this product. */
  outsider: { name: 'No access', scans: 'none' },
  nobody: { name: 'Not signed in', scans: 'none' },
} as const satisfies Record<string, RoleFacts>
export type Role = keyof typeof roles
type RoleWith<Key extends string, Value> = {
  [CurrentRole in Role]: (typeof roles)[CurrentRole] extends Record<Key, Value> ? CurrentRole : never
}[Role]

/** A role that a team has on one scan. */
export type ScanRole = RoleWith<'scans', 'granted'>
/** A role on one scan, regardless of its source. */
export type SubjectRole = RoleWith<'scans', 'all' | 'granted' | 'shared'>
/** A role assigned by the sign-in. */
export type SystemRole = RoleWith<'claim', string> | 'outsider'

const roleEntries = Object.entries(roles) as [Role, RoleFacts][]
const filterRoles = <R extends Role>(matchesFacts: (facts: RoleFacts) => boolean): R[] =>
  roleEntries.filter(([, facts]) => matchesFacts(facts)).map(([roleName]) => roleName as R)

export const scanRoles = filterRoles<ScanRole>(({ scans }) => scans === 'granted')
export const subjectRoles = filterRoles<SubjectRole>(({ scans }) => scans !== 'none')
export const systemRoles: readonly SystemRole[] = [...filterRoles<SystemRole>(({ claim }) => claim !== undefined), 'outsider']

export const getSystemRole = (claims: readonly string[]): SystemRole =>
  systemRoles.find((role) => {
    const { claim }: RoleFacts = roles[role]
    return claim !== undefined && claims.includes(claim)
  }) ?? 'outsider'

/** Returns the claims of a role: its own claim, after the one for access to the product. */
export function getRoleClaims(role: SystemRole): string[] {
  const { claim }: RoleFacts = roles[role]
  return claim === undefined ? [] : [...new Set([roles.user.claim, claim])]
}

type PermissionFacts = {
  /** Subject of the call, whose role decides. */
  about: 'scan' | 'group' | 'nothing'
  roles: readonly Role[]
  /** For the documentation: the allowed action and further conditions. */
  meaning: string
}

const createScanPermission = (meaning: string, ...allowedRoles: SubjectRole[]) =>
  ({ about: 'scan', roles: allowedRoles, meaning }) as const
const createGeneralPermission = (meaning: string, ...allowedRoles: Role[]) =>
  ({ about: 'nothing', roles: allowedRoles, meaning }) as const

export const permissions = {
  'scan.see': createScanPermission(
    'see the scan, its runs, pages and issues',
    ...(['admin', 'scanAdmin', 'scanMember', 'scanViewer', 'auditor', 'guest'] as const),
  ),
  'scan.favorite': createScanPermission('mark as a favorite', 'admin', 'scanAdmin', 'scanMember', 'scanViewer', 'auditor'),
  'scan.export': createScanPermission(
    'export; see results of gates on branches',
    'admin',
    'scanAdmin',
    'scanMember',
    'scanViewer',
    'auditor',
  ),
  'scan.discuss': createScanPermission('comment, label, assign, set a status', 'admin', 'scanAdmin', 'scanMember', 'scanViewer'),
  'scan.curate': createScanPermission(
    'mark as issue or not, delete issues and pages, upload results',
    'admin',
    'scanAdmin',
    'scanMember',
  ),
  'scan.run': createScanPermission(
    'start and cancel runs, update reports, store results of gates on branches',
    'admin',
    'scanAdmin',
    'scanMember',
  ),
  'scan.manage': createScanPermission('edit, delete, schedule, share, preset, scripts', 'admin', 'scanAdmin'),
  'scan.unlock': createScanPermission('remove or replace a preset that locks settings of the scan', 'admin'),
  'scan.access': createScanPermission('manage team access of the scan', 'admin', 'scanAdmin'),
  open: createGeneralPermission('anybody, without signing in', ...(Object.keys(roles) as Role[])),
  'signed-in': createGeneralPermission('anybody who has signed in', 'admin', 'auditor', 'user', 'outsider'),
  list: createGeneralPermission('a list; callers get the part that they may see', 'admin', 'auditor', 'user', 'guest'),
  user: createGeneralPermission('anybody with access', 'admin', 'auditor', 'user'),
  'scan.create': createGeneralPermission('anybody with access, if the permission settings allow it', 'admin', 'user'),
  'view.save': createGeneralPermission('save views; change and delete your own', 'admin', 'user'),
  'group.see': {
    about: 'group',
    roles: ['admin', 'auditor', 'groupAdmin'],
    meaning: 'read one scan group; to others it looks like one that does not exist',
  },
  'group.manage': {
    about: 'group',
    roles: ['admin', 'groupAdmin'],
    meaning: 'manage one scan group; to others it looks like one that does not exist',
  },
  'admin.see': createGeneralPermission('read the administration', 'admin', 'auditor'),
  admin: createGeneralPermission('administration', 'admin'),
} as const satisfies Record<string, PermissionFacts>
export type Permission = keyof typeof permissions
export type ScanPermission = {
  [CurrentPermission in Permission]: (typeof permissions)[CurrentPermission]['about'] extends 'scan' ? CurrentPermission : never
}[Permission]

export const isScanPermission = (permission: Permission): permission is ScanPermission => permissions[permission].about === 'scan'

export const hasPermission = (role: Role, permission: Permission): boolean =>
  (permissions[permission].roles as readonly Role[]).includes(role)

export const allScanRoles = filterRoles<SubjectRole>(({ scans }) => scans === 'all')
