import type * as z from 'zod/mini'
import type { SubjectRole } from '@clearway/contract/kit/permission.ts'
import type { PageListQuery } from '@clearway/contract/monitor/page/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { impacts } from '../issue/model.ts'
import type { RunListQuery, ViolationQuery } from '@clearway/contract/monitor/run/schema.ts'
import { type Caller, type EventsReply, isRefusal, type Refusal, refuse } from '../../kit/http/answer.ts'
import type { PubSub } from '../../kit/pub-sub.ts'
import { buildPageReply } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { listVisiblePages } from '../page/service.ts'
import { presentSignIn } from '../session/model.ts'
import { readCurrentQuotas } from '../setting/service.ts'
import { getOpenIssues, getPageCounts, getPagesByHealth, getScoreChange, toRunSummary } from './summary/service.ts'
import type { RunRow } from './table.ts'
import { findActiveRun, listRuns, readPlan, findRunById, findRunByNumber } from './store.ts'
import { insertRun, markCancelled } from './queue/store.ts'
import {
  readExtraMetrics,
  listViolations,
  countByReason,
  sumRequests,
  countDriven,
  countByStatus,
  readTrend,
  listViolationPages,
} from './overview/store.ts'
import { acceptRun, finishRun } from './frontier/service.ts'

export type RunDeps = { db: MonitorDb; pubSub: PubSub }

const trendLength = 30

export async function startRun(deps: RunDeps, caller: Caller, scanId: string) {
  const { runs: maxRuns } = await readCurrentQuotas(deps)
  const insertedRun = await insertRun(deps, scanId, { personId: caller.id, maxRuns })
  if (insertedRun === 'too-many')
    return refuse('quota-runs', {
      detail: `One person can have at most ${maxRuns} active runs. Wait until one ends.`,
    })
  if (insertedRun === 'not-found') return refuse('not-found')
  if (insertedRun === 'run-active')
    return refuse('run-active', { detail: 'A run of this scan is in progress. Wait until it ends, or cancel it.' })
  await deps.pubSub.publish({ kind: 'queued', runId: insertedRun.id })
  return toRunSummary(insertedRun)
}

/** Accepts the pages of a run as they are, for example after a redesign. Only the newest run decides about issues. */
export async function acceptNewestRun(deps: RunDeps, { id: scanId, run: number }: RunPath) {
  return withRun(deps, { id: scanId, run: number }, async (run) => {
    const acceptance = await acceptRun(deps, { scanId, number })
    if (acceptance === 'run-active')
      return refuse('run-active', { detail: 'A run of this scan is in progress. Wait until it ends, or cancel it.' })
    if (acceptance === 'edit-conflict')
      return refuse('edit-conflict', { detail: 'There is a newer run, whose pages were compared with this one.' })
    return toRunSummary((await findRunById(deps, run.id))!)
  })
}

/** Ends the active run at once; results still in progress on workers are dropped. */
export async function cancelRun(deps: RunDeps, scanId: string) {
  const cancelledRun = await findActiveRun(deps, scanId)
  if (!cancelledRun) return refuse('run-not-active')
  await markCancelled(deps, cancelledRun.id)
  await deps.pubSub.publish({ kind: 'cancelled', runId: cancelledRun.id })
  await finishRun(deps, cancelledRun.id, { kind: 'cancelled' })
  await deps.pubSub.publish({ kind: 'ended', runId: cancelledRun.id })
  return toRunSummary((await findRunById(deps, cancelledRun.id))!)
}

export async function listScanRuns(deps: RunDeps, scanId: string, query: z.output<typeof RunListQuery>) {
  const { rows: runRows, total: totalRuns } = await listRuns(deps, scanId, query)
  return buildPageReply(runRows.map(toRunSummary), totalRuns, query)
}

export type RunPath = { id: string; run: number }

/** Calls `respond` with an existing run, or refuses. */
export async function withRun<T>(deps: RunDeps, runPath: RunPath, respond: (run: RunRow) => Promise<T>): Promise<T | Refusal> {
  const foundRun = await findRunByNumber(deps, runPath.id, runPath.run)
  return foundRun ? respond(foundRun) : refuse('not-found')
}

/** Components that an ended run found on none of its pages. Earlier versions did not count them. */
const listMissingComponents = (run: RunRow, { commonComponents }: ScanSettings): string[] =>
  run.ended_at === null || run.completed === 0 || run.components === null
    ? []
    : (commonComponents?.components ?? []).map(({ name }) => name).filter((name) => !run.components!.includes(name))

/** A run with its score and change; owner names for all but guests, accounts only for users who may edit the scan. */
export const getRunOverview = (deps: RunDeps, runPath: RunPath, role: SubjectRole) =>
  withRun(deps, runPath, async (run) => {
    const [runPlan, { ownerName, hasLimitedFonts, signIn, commonIssues }] = await Promise.all([
      readPlan(deps, run.id),
      readExtraMetrics(deps, run),
    ])
    return {
      ...toRunSummary(run),
      scanName: runPlan.scan_name,
      startUrls: runPlan.settings.urls,
      owners: role === 'guest' ? [] : [ownerName],
      ruleSet: runPlan.settings.ruleSet,
      signIn: presentSignIn(signIn, role),
      axeRelease: runPlan.axe_release,
      browser: runPlan.browser,
      limitedFonts: hasLimitedFonts,
      missingComponents: listMissingComponents(run, runPlan.settings),
      pagesByHealth: getPagesByHealth(run),
      totalIssues: run.total_issues,
      commonIssues: commonIssues && commonIssues.onPages > 0 ? commonIssues : null,
      change: runPlan.change,
      reuse: { carried: run.carried, audited: run.audited, fault: run.reuse_fault },
    }
  })

