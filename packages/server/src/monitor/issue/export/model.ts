import type { Fix, Target } from '@clearway/contract/monitor/issue/schema.ts'
import { changes, impacts, issueStatuses, severities } from '../model.ts'

/** How much is asked of each row: what the brief table has, what all but one of the other formats have, or all. */
export type ExportDetail = 'brief' | 'detailed' | 'whole'

/** A row as the export's statement has it; the second half only when it is more than brief. */
export type ExportRow = {
  id: string
  scanId: string
  scanName: string
  runNumber: number
  pageId: string
  pageUrl: string
  pageTitle: string | null
  rule: string
  help: string
  helpUrl: string
  tags: string[]
  /** Of WCAG, by their numbers. */
  criteria: string[]
  impact: number | null
  severity: number
  status: number
  change: number
  selector: string
  /** Of a whole row only. */
  target?: Target
  html: string
  fix: Fix
  labels: string[]
  remediation: string | null
  component: string | null
  ticketUrl: string | null
  assignedId: string | null
  assignedTo: string | null
  firstSeenAt: string
  lastSeenAt: string
  carriedFrom: number | null
}
type Column = readonly [name: string, cell: (row: ExportRow) => string | number | null]

const impactOf = (row: ExportRow) => (row.impact === null ? null : impacts[row.impact]!)

/** Writes each object once: rows share theirs with many others. */
function writtenOnce<T extends object>(write: (value: T) => string): (value: T) => string {
  const written = new WeakMap<T, string>()
  return (value) => {
    const before = written.get(value)
    if (before !== undefined) return before
    const text = write(value)
    written.set(value, text)
    return text
  }
}
const fixText = writtenOnce((fix: Fix) =>
  [
    ...(fix.any.length > 0 ? [`One of: ${fix.any.join('; ')}`] : []),
    ...[...fix.all, ...fix.none].map((text) => `Also: ${text}`),
  ].join('\n'),
)
const tagsText = writtenOnce((tags: string[]) => tags.join(' '))
// Bare numbers like 1.4.3 are dates to spreadsheets in half of Europe.
const criteriaText = writtenOnce((criteria: string[]) => criteria.map((number) => `SC ${number}`).join(', '))

/** Columns of the brief CSV, in this order; documented in docs/EXPORTS.md. */
export const briefColumns: readonly Column[] = [
  ['Scan', (row) => row.scanName],
  ['Run', (row) => row.runNumber],
  ['Page', (row) => row.pageUrl],
  ['Rule', (row) => row.rule],
  ['Problem', (row) => row.help],
  ['Severity', (row) => severities[row.severity]!],
  ['Status', (row) => issueStatuses[row.status]!],
  ['Change', (row) => changes[row.change]!],
  ['Selector', (row) => row.selector],
  ['Issue', (row) => row.id],
]

/** What the detailed CSV and the workbook have behind these. */
export const detailedColumns: readonly Column[] = [
  ...briefColumns,
  ['Page title', (row) => row.pageTitle],
  ['Impact', impactOf],
  ['Tags', (row) => tagsText(row.tags)],
  ['Element', (row) => row.html],
  ['How to fix', (row) => fixText(row.fix)],
  ['Help', (row) => row.helpUrl],
  ['Assigned to', (row) => row.assignedTo ?? row.assignedId],
  ['Labels', (row) => row.labels.join(', ')],
  ['Remediation comment', (row) => row.remediation],
  ['Component', (row) => row.component],
  ['Ticket', (row) => row.ticketUrl],
  ['First seen', (row) => row.firstSeenAt],
  ['Last seen', (row) => row.lastSeenAt],
  ['Page id', (row) => row.pageId],
  ['Scan id', (row) => row.scanId],
  ['Carried over from run', (row) => row.carriedFrom],
  ['WCAG', (row) => criteriaText(row.criteria)],
]

export const cellsOf =
  (columns: readonly Column[]) =>
  (row: ExportRow): (string | number | null)[] =>
    columns.map(([, cell]) => cell(row))
export const namesOf = (columns: readonly Column[]): string[] => columns.map(([name]) => name)

