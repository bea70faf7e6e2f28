import type { FindingEngine } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { IssueChange, IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import type { Impact, Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type * as z from 'zod/mini'
import { defineStoredWords } from '../../kit/stored-word.ts'

/** Words of the contract, stored as their index here. Never reorder. */
export const severities = defineStoredWords<Severity>()(['critical', 'serious', 'moderate', 'minor', 'needs review'])
/** Columns of runs and pages with the number of open issues of each severity, in that order. */
export const severityColumns = ['critical', 'serious', 'moderate', 'minor', 'needs_review'] as const
export const impacts = defineStoredWords<Impact>()(['critical', 'serious', 'moderate', 'minor'])
export const issueStatuses = defineStoredWords<IssueStatus>()(['none', 'open', 'fixed', 'ignored'])
export const changes = defineStoredWords<z.output<typeof IssueChange>>()([
  'new',
  'still',
  'back',
  'fixed',
  'not-rechecked',
  'page-gone',
])
/** Changes up to this index mean that the element was present in that run. */
export const lastPresentChange = changes.indexOf('back')
/** State of an issue in the newest run that tested it, stored by index like the words above. */
export const presences = ['there', 'fixed', 'gone', 'unchecked'] as const

export const getStatusNumber = (status: IssueStatus): number => issueStatuses.indexOf(status)
export const getSeverityNumber = (severity: Severity): number => severities.indexOf(severity)

/** Counts stored findings: the open ones by severity, and all. */
export const countOpen = (findings: readonly { severity: number; status: number }[]): { open: number[]; total: number } => ({
  open: severities.map(
    (_name, index) => findings.filter(({ severity, status }) => severity === index && status === getStatusNumber('open')).length,
  ),
  total: findings.length,
})

export type StoredPage = { id: string; runId: string; scanId: string; runNumber: number; keyHash: Buffer }

const tagKinds: readonly [RegExp, 'category' | 'conformance' | 'wcag' | 'axe-version'][] = [
  [/^cat\./, 'category'],
  [/^(wcag2\w*a{1,3}|section508|EN-301-549|TTv5|ACT|RGAA.*|best-practice|experimental)$/i, 'conformance'],
  [/^wcag\d{3,4}$/, 'wcag'],
  [/^axe-?\d/, 'axe-version'],
]
export const getTagKind = (tag: string) => tagKinds.find(([pattern]) => pattern.test(tag))?.[1] ?? ('other' as const)

export const pdfRulePrefix = 'pdf-'
export function getEngine(driveLevel: number | null, rule: string): FindingEngine {
  if (driveLevel !== null) return 'driven'
  return rule.startsWith(pdfRulePrefix) ? 'pdf' : 'axe'
}
