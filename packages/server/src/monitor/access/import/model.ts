import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import { readCsv } from '../../../kit/csv/read.ts'
import { roleCalled } from '../model.ts'

export type ImportError = Extract<ImportReply, { success: false }>['errors'][number]
export type ImportRow = { line: number; team: string; scan: string; group: string; role: string }

const columns = ['team', 'scan', 'scan group', 'role'] as const
type Column = (typeof columns)[number]

const messages: { readonly [K in ImportError['code']]: (value: string) => string } = {
  unreadable: () => 'The file cannot be read as CSV.',
  'missing-column': (value) => `The column "${value}" is missing in the head of the file.`,
  'too-many-rows': (value) => `The file has more than ${value} rows.`,
  empty: () => 'The file is empty.',
  'unknown-team': (value) => `There is no team "${value}".`,
  'unknown-scan': (value) => `There is no scan "${value}".`,
  'unknown-group': (value) => `There is no scan group "${value}".`,
  ambiguous: (value) => `Several have the name "${value}". Write the id.`,
  'no-target': () => 'Scan or Scan Group must not be empty.',
  'two-targets': () => 'Name a scan or a scan group, not both.',
  'bad-role': (value) => `"${value}" is not a role. There are Scan Viewer, Scan Member and Scan Admin.`,
  duplicate: () => 'An earlier row has the same team and target.',
}

/** A fault of one line. */
const fault = (line: number, column: Column | null, code: ImportError['code'], value = ''): ImportError => ({
  line,
  column,
  code,
  value: value.slice(0, 300),
  message: messages[code](value.slice(0, 300)),
})

/** The rows of a CSV file, or what is wrong with it. */
export function readRows(
  content: string,
  maxRows: number,
): { rows: ImportRow[] } | { errors: ImportError[] } {
  const read = readCsv(content, { required: columns, maxRows })
  if ('faults' in read)
    return {
      errors: read.faults.map(({ line, code, value }) =>
        fault(line, columns.find((column) => column === value) ?? null, code, value),
      ),
    }
  return {
    rows: read.rows.map(({ line, cell }) => ({
      line,
      team: cell('team'),
      scan: cell('scan'),
      group: cell('scan group'),
      role: cell('role'),
    })),
  }
}

type Named = { id: string; name: string }
export type Known = { teams: readonly Named[]; scans: readonly Named[]; groups: readonly Named[] }
export type ImportGrant = {
  line: number
  teamId: string
  scanId: string | null
  groupId: string | null
  role: ScanRole
}

/** Finds what a cell names, by id or name. */
function finder(list: readonly Named[]) {
  const byId = new Map(list.map((item) => [item.id.toLowerCase(), item]))
  const byName = Map.groupBy(list, (item) => item.name.toLowerCase())
  return (word: string): Named | 'none' | 'several' => {
    const key = word.toLowerCase()
    const named = byName.get(key) ?? []
    return byId.get(key) ?? (named.length > 1 ? 'several' : (named[0] ?? 'none'))
  }
}

/** What the rows give to whom, or every fault in them. */
export function grantsOf(
  rows: readonly ImportRow[],
  known: Known,
): { grants: ImportGrant[]; errors: ImportError[] } {
  const find = { team: finder(known.teams), scan: finder(known.scans), 'scan group': finder(known.groups) }
  const absent = { team: 'unknown-team', scan: 'unknown-scan', 'scan group': 'unknown-group' } as const
  const errors: ImportError[] = []
  const grants: ImportGrant[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const before = errors.length
    const idOf = (column: 'team' | 'scan' | 'scan group', word: string): string => {
      const found = find[column](word)
      if (typeof found !== 'string') return found.id
      errors.push(fault(row.line, column, found === 'several' ? 'ambiguous' : absent[column], word))
      return ''
    }
    const teamId = idOf('team', row.team)
    const scanId = row.scan ? idOf('scan', row.scan) : null
    const groupId = row.group ? idOf('scan group', row.group) : null
    if (!row.scan && !row.group) errors.push(fault(row.line, 'scan', 'no-target'))
    if (row.scan && row.group) errors.push(fault(row.line, 'scan group', 'two-targets', row.group))
    const role = roleCalled(row.role)
    if (!role) errors.push(fault(row.line, 'role', 'bad-role', row.role))
    const pair = `${teamId} ${scanId ?? groupId}`
    if (errors.length > before || !role) continue
    if (seen.has(pair)) errors.push(fault(row.line, 'team', 'duplicate', row.team))
    seen.add(pair)
    grants.push({ line: row.line, teamId, scanId, groupId, role })
  }
  return { grants, errors }
}