/** `ExportedIssue` of the contract. */
export const exportedIssue = (row: ExportRow) => ({
  id: row.id,
  scanId: row.scanId,
  scanName: row.scanName,
  runNumber: row.runNumber,
  pageId: row.pageId,
  pageUrl: row.pageUrl,
  pageTitle: row.pageTitle,
  rule: row.rule,
  help: row.help,
  helpUrl: row.helpUrl,
  tags: row.tags,
  impact: impactOf(row),
  severity: severities[row.severity]!,
  status: issueStatuses[row.status]!,
  change: changes[row.change]!,
  selector: row.selector,
  target: row.target,
  html: row.html,
  fix: row.fix,
  labels: row.labels,
  assignedTo: row.assignedTo ?? row.assignedId,
  remediationComment: row.remediation,
  component: row.component,
  ticketUrl: row.ticketUrl,
  firstSeenAt: row.firstSeenAt,
  lastSeenAt: row.lastSeenAt,
  carriedFrom: row.carriedFrom,
})

const sarifLevel = (row: ExportRow) =>
  row.severity === 4 ? 'none' : row.severity <= 1 ? 'error' : row.severity === 2 ? 'warning' : 'note'
const baseline = ['new', 'unchanged', 'new', 'absent', 'unchanged', 'absent'] as const

/** @source SARIF 2.1.0, 3.27: one result */
export const sarifResult = (row: ExportRow) => ({
  ruleId: row.rule,
  kind: row.severity === 4 ? 'review' : row.status === 2 ? 'pass' : 'fail',
  // What is not a failure has no level.
  level: row.status === 2 ? 'none' : sarifLevel(row),
  message: { text: `${row.help} (${row.selector})` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: row.pageUrl },
        region: { startLine: 1, snippet: { text: row.html } },
      },
      logicalLocations: [{ fullyQualifiedName: row.selector, kind: 'element' }],
    },
  ],
  partialFingerprints: { 'clearwayIssue/v1': row.id },
  baselineState: baseline[row.change],
  ...(row.ticketUrl !== null && { workItemUris: [row.ticketUrl] }),
  ...(row.status === 3 || row.status === 0
    ? { suppressions: [{ kind: 'external', status: 'accepted' }] }
    : {}),
  properties: {
    impact: impactOf(row),
    scan: row.scanName,
    run: row.runNumber,
    carriedFrom: row.carriedFrom,
    tags: row.tags,
  },
})

export const sarifRule = (rule: {
  rule: string
  help: string
  description: string
  helpUrl: string
  tags: string[]
}) => ({
  id: rule.rule,
  shortDescription: { text: rule.help },
  fullDescription: { text: rule.description },
  helpUri: rule.helpUrl,
  properties: { tags: rule.tags },
})

/** @source EARL 1.0 Schema: one assertion */
export const earlAssertion = (row: ExportRow) => ({
  '@type': 'Assertion',
  '@id': `urn:uuid:${row.id}`,
  assertedBy: { '@id': '#clearway' },
  mode: 'earl:automatic',
  subject: { '@type': ['WebPage', 'TestSubject'], '@id': row.pageUrl, source: row.pageUrl },
  test: { '@type': 'TestCriterion', '@id': row.helpUrl, title: row.rule },
  result: {
    '@type': 'TestResult',
    outcome: row.severity === 4 ? 'earl:cantTell' : row.status === 2 ? 'earl:passed' : 'earl:failed',
    description: row.help,
    pointer: { '@type': 'CSSSelectorPointer', expression: row.selector },
    date: row.lastSeenAt,
    ...(row.carriedFrom === null ? {} : { info: `Carried over from run ${row.carriedFrom}` }),
  },
  ...(row.ticketUrl !== null && { relation: row.ticketUrl }),
})

// oxlint-disable-next-line no-control-regex -- these are the ones that XML forbids
const forbiddenInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** Text inside XML, in content and attributes alike. */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(forbiddenInXml, '\uFFFD')
    .replaceAll(/[<>&"'\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** One test case of JUnit: failed when the issue counts, skipped when it is to be reviewed or ignored, else passed. */
export function junitCase(row: ExportRow): string {
  const outcome =
    row.status === 2
      ? ''
      : row.status !== 1 || row.severity === 4
        ? `<skipped message="${xmlText(row.severity === 4 ? 'needs review' : 'ignored')}"/>`
        : `<failure type="${severities[row.severity]}" message="${xmlText(row.help)}">${xmlText(`${row.selector}\n${row.html}\n${row.helpUrl}`)}</failure>`
  const ticket =
    row.ticketUrl === null
      ? ''
      : `<properties><property name="ticket" value="${xmlText(row.ticketUrl)}"/></properties>`
  return `<testcase classname="${xmlText(row.pageUrl)}" name="${xmlText(`${row.rule}: ${row.selector}`)}">${ticket}${outcome}</testcase>`
}
