import { escapeXml } from '@clearway/contract/kit/xml.ts'
import { sarifLevels } from '@clearway/contract/monitor/issue/model.ts'
import type { Fix, IssueChange, IssueStatus, Target } from '@clearway/contract/monitor/issue/schema.ts'
import type { FindingEngine } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type * as z from 'zod/mini'
import { changes, impacts, issueStatuses, severities } from '../model.ts'

/** Columns of a row: those of the brief table, those of most other formats, or all. */
export type ExportDetail = 'brief' | 'detailed' | 'whole'

/** A row of the export's query; the fields after `selector` are set only above the brief detail. */
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
  /** WCAG criteria by number. */
  criteria: string[]
  impact: number | null
  severity: number
  status: number
  change: number
  selector: string
  engine: FindingEngine
  /** States of the page in which it was seen; empty for the page as it arrived. */
  states: string[]
  /** This and the key only at the detail `whole`. */
  target?: Target
  elementKey?: string
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
type ExportColumn = readonly [name: string, cell: (row: ExportRow) => string | number | null]

const getImpact = (row: ExportRow) => (row.impact === null ? null : impacts[row.impact]!)
const getSeverity = (row: ExportRow): Severity => severities[row.severity]!
const getStatus = (row: ExportRow): IssueStatus => issueStatuses[row.status]!
const getChange = (row: ExportRow) => changes[row.change]!
/** Neither found nor fixed: its page is gone, or was not seen. */
const isAbsent = (row: ExportRow): boolean => getChange(row) === 'not-rechecked' || getChange(row) === 'page-gone'
const needsReview = (row: ExportRow): boolean => getSeverity(row) === 'needs review'

/** Serializes each object once; many rows share the same objects. */
function memoizeByObject<T extends object>(serialize: (value: T) => string): (value: T) => string {
  const textsByObject = new WeakMap<T, string>()
  return (value) => {
    const cachedText = textsByObject.get(value)
    if (cachedText !== undefined) return cachedText
    const serializedText = serialize(value)
    textsByObject.set(value, serializedText)
    return serializedText
  }
}
const getFixText = memoizeByObject((fix: Fix) =>
  [
    ...(fix.any.length > 0 ? [`One of: ${fix.any.join('; ')}`] : []),
    ...[...fix.all, ...fix.none].map((text) => `Also: ${text}`),
  ].join('\n'),
)
const getTagsText = memoizeByObject((tags: string[]) => tags.join(' '))
// Spreadsheets parse bare numbers like 1.4.3 as dates in many European locales.
const getCriteriaText = memoizeByObject((criteria: string[]) => criteria.map((number) => `SC ${number}`).join(', '))

/** Columns of the brief CSV in order; documented in docs/EXPORTS.md. */
export const briefColumns: readonly ExportColumn[] = [
  ['Scan', (row) => row.scanName],
  ['Run', (row) => row.runNumber],
  ['Page', (row) => row.pageUrl],
  ['Rule', (row) => row.rule],
  ['Problem', (row) => row.help],
  ['Severity', getSeverity],
  ['Status', getStatus],
  ['Change', getChange],
  ['Selector', (row) => row.selector],
  ['Issue', (row) => row.id],
]

/** Columns of the detailed CSV and the workbook. */
export const detailedColumns: readonly ExportColumn[] = [
  ...briefColumns,
  ['Page title', (row) => row.pageTitle],
  ['Impact', getImpact],
  ['Tags', (row) => getTagsText(row.tags)],
  ['Element', (row) => row.html],
  ['How to fix', (row) => getFixText(row.fix)],
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
  ['WCAG', (row) => getCriteriaText(row.criteria)],
  ['Engine', (row) => row.engine],
  ['Seen in', (row) => row.states.join(', ')],
]

export const createRowMapper =
  (columns: readonly ExportColumn[]) =>
  (row: ExportRow): (string | number | null)[] =>
    columns.map(([, cell]) => cell(row))
export const getColumnNames = (columns: readonly ExportColumn[]): string[] => columns.map(([name]) => name)

