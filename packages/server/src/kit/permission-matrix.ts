import { type Permission, permissions, type Role, hasPermission, roles } from '@clearway/contract/kit/permission.ts'
import type { ApiService } from './openapi.ts'

const roleEntries = Object.entries(roles) as [Role, (typeof roles)[Role]][]
const renderCells = (permission: Permission): string =>
  roleEntries.map(([role]) => (hasPermission(role, permission) ? 'yes' : '–')).join(' | ')

const renderRows = ({ base, table }: ApiService) =>
  Object.values(table).map(
    (endpoint) =>
      `| ${endpoint.method} | \`${base}${endpoint.path}\` | ${endpoint.permission} | ${renderCells(endpoint.permission)} |`,
  )

/** The permissions of each role as a Markdown table, as the server enforces them. */
export function renderPermissionMatrix(services: readonly ApiService[]): string {
  return [
    '# Permissions',
    '',
    'Teams give roles on scans. A person without a role on a scan gets the same response as for a scan that does not exist.',
    '',
    'A person with several roles has the permissions of all of them.',
    '',
    `| Permission | What it allows | ${roleEntries.map(([, { name }]) => name).join(' | ')} |`,
    `| --- | --- | ${roleEntries.map(() => '---').join(' | ')} |`,
    ...Object.entries(permissions).map(
      ([permissionName, { meaning }]) => `| ${permissionName} | ${meaning} | ${renderCells(permissionName as Permission)} |`,
    ),
    '',
    '## Every call',
    '',
    `| Method | Path | Permission | ${roleEntries.map(([, { name }]) => name).join(' | ')} |`,
    `| --- | --- | --- | ${roleEntries.map(() => '---').join(' | ')} |`,
    ...services.flatMap(renderRows),
    '',
  ].join('\n')
}
