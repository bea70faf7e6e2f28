import type { IssueChange, IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import type { Impact, Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type * as z from 'zod/mini'

/** Words of the contract as they are stored: by their index here. Never reorder. */
export const severities: readonly Severity[] = ['critical', 'serious', 'moderate', 'minor', 'needs review']
export const impacts: readonly Impact[] = ['critical', 'serious', 'moderate', 'minor']
export const issueStatuses: readonly IssueStatus[] = ['none', 'open', 'fixed', 'ignored']
export const changes: readonly z.output<typeof IssueChange>[] = [
  'new',
  'still',
  'back',
  'fixed',
  'not-rechecked',
  'page-gone',
]
/** Up to here the element was there in that run. */
export const lastPresentChange = changes.indexOf('back')
/** What the newest run of a scan that looked says of an issue, by index like the words above. */
export const presences = ['there', 'fixed', 'gone', 'unchecked'] as const

export const statusNumber = (status: IssueStatus): number => issueStatuses.indexOf(status)
export const severityNumber = (severity: Severity): number => severities.indexOf(severity)

/** The page of a run whose findings are stored. */
export type StoredPage = { id: string; runId: string; scanId: string; runNumber: number; keyHash: Buffer }

const tagKinds: readonly [RegExp, 'category' | 'conformance' | 'wcag' | 'axe-version'][] = [
  [/^cat\./, 'category'],
  [/^(wcag2\w*a{1,3}|section508|EN-301-549|TTv5|ACT|RGAA.*|best-practice|experimental)$/i, 'conformance'],
  [/^wcag\d{3,4}$/, 'wcag'],
  [/^axe-?\d/, 'axe-version'],
]
/** What a tag of axe-core is about. */
export const tagKind = (tag: string) =>
  tagKinds.find(([pattern]) => pattern.test(tag))?.[1] ?? ('other' as const)
