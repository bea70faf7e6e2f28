import { accountApi } from '@clearway/contract/account/api.ts'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import {
  generalPermissions,
  type Permission,
  roles,
  scanPermissions,
} from '@clearway/contract/kit/permission.ts'
import { configApi, monitorApi, publicApi } from '@clearway/contract/monitor/api.ts'

const columns = {
  admin: 'Admin',
  scanAdmin: 'Scan Admin',
  scanMember: 'Scan Member',
  scanViewer: 'Scan Viewer',
  guest: 'Guest',
}

const cells = (permission: Permission): string =>
  permission in scanPermissions
    ? roles
        .map((role) =>
          (scanPermissions[permission as keyof typeof scanPermissions] as readonly string[]).includes(role)
            ? 'yes'
            : '–',
        )
        .join(' | ')
    : `${generalPermissions[permission as keyof typeof generalPermissions]} | | | | `

const rows = (base: string, table: Record<string, Endpoint>) =>
  Object.values(table).map(
    (e) => `| ${e.method} | \`${base}${e.path}\` | ${e.permission} | ${cells(e.permission)} |`,
  )

/** Which role may call what: the table that the server enforces, as Markdown. */
export function permissionMatrix(): string {
  return [
    '# Permissions',
    '',
    'Roles of a scan are given by teams. Whoever has no role on a scan gets the same answer as for one that does not exist.',
    '',
    `| Method | Path | Permission | ${roles.map((r) => columns[r]).join(' | ')} |`,
    `| --- | --- | --- | ${roles.map(() => '---').join(' | ')} |`,
    ...rows('', configApi),
    ...rows('', accountApi),
    ...rows('/monitor-api', monitorApi),
    ...rows('/monitor-public-api/v1', publicApi),
    '',
  ].join('\n')
}
