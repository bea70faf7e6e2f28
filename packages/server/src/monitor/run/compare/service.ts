import type * as z from 'zod/mini'
import type {
  ComparedIssuesQuery,
  ComparedPagesQuery,
  GroupQuery,
  SelectorQuery,
} from '@clearway/contract/monitor/run/schema.ts'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { refuse } from '../../../kit/http/answer.ts'
import { pageReply } from '../../../kit/paging.ts'
import { impacts, severities } from '../../issue/model.ts'
import { findScan } from '../../scan/store.ts'
import { tagsOf } from '../../ruleset/model.ts'
import { type Asked, type RunDeps, trendOf, withRun } from '../service.ts'
import { summaryOf } from '../summary/service.ts'
import { newestCompleted, planRow } from '../store.ts'
import type { RunRow } from '../table.ts'
import {
  comparedIssues,
  comparedPages,
  type ComparedRule,
  commonIssues,
  type GroupRow,
  listComparedIssues,
  listComparedPages,
  selectorsOf,
  violationGroups,
} from './store.ts'

const sumOf = (
  rows: readonly ComparedRule[],
  key: 'onlyHere' | 'both' | 'onlyThere' | 'ruleSetHere' | 'ruleSetThere',
) => rows.reduce((sum, row) => sum + row[key], 0)
const byRuleSet = (rows: readonly ComparedRule[]) => ({
  onlyHere: sumOf(rows, 'ruleSetHere'),
  onlyThere: sumOf(rows, 'ruleSetThere'),
})

const countsOf = (rows: readonly ComparedRule[], side: 'onlyHere' | 'both' | 'onlyThere') => {
  const at = (severity: number) =>
    sumOf(
      rows.filter((row) => row.severity === severity),
      side,
    )
  return { critical: at(0), serious: at(1), moderate: at(2), minor: at(3), needsReview: at(4) }
}

function rulesOf(rows: readonly ComparedRule[]) {
  return [...Map.groupBy(rows, ({ rule }) => rule)].map(([rule, list]) => ({
    rule,
    help: list[0]!.help,
    onlyHere: sumOf(list, 'onlyHere'),
    both: sumOf(list, 'both'),
    onlyThere: sumOf(list, 'onlyThere'),
    byRuleSet: byRuleSet(list),
  }))
}

/** Both runs of a comparison, or a refusal. */
const withBoth = <T>(
  deps: RunDeps,
  asked: Asked & { other: number },
  work: (here: RunRow, there: RunRow) => Promise<T>,
) =>
  withRun(deps, asked, (here) => withRun(deps, { ...asked, run: asked.other }, (there) => work(here, there)))

/** What one run of a scan has against any other of it. */
export const compareFor = (deps: RunDeps, asked: Asked & { other: number }) =>
  withBoth(deps, asked, async (run, other) => {
    const [plan, otherPlan] = await Promise.all([planRow(deps, run.id), planRow(deps, other.id)])
    const ruleSetChanged = plan.rule_set_hash !== otherPlan.rule_set_hash
    const here = { id: run.id, tags: tagsOf(plan.settings.ruleSet) }
    const there = { id: other.id, tags: tagsOf(otherPlan.settings.ruleSet) }
    const [issues, pages] = await Promise.all([
      comparedIssues(deps.db, { here, there, ruleSetChanged }),
      comparedPages(deps.db, run.id, other.id),
    ])
    const score = run.score !== null && other.score !== null ? run.score - other.score : null
    return {
      run: summaryOf(run),
      other: summaryOf(other),
      score: score === null ? null : Math.round(score * 10_000) / 10_000,
      ruleSetChanged,
      onlyHere: countsOf(issues, 'onlyHere'),
      both: countsOf(issues, 'both'),
      onlyThere: countsOf(issues, 'onlyThere'),
      pages,
      byRuleSet: byRuleSet(issues),
      rules: rulesOf(issues),
    }
  })

/** The issues of a comparison, on one of its sides. */
export const comparedIssuesFor = (
  deps: RunDeps,
  asked: Asked & { other: number },
  query: z.output<typeof ComparedIssuesQuery>,
) =>
  withBoth(deps, asked, async (here, there) => {
    const { rows, total, runNumber } = await listComparedIssues(deps.db, { here, there }, query)
    return pageReply(
      rows.map(({ severity, issueId, rule, help, selector, pageUrl }) => ({
        issueId,
        runNumber,
        rule,
        help,
        severity: severities[severity]!,
        selector,
        pageUrl,
      })),
      total,
      query,
    )
  })

/** The pages of a comparison, on one of its sides. */
export const comparedPagesFor = (
  deps: RunDeps,
  asked: Asked & { other: number },
  query: z.output<typeof ComparedPagesQuery>,
) =>
  withBoth(deps, asked, async (here, there) => {
    const { rows, total, runNumber } = await listComparedPages(deps.db, { here, there }, query)
    return pageReply(
      rows.map(({ pageId, url, title }) => ({ pageId, runNumber, url, title })),
      total,
      query,
    )
  })

const groupReply = (row: GroupRow) => ({
  rule: row.rule,
  help: row.help,
  impact: row.impact === null ? null : impacts[row.impact]!,
  severity: severities[row.severity]!,
  selector: row.selector,
  pages: row.pages,
  issues: row.issues,
  issueId: row.issueId,
})

export const commonIssuesFor = (deps: RunDeps, asked: Asked, query: z.output<typeof GroupQuery>) =>
  withRun(deps, asked, async (run) => {
    const { rows, total } = await commonIssues(deps, run.id, query)
    return pageReply(
      rows.map((row) => ({ component: row.component, ...groupReply(row) })),
      total,
      query,
    )
  })

export const violationGroupsFor = (deps: RunDeps, asked: Asked, query: z.output<typeof GroupQuery>) =>
  withRun(deps, asked, async (run) => {
    const { rows, total } = await violationGroups(deps, run.id, query)
    return pageReply(
      rows.map((row) => ({ groupId: row.groupId, ...groupReply(row) })),
      total,
      query,
    )
  })

export const selectorsFor = (deps: RunDeps, asked: Asked, query: z.output<typeof SelectorQuery>) =>
  withRun(deps, asked, async (run) => {
    const { rows, total } = await selectorsOf(deps, run.id, query)
    return pageReply(
      rows.map((row) => ({ ...row, severity: severities[row.severity]! })),
      total,
      query,
    )
  })

/** The trend over the newest completed runs. */
export const scanTrendFor = (deps: RunDeps, scanId: string, size: number) =>
  trendOf(deps, scanId, 2 ** 31 - 1, size)

/** The rules that the next run applies, and those of the newest completed one. */
export async function rulesetFor(deps: RunDeps, scanId: string) {
  const [scan, last] = await Promise.all([findScan(deps, scanId), newestCompleted(deps, scanId)])
  if (!scan) return refuse('not-found')
  const { ruleSet } = scan.settings
  return {
    ruleSet,
    axeRelease: axeVersions[ruleSet.axeVersion],
    lastRun: last && { number: last.number, ruleSet: last.settings.ruleSet, axeRelease: last.axe_release },
  }
}
