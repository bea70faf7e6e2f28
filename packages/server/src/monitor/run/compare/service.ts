import { roundScore } from '@clearway/contract/monitor/page/model.ts'
import type * as z from 'zod/mini'
import type { ComparedIssuesQuery, ComparedPagesQuery, GroupQuery, SelectorQuery } from '@clearway/contract/monitor/run/schema.ts'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { refuse } from '../../../kit/http/answer.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import { impacts, severities } from '../../issue/model.ts'
import { findScan } from '../../scan/store.ts'
import { listRuleTags, type RunRules } from '../../ruleset/model.ts'
import { type RunPath, type RunDeps, getTrend, withRun } from '../service.ts'
import { toRunSummary } from '../summary/service.ts'
import { findNewestCompleted, readPlan } from '../store.ts'
import type { RunRow } from '../table.ts'
import { readDecidedScore } from '../../issue/decision/store.ts'
import {
  computeCommonScore,
  countComparedIssues,
  countComparedPages,
  type ComparedCounts,
  type ComparedRule,
  listCommonIssues,
  type GroupRow,
  listComparedIssues,
  listComparedPages,
  listSelectors,
  listViolationGroups,
} from './store.ts'

const sumBy = (ruleRows: readonly ComparedRule[], countKey: keyof ComparedCounts) =>
  ruleRows.reduce((sum, row) => sum + row[countKey], 0)
const countByRuleSet = (ruleRows: readonly ComparedRule[]) => ({
  onlyHere: sumBy(ruleRows, 'ruleSetHere'),
  onlyThere: sumBy(ruleRows, 'ruleSetThere'),
})

const countNotRechecked = (ruleRows: readonly ComparedRule[]) => ({
  onlyHere: sumBy(ruleRows, 'uncheckedThere'),
  onlyThere: sumBy(ruleRows, 'uncheckedHere'),
})

const countBySeverity = (ruleRows: readonly ComparedRule[], side: keyof ComparedCounts) => {
  const countAt = (severity: number) =>
    sumBy(
      ruleRows.filter((row) => row.severity === severity),
      side,
    )
  return { critical: countAt(0), serious: countAt(1), moderate: countAt(2), minor: countAt(3), needsReview: countAt(4) }
}

const isUndecided = ({ severity }: ComparedRule) => severities[severity] === 'needs review'

function groupByRule(ruleRows: readonly ComparedRule[]) {
  return [...Map.groupBy(ruleRows, ({ rule }) => rule)].map(([rule, list]) => ({
    rule,
    help: list[0]!.help,
    onlyHere: sumBy(list, 'onlyHere'),
    both: sumBy(list, 'both'),
    onlyThere: sumBy(list, 'onlyThere'),
    ignored: sumBy(list, 'ignoredHere') + sumBy(list, 'ignoredThere'),
    needsReview: (['onlyHere', 'both', 'onlyThere', 'ignoredHere', 'ignoredThere'] as const).reduce(
      (sum, side) => sum + sumBy(list.filter(isUndecided), side),
      0,
    ),
    byRuleSet: countByRuleSet(list),
    notRechecked: countNotRechecked(list),
  }))
}

/** Runs `work` with both runs of a comparison, or returns a refusal. */
const withBothRuns = <T>(
  deps: RunDeps,
  comparison: RunPath & { other: number },
  compare: (here: RunRow, there: RunRow) => Promise<T>,
) => withRun(deps, comparison, (here) => withRun(deps, { ...comparison, run: comparison.other }, (there) => compare(here, there)))

/** Difference of two scores; on the pages that both runs tested if the page limit left out pages of either. */
async function compareScores({ db }: RunDeps, run: RunRow, other: RunRow): Promise<number | null> {
  if (run.over_limit > 0 || other.over_limit > 0) return computeCommonScore(db, run.id, other.id)
  return run.score !== null && other.score !== null ? run.score - other.score : null
}