/** `ExportedIssue` of the contract. */
export const toExportedIssue = (row: ExportRow) => ({
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
  impact: getImpact(row),
  severity: getSeverity(row),
  status: getStatus(row),
  change: getChange(row),
  engine: row.engine,
  states: row.states,
  selector: row.selector,
  target: row.target,
  html: row.html,
  elementKey: row.elementKey,
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

const baselineStates: Readonly<Record<z.output<typeof IssueChange>, string>> = {
  new: 'new',
  still: 'unchanged',
  back: 'new',
  fixed: 'absent',
  'not-rechecked': 'unchanged',
  'page-gone': 'absent',
}

/** @source SARIF 2.1.0, 3.27: one result */
export const toSarifResult = (row: ExportRow) => ({
  ruleId: row.rule,
  kind: needsReview(row) ? 'review' : getStatus(row) === 'fixed' ? 'pass' : 'fail',
  // SARIF allows a level only for failures.
  level: getStatus(row) === 'fixed' ? 'none' : sarifLevels[getSeverity(row)],
  message: { text: `${row.help} (${row.selector})` },
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: row.pageUrl }, region: { startLine: 1, snippet: { text: row.html } } },
      logicalLocations: [{ fullyQualifiedName: row.selector, kind: 'element' }],
    },
  ],
  partialFingerprints: { 'clearwayIssue/v1': row.id },
  baselineState: baselineStates[getChange(row)],
  ...(row.ticketUrl !== null && { workItemUris: [row.ticketUrl] }),
  ...(getStatus(row) === 'ignored' || getStatus(row) === 'none'
    ? { suppressions: [{ kind: 'external', status: 'accepted' }] }
    : {}),
  properties: {
    change: getChange(row),
    impact: getImpact(row),
    scan: row.scanName,
    run: row.runNumber,
    carriedFrom: row.carriedFrom,
    engine: row.engine,
    states: row.states,
    tags: row.tags,
  },
})

export const toSarifRule = (rule: { rule: string; help: string; description: string; helpUrl: string; tags: string[] }) => ({
  id: rule.rule,
  shortDescription: { text: rule.help },
  fullDescription: { text: rule.description },
  helpUri: rule.helpUrl,
  properties: { tags: rule.tags },
})

/** A run that did not test an element again says nothing about it. */
function getEarlOutcome(row: ExportRow): string {
  if (getStatus(row) === 'fixed') return 'earl:passed'
  if (isAbsent(row)) return 'earl:untested'
  return needsReview(row) ? 'earl:cantTell' : 'earl:failed'
}

function buildEarlInfo({ carriedFrom, states }: ExportRow): { info?: string } {
  const sentences = [
    ...(carriedFrom === null ? [] : [`Carried over from run ${carriedFrom}`]),
    ...(states.length === 0 ? [] : [`Seen in: ${states.join(', ')}`]),
  ]
  return sentences.length === 0 ? {} : { info: sentences.join('. ') }
}

/** @source EARL 1.0 Schema: one assertion */
export const toEarlAssertion = (row: ExportRow) => ({
  '@type': 'Assertion',
  '@id': `urn:uuid:${row.id}`,
  assertedBy: { '@id': '#clearway' },
  mode: 'earl:automatic',
  subject: { '@type': ['WebPage', 'TestSubject'], '@id': row.pageUrl, source: row.pageUrl },
  test: { '@type': 'TestCriterion', '@id': row.helpUrl, title: row.rule },
  result: {
    '@type': 'TestResult',
    outcome: getEarlOutcome(row),
    description: row.help,
    pointer: { '@type': 'CSSSelectorPointer', expression: row.selector },
    date: row.lastSeenAt,
    ...buildEarlInfo(row),
  },
  ...(row.ticketUrl !== null && { relation: row.ticketUrl }),
})

const buildJunitProperty = (name: string, value: string): string => `<property name="${name}" value="${escapeXml(value)}"/>`

/** One JUnit test case: failed for an open issue, even if not tested again; skipped for needs-review or ignored, else passed. */
export function toJunitCase(row: ExportRow): string {
  const outcomeXml =
    getStatus(row) === 'fixed'
      ? ''
      : getStatus(row) !== 'open' || needsReview(row)
        ? `<skipped message="${escapeXml(needsReview(row) ? 'needs review' : 'ignored')}"/>`
        : `<failure type="${getSeverity(row)}" message="${escapeXml(row.help)}">${escapeXml(`${row.selector}\n${row.html}\n${row.helpUrl}`)}</failure>`
  const ticketXml = row.ticketUrl === null ? '' : buildJunitProperty('ticket', row.ticketUrl)
  const statesXml = row.states.map((state) => buildJunitProperty('state', state)).join('')
  const engineXml = buildJunitProperty('engine', row.engine)
  const propertiesXml = `<properties>${buildJunitProperty('change', getChange(row))}${engineXml}${statesXml}${ticketXml}</properties>`
  return `<testcase classname="${escapeXml(row.pageUrl)}" name="${escapeXml(`${row.rule}: ${row.selector}`)}">${propertiesXml}${outcomeXml}</testcase>`
}
