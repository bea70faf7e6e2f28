import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import { readCsv } from '../../../kit/csv/read.ts'
import { parseRoleName } from '../model.ts'

export type ImportError = Extract<ImportReply, { success: false }>['errors'][number]
export type ImportRow = { line: number; team: string; scan: string; group: string; role: string }

const columnNames = ['team', 'scan', 'scan group', 'role'] as const
type ColumnName = (typeof columnNames)[number]

const errorMessages: { readonly [K in ImportError['code']]: (value: string) => string } = {
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

const createImportError = (line: number, column: ColumnName | null, code: ImportError['code'], value = ''): ImportError => ({
  line,
  column,
  code,
  value: value.slice(0, 300),
  message: errorMessages[code](value.slice(0, 300)),
})

export function parseImportRows(content: string, maxRows: number): { rows: ImportRow[] } | { errors: ImportError[] } {
  const parsedCsv = readCsv(content, { required: columnNames, maxRows })
  if ('faults' in parsedCsv)
    return {
      errors: parsedCsv.faults.map(({ line, code, value }) =>
        createImportError(line, columnNames.find((column) => column === value) ?? null, code, value),
      ),
    }
  return {
    rows: parsedCsv.rows.map(({ line, cell }) => ({
      line,
      team: cell('team'),
      scan: cell('scan'),
      group: cell('scan group'),
      role: cell('role'),
    })),
  }
}

type NamedItem = { id: string; name: string }
export type KnownTargets = { teams: readonly NamedItem[]; scans: readonly NamedItem[]; groups: readonly NamedItem[] }
export type ImportGrant = { line: number; teamId: string; scanId: string | null; groupId: string | null; role: ScanRole }

function createLookup(namedItems: readonly NamedItem[]) {
  const itemsById = new Map(namedItems.map((item) => [item.id.toLowerCase(), item]))
  const itemsByName = Map.groupBy(namedItems, (item) => item.name.toLowerCase())
  return (word: string): NamedItem | 'none' | 'several' => {
    const lookupKey = word.toLowerCase()
    const matchingItems = itemsByName.get(lookupKey) ?? []
    return itemsById.get(lookupKey) ?? (matchingItems.length > 1 ? 'several' : (matchingItems[0] ?? 'none'))
  }
}

export function resolveGrants(
  rows: readonly ImportRow[],
  knownTargets: KnownTargets,
): { grants: ImportGrant[]; errors: ImportError[] } {
  const lookupByColumn = {
    team: createLookup(knownTargets.teams),
    scan: createLookup(knownTargets.scans),
    'scan group': createLookup(knownTargets.groups),
  }
  const absentErrorCodes = { team: 'unknown-team', scan: 'unknown-scan', 'scan group': 'unknown-group' } as const
  const importErrors: ImportError[] = []
  const resolvedGrants: ImportGrant[] = []
  const seenAssignments = new Set<string>()
  for (const importRow of rows) {
    const previousErrorCount = importErrors.length
    const resolveId = (column: 'team' | 'scan' | 'scan group', word: string): string => {
      const matchedItem = lookupByColumn[column](word)
      if (typeof matchedItem !== 'string') return matchedItem.id
      importErrors.push(
        createImportError(importRow.line, column, matchedItem === 'several' ? 'ambiguous' : absentErrorCodes[column], word),
      )
      return ''
    }
    const teamId = resolveId('team', importRow.team)
    const scanId = importRow.scan ? resolveId('scan', importRow.scan) : null
    const groupId = importRow.group ? resolveId('scan group', importRow.group) : null
    if (!importRow.scan && !importRow.group) importErrors.push(createImportError(importRow.line, 'scan', 'no-target'))
    if (importRow.scan && importRow.group)
      importErrors.push(createImportError(importRow.line, 'scan group', 'two-targets', importRow.group))
    const scanRole = parseRoleName(importRow.role)
    if (!scanRole) importErrors.push(createImportError(importRow.line, 'role', 'bad-role', importRow.role))
    const assignmentKey = `${teamId} ${scanId ?? groupId}`
    if (importErrors.length > previousErrorCount || !scanRole) continue
    if (seenAssignments.has(assignmentKey))
      importErrors.push(createImportError(importRow.line, 'team', 'duplicate', importRow.team))
    seenAssignments.add(assignmentKey)
    resolvedGrants.push({ line: importRow.line, teamId, scanId, groupId, role: scanRole })
  }
  return { grants: resolvedGrants, errors: importErrors }
}
