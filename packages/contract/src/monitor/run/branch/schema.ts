import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { pagingQuery, searchTextQuery } from '../../../kit/paging.ts'
import { Instant } from '../../../kit/time.ts'
import { AxeVersion, Impact, Severity } from '../../ruleset/schema.ts'
import { findUrlFault } from '../../scan/model.ts'

/** Maximum lengths of texts, and the maximum number of entries in each list. */
export const branchRunLimits = { branch: 255, commit: 64, link: 2000, url: 5000, text: 2000, rule: 200, entries: 500 } as const

/** `incomplete`: something that was to be tested has no result, and nothing new was found. */
export const BranchResult = z.enum(['passed', 'failed', 'incomplete'])
export type BranchResult = z.output<typeof BranchResult>

const limitedText = (maxLength: number) => z.string().check(z.maxLength(maxLength))
const limitedList = <T extends z.core.SomeType>(entry: T) => z.array(entry).check(z.maxLength(branchRunLimits.entries))
/** Results are shown to everyone who may export the scan. */
const withoutCredentials = z.refine<string>((text) => findUrlFault(text) !== 'url-credentials', {
  error: 'URL without user name and password expected',
})
const pageUrl = limitedText(branchRunLimits.url).check(withoutCredentials)
const webLink = limitedText(branchRunLimits.link).check(
  z.regex(/^https?:\/\/[^\s]+$/i, 'URL with http or https expected'),
  withoutCredentials,
)

export const BranchIssue = z.strictObject({
  url: pageUrl,
  rule: limitedText(branchRunLimits.rule),
  severity: Severity,
  help: limitedText(branchRunLimits.text),
  helpUrl: z.nullable(webLink),
  selector: limitedText(branchRunLimits.text),
  html: limitedText(branchRunLimits.text),
  fix: limitedText(branchRunLimits.text),
})
export type BranchIssue = z.output<typeof BranchIssue>

const BranchRuleCount = z.strictObject({
  page: pageUrl,
  rule: limitedText(branchRunLimits.rule),
  issues: Count,
})

export const BranchTotals = z.strictObject({
  new: Count,
  axeChanged: Count,
  known: Count,
  fixed: Count,
  notChecked: Count,
  pages: Count,
  /** Omitted by the first command lines that uploaded results. */
  otherNew: z.optional(Count),
  unchecked: z.optional(Count),
})

const branchFields = {
  branch: limitedText(branchRunLimits.branch).check(z.trim(), z.minLength(1)),
  commit: z.nullable(limitedText(branchRunLimits.commit)),
  buildUrl: z.nullable(webLink),
  result: BranchResult,
  axeRelease: limitedText(branchRunLimits.commit),
  baselineAxe: AxeVersion,
  failOn: Impact,
  totals: BranchTotals,
}
const detailFields = {
  newIssues: limitedList(BranchIssue),
  otherNewIssues: limitedList(BranchIssue),
  axeChangedIssues: limitedList(BranchIssue),
  unchecked: limitedList(
    z.strictObject({
      target: pageUrl,
      reason: limitedText(branchRunLimits.rule),
      detail: limitedText(branchRunLimits.text),
    }),
  ),
  notChecked: limitedList(BranchRuleCount),
  fixed: limitedList(BranchRuleCount),
}

/** Result of a gate, as it is uploaded. The totals count everything, the lists have the first entries. */
export const BranchRunBody = z.strictObject({ ...branchFields, ...detailFields })
export type BranchRunBody = z.output<typeof BranchRunBody>

const uploadFields = {
  id: z.uuid(),
  uploadedAt: Instant,
  uploadedBy: z.object({ id: z.string(), name: z.nullable(z.string()) }),
}
/** Stored results stay readable when their version of axe-core is no longer offered. */
const storedFields = { ...branchFields, baselineAxe: limitedText(branchRunLimits.commit) }
export const BranchRunSummary = z.object({ ...storedFields, ...uploadFields })
export type BranchRunSummary = z.output<typeof BranchRunSummary>
export const BranchRun = z.object({ ...storedFields, ...detailFields, ...uploadFields, scanName: z.string() })
export type BranchRun = z.output<typeof BranchRun>

export const BranchRunQuery = z.object({ ...pagingQuery, search: searchTextQuery })
export type BranchRunQuery = z.output<typeof BranchRunQuery>
