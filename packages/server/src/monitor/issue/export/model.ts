import { xmlText } from '@clearway/contract/kit/xml.ts'
import { sarifLevels } from '@clearway/contract/monitor/issue/model.ts'
import type { Fix, IssueChange, IssueStatus, Target } from '@clearway/contract/monitor/issue/schema.ts'
import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type * as z from 'zod/mini'
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
const severityOf = (row: ExportRow): Severity => severities[row.severity]!
const statusOf = (row: ExportRow): IssueStatus => issueStatuses[row.status]!
const changeOf = (row: ExportRow) => changes[row.change]!
const needsReview = (row: ExportRow): boolean => severityOf(row) === 'needs review'

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
  ['Severity', severityOf],
  ['Status', statusOf],
  ['Change', changeOf],
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
  severity: severityOf(row),
  status: statusOf(row),
  change: changeOf(row),
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

const baselines: Readonly<Record<z.output<typeof IssueChange>, string>> = {
  new: 'new',
  still: 'unchanged',
  back: 'new',
  fixed: 'absent',
  'not-rechecked': 'unchanged',
  'page-gone': 'absent',
}

/** @source SARIF 2.1.0, 3.27: one result */
export const sarifResult = (row: ExportRow) => ({
  ruleId: row.rule,
  kind: needsReview(row) ? 'review' : statusOf(row) === 'fixed' ? 'pass' : 'fail',
  // What is not a failure has no level.
  level: statusOf(row) === 'fixed' ? 'none' : sarifLevels[severityOf(row)],
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
  baselineState: baselines[changeOf(row)],
  ...(row.ticketUrl !== null && { workItemUris: [row.ticketUrl] }),
  ...(statusOf(row) === 'ignored' || statusOf(row) === 'none'
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
    outcome: needsReview(row) ? 'earl:cantTell' : statusOf(row) === 'fixed' ? 'earl:passed' : 'earl:failed',
    description: row.help,
    pointer: { '@type': 'CSSSelectorPointer', expression: row.selector },
    date: row.lastSeenAt,
    ...(row.carriedFrom === null ? {} : { info: `Carried over from run ${row.carriedFrom}` }),
  },
  ...(row.ticketUrl !== null && { relation: row.ticketUrl }),
})

/** One test case of JUnit: failed when the issue counts, skipped when it is to be reviewed or ignored, else passed. */
export function junitCase(row: ExportRow): string {
  const outcome =
    statusOf(row) === 'fixed'
      ? ''
      : statusOf(row) !== 'open' || needsReview(row)
        ? `<skipped message="${xmlText(needsReview(row) ? 'needs review' : 'ignored')}"/>`
        : `<failure type="${severityOf(row)}" message="${xmlText(row.help)}">${xmlText(`${row.selector}\n${row.html}\n${row.helpUrl}`)}</failure>`
  const ticket =
    row.ticketUrl === null
      ? ''
      : `<properties><property name="ticket" value="${xmlText(row.ticketUrl)}"/></properties>`
  return `<testcase classname="${xmlText(row.pageUrl)}" name="${xmlText(`${row.rule}: ${row.selector}`)}">${ticket}${outcome}</testcase>`
}