export const compareRuns = (deps: RunDeps, comparison: RunPath & { other: number }) =>
  withBothRuns(deps, comparison, async (run, other) => {
    const [runPlan, otherPlan] = await Promise.all([readPlan(deps, run.id), readPlan(deps, other.id)])
    const ruleSetChanged = runPlan.rule_set_hash !== otherPlan.rule_set_hash
    const describeRules = ({ ruleSet, advanced: { driven } }: RunRules) => ({
      tags: listRuleTags(ruleSet),
      isDriven: driven !== 'off',
    })
    const thisRun = { id: run.id, ...describeRules(runPlan.settings) }
    const otherRun = { id: other.id, ...describeRules(otherPlan.settings) }
    const [newerRun, olderRun] = run.number > other.number ? [run, other] : [other, run]
    const [decidedScore, issueCounts, pageCounts, scoreDifference] = await Promise.all([
      readDecidedScore(deps.db, newerRun.id, olderRun.id),
      countComparedIssues(deps.db, { here: thisRun, there: otherRun, ruleSetChanged }),
      countComparedPages(deps.db, run.id, other.id),
      compareScores(deps, run, other),
    ])
    const scoreByDecisions = decidedScore === null || run === newerRun ? decidedScore : -decidedScore
    return {
      run: toRunSummary(run),
      other: toRunSummary(other),
      score: scoreDifference === null ? null : roundScore(scoreDifference - (scoreByDecisions ?? 0)),
      scoreByDecisions: scoreDifference === null ? null : roundScore(scoreByDecisions ?? 0),
      ruleSetChanged,
      onlyHere: countBySeverity(issueCounts, 'onlyHere'),
      both: countBySeverity(issueCounts, 'both'),
      onlyThere: countBySeverity(issueCounts, 'onlyThere'),
      ignored: { onlyHere: countBySeverity(issueCounts, 'ignoredThere'), onlyThere: countBySeverity(issueCounts, 'ignoredHere') },
      pages: pageCounts,
      byRuleSet: countByRuleSet(issueCounts),
      notRechecked: countNotRechecked(issueCounts),
      notRecheckedByImpact: {
        onlyHere: countBySeverity(issueCounts, 'uncheckedThere'),
        onlyThere: countBySeverity(issueCounts, 'uncheckedHere'),
      },
      rules: groupByRule(issueCounts),
    }
  })

export const getComparedIssues = (
  deps: RunDeps,
  comparison: RunPath & { other: number },
  query: z.output<typeof ComparedIssuesQuery>,
) =>
  withBothRuns(deps, comparison, async (here, there) => {
    const { rows: issueRows, total: totalIssues } = await listComparedIssues(deps.db, { here, there }, query)
    return buildPageReply(
      issueRows.map(({ severity, issueId, runNumber, rule, help, selector, pageUrl, isNotRechecked }) => ({
        issueId,
        runNumber,
        rule,
        help,
        severity: severities[severity]!,
        selector,
        pageUrl,
        isNotRechecked,
      })),
      totalIssues,
      query,
    )
  })

export const getComparedPages = (
  deps: RunDeps,
  comparison: RunPath & { other: number },
  query: z.output<typeof ComparedPagesQuery>,
) =>
  withBothRuns(deps, comparison, async (here, there) => {
    const { rows: pageRows, total: totalPages, runNumber } = await listComparedPages(deps.db, { here, there }, query)
    return buildPageReply(
      pageRows.map(({ pageId, url, title }) => ({ pageId, runNumber, url, title })),
      totalPages,
      query,
    )
  })

const toGroupReply = (row: GroupRow) => ({
  rule: row.rule,
  help: row.help,
  impact: row.impact === null ? null : impacts[row.impact]!,
  severity: severities[row.severity]!,
  selector: row.selector,
  pages: row.pages,
  issues: row.issues,
  issueId: row.issueId,
})

export const getCommonIssues = (deps: RunDeps, runPath: RunPath, query: z.output<typeof GroupQuery>) =>
  withRun(deps, runPath, async (run) => {
    const { rows: groupRows, total: totalGroups } = await listCommonIssues(deps, run.id, query)
    return buildPageReply(
      groupRows.map((row) => ({ component: row.component, ...toGroupReply(row) })),
      totalGroups,
      query,
    )
  })

export const getViolationGroups = (deps: RunDeps, runPath: RunPath, query: z.output<typeof GroupQuery>) =>
  withRun(deps, runPath, async (run) => {
    const { rows: groupRows, total: totalGroups } = await listViolationGroups(deps, run.id, query)
    return buildPageReply(
      groupRows.map((row) => ({ groupId: row.groupId, ...toGroupReply(row) })),
      totalGroups,
      query,
    )
  })

export const getSelectors = (deps: RunDeps, runPath: RunPath, query: z.output<typeof SelectorQuery>) =>
  withRun(deps, runPath, async (run) => {
    const { rows: selectorRows, total: totalSelectors } = await listSelectors(deps, run.id, query)
    return buildPageReply(
      selectorRows.map((row) => ({ ...row, severity: severities[row.severity]! })),
      totalSelectors,
      query,
    )
  })

export const getScanTrend = (deps: RunDeps, scanId: string, size: number) => getTrend(deps, scanId, 2 ** 31 - 1, size)

/** The rules of the next run and of the newest completed run. */
export async function getRuleset(deps: RunDeps, scanId: string) {
  const [currentScan, lastCompletedRun] = await Promise.all([findScan(deps, scanId), findNewestCompleted(deps, scanId)])
  if (!currentScan) return refuse('not-found')
  const { ruleSet } = currentScan.settings
  return {
    ruleSet,
    axeRelease: axeVersions[ruleSet.axeVersion],
    lastRun: lastCompletedRun && {
      number: lastCompletedRun.number,
      ruleSet: lastCompletedRun.settings.ruleSet,
      axeRelease: lastCompletedRun.axe_release,
      driven: lastCompletedRun.settings.advanced.driven,
    },
  }
}
