import { type Permission, permissions, type Role, hasPermission, roles } from '@clearway/contract/kit/permission.ts'
import type { Service } from './openapi.ts'

const columns = Object.entries(roles) as [Role, (typeof roles)[Role]][]
const cells = (permission: Permission): string =>
  columns.map(([role]) => (hasPermission(role, permission) ? 'yes' : '–')).join(' | ')

const rows = ({ base, table }: Service) =>
  Object.values(table).map(
    (e) => `| ${e.method} | \`${base}${e.path}\` | ${e.permission} | ${cells(e.permission)} |`,
  )

/** Which role may call what: the table that the server enforces, as Markdown. */
export function permissionMatrix(services: readonly Service[]): string {
  return [
    '# Permissions',
    '',
    'Teams give roles on scans. Somebody without a role on a scan gets the same answer as for a scan that does not exist.',
    '',
    'Somebody with several roles has the permissions of all of them.',
    '',
    `| Permission | What it allows | ${columns.map(([, { name }]) => name).join(' | ')} |`,
    `| --- | --- | ${columns.map(() => '---').join(' | ')} |`,
    ...Object.entries(permissions).map(
      ([name, { meaning }]) => `| ${name} | ${meaning} | ${cells(name as Permission)} |`,
    ),
    '',
    '## Every call',
    '',
    `| Method | Path | Permission | ${columns.map(([, { name }]) => name).join(' | ')} |`,
    `| --- | --- | --- | ${columns.map(() => '---').join(' | ')} |`,
    ...services.flatMap(rows),
    '',
  ].join('\n')
}