export const getIssueOverview = (deps: RunDeps, runPath: RunPath) =>
  withRun(deps, runPath, async (run) => ({ openIssues: getOpenIssues(run), byStatus: await countByStatus(deps, run.id) }))

export const getPageOverview = (deps: RunDeps, runPath: RunPath) =>
  withRun(deps, runPath, async (run) => {
    const [failureCounts, exclusionCounts, requests, driven] = await Promise.all([
      countByReason(deps, run.id, 'failure'),
      countByReason(deps, run.id, 'exclusion'),
      sumRequests(deps, run.id),
      countDriven(deps, run.id),
    ])
    return {
      requests,
      pages: getPageCounts(run),
      pagesByHealth: getPagesByHealth(run),
      failures: failureCounts,
      exclusions: exclusionCounts,
      driven,
    }
  })

export async function getTrend(deps: RunDeps, scanId: string, maxNumber: number, maxRuns: number) {
  const runRows = await readTrend(deps, scanId, maxNumber, maxRuns)
  return {
    trend: runRows.map((row, index) => ({
      number: row.number,
      endedAt: row.ended_at?.toISOString() ?? null,
      score: row.score,
      scoreByDecisions: getScoreChange(row.change).scoreChangeByDecisions ?? 0,
      pages: row.completed,
      openIssues: getOpenIssues(row),
      ignoredIssues: row.ignored,
      ruleSetChanged: index > 0 && runRows[index - 1]!.rule_set_hash !== row.rule_set_hash,
    })),
  }
}

export const getRunStats = (deps: RunDeps, runPath: RunPath) =>
  withRun(deps, runPath, (run) => getTrend(deps, run.scan_id, run.number, trendLength))

export const getViolations = (deps: RunDeps, runPath: RunPath, query: z.output<typeof ViolationQuery>) =>
  withRun(deps, runPath, async (run) => {
    const scoredPages = run.health_critical + run.health_serious + run.health_moderate + run.health_good
    const { rows: violationRows, total: totalViolations } = await listViolations(deps, run.id, scoredPages, query)
    const violationReplies = violationRows.map(
      ({ rule, impact, help, helpUrl, tags, issues, needsReview, pages, scoreGain }) => ({
        rule,
        impact: impact === null ? null : impacts[impact]!,
        help,
        helpUrl,
        tags,
        issues,
        needsReview,
        pages,
        scoreGain,
      }),
    )
    return buildPageReply(violationReplies, totalViolations, query)
  })

export const getViolationPages = (
  deps: RunDeps,
  violationPath: RunPath & { rule: string },
  query: { page: number; size: number },
) =>
  withRun(deps, violationPath, async (run) => {
    const { rows: pageRows, total: totalPages } = await listViolationPages(deps, run.id, violationPath.rule, query)
    return buildPageReply(pageRows, totalPages, query)
  })

export const getRunPages = (deps: RunDeps, caller: Caller, runPath: RunPath, query: z.output<typeof PageListQuery>) =>
  withRun(deps, runPath, () =>
    listVisiblePages(deps, caller, { ...query, scanId: [runPath.id as never], runNumber: runPath.run }),
  )

const toRunEvent = (run: RunRow, type: 'progress' | 'ended' | 'refetch') => ({
  type,
  scanId: run.scan_id,
  runNumber: run.number,
  status: run.status,
  pages: getPageCounts(run),
  pagesByHealth: getPagesByHealth(run),
  openIssues: getOpenIssues(run),
  score: run.score,
})

const eventIntervalMs = 1000

/** Live updates of a run: the current state, then at most one message a second, and the end at once, which ends the stream. */
export async function streamRunEvents(deps: RunDeps, runPath: RunPath): Promise<EventsReply | Refusal> {
  const foundRun = await withRun(deps, runPath, (run) => Promise.resolve(run))
  if (isRefusal(foundRun)) return foundRun
  const runId = foundRun.id
  return {
    start: (send, end) => {
      let lastSentAt = 0
      let sendTimer: NodeJS.Timeout | null = null
      const sendState = async (missed: boolean) => {
        sendTimer = null
        lastSentAt = performance.now()
        const currentRun = await findRunById(deps, runId).catch(() => null)
        if (currentRun) send(toRunEvent(currentRun, currentRun.ended_at ? 'ended' : missed ? 'refetch' : 'progress'))
        if (currentRun?.ended_at) end()
      }
      const unsubscribe = deps.pubSub.subscribe((event) => {
        if (event.kind !== 'missed' && !('runId' in event && event.runId === runId)) return
        const delayMs = event.kind === 'ended' ? 0 : Math.max(0, lastSentAt + eventIntervalMs - performance.now())
        if (sendTimer && delayMs > 0) return
        if (sendTimer) clearTimeout(sendTimer)
        sendTimer = setTimeout(() => void sendState(event.kind === 'missed'), delayMs)
      })
      void sendState(false)
      return () => {
        unsubscribe()
        if (sendTimer) clearTimeout(sendTimer)
      }
    },
  }
}
