import type * as z from 'zod/mini'
import type { PageListQuery } from '@clearway/contract/monitor/page/schema.ts'
import { impacts } from '../issue/model.ts'
import type { RunListQuery, ViolationQuery } from '@clearway/contract/monitor/run/schema.ts'
import { type Caller, type EventsAnswer, isRefusal, type Refusal, refuse } from '../../kit/http/answer.ts'
import type { PubSub } from '../../kit/pub-sub.ts'
import { pageReply } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { pagesFor } from '../page/service.ts'
import { quotasNow } from '../setting/service.ts'
import { openIssuesOf, pageCountsOf, pagesByHealthOf, summaryOf } from './summary/service.ts'
import type { RunRow } from './table.ts'
import { activeRun, listRuns, planRow, runById, runByNumber } from './store.ts'
import { insertRun, markCancelled } from './queue/store.ts'
import {
  readExtraMetrics,
  listViolations,
  countByReason,
  countByStatus,
  readTrend,
  listViolationPages,
} from './overview/store.ts'
import { finishRun } from './frontier/service.ts'

export type RunDeps = { db: MonitorDb; pubSub: PubSub }

const trendLength = 30

/** Queues a run that somebody started by hand. */
export async function startRun(deps: RunDeps, caller: Caller, scanId: string) {
  const { runs: most } = await quotasNow(deps)
  const run = await insertRun(deps, scanId, { personId: caller.id, maxRuns: most })
  if (run === 'too-many')
    return refuse('quota-runs', {
      detail: `One person has ${most} runs going on at most. Wait for the end of one.`,
    })
  if (run === 'not-found') return refuse('not-found')
  if (run === 'run-active')
    return refuse('run-active', { detail: 'A run of this scan is going on. Wait for its end, or cancel it.' })
  await deps.pubSub.publish({ kind: 'queued', runId: run.id })
  return summaryOf(run)
}

/** Ends the active run at once; what workers still have in hand is dropped. */
export async function cancelRun(deps: RunDeps, scanId: string) {
  const run = await activeRun(deps, scanId)
  if (!run) return refuse('run-not-active')
  await markCancelled(deps, run.id)
  await deps.pubSub.publish({ kind: 'cancelled', runId: run.id })
  await finishRun(deps, run.id, { kind: 'cancelled' })
  await deps.pubSub.publish({ kind: 'ended', runId: run.id })
  return summaryOf((await runById(deps, run.id))!)
}

export async function runsFor(deps: RunDeps, scanId: string, query: z.output<typeof RunListQuery>) {
  const { rows, total } = await listRuns(deps, scanId, query)
  return pageReply(rows.map(summaryOf), total, query)
}

export type Asked = { id: string; run: number }

/** Answers from a run that is there. */
export async function withRun<T>(
  deps: RunDeps,
  asked: Asked,
  answer: (run: RunRow) => Promise<T>,
): Promise<T | Refusal> {
  const run = await runByNumber(deps, asked.id, asked.run)
  return run ? answer(run) : refuse('not-found')
}

/** A run with its score and change; who owns the scan only for people (`withNames`), not for guests. */
export const overviewFor = (deps: RunDeps, asked: Asked, withNames: boolean) =>
  withRun(deps, asked, async (run) => {
    const [plan, { ownerName: owner, hasLimitedFonts: limitedFonts }] = await Promise.all([
      planRow(deps, run.id),
      readExtraMetrics(deps, run),
    ])
    return {
      ...summaryOf(run),
      scanName: plan.scan_name,
      startUrls: plan.settings.urls,
      owners: withNames ? [owner] : [],
      ruleSet: plan.settings.ruleSet,
      axeRelease: plan.axe_release,
      browser: plan.browser,
      limitedFonts,
      pagesByHealth: pagesByHealthOf(run),
      totalIssues: run.total_issues,
      change: plan.change,
      reuse: { carried: run.carried, audited: run.audited, fault: run.reuse_fault },
    }
  })

export const issueOverviewFor = (deps: RunDeps, asked: Asked) =>
  withRun(deps, asked, async (run) => ({
    openIssues: openIssuesOf(run),
    byStatus: await countByStatus(deps, run.id),
  }))

export const pageOverviewFor = (deps: RunDeps, asked: Asked) =>
  withRun(deps, asked, async (run) => {
    const [failures, exclusions] = await Promise.all([
      countByReason(deps, run.id, 'failure'),
      countByReason(deps, run.id, 'exclusion'),
    ])
    return { pages: pageCountsOf(run), pagesByHealth: pagesByHealthOf(run), failures, exclusions }
  })

/** The last `size` completed runs up to a number, oldest first. */
export async function trendOf(deps: RunDeps, scanId: string, upTo: number, size: number) {
  const rows = await readTrend(deps, scanId, upTo, size)
  return {
    trend: rows.map((row, index) => ({
      number: row.number,
      endedAt: row.ended_at?.toISOString() ?? null,
      score: row.score,
      pages: row.completed,
      openIssues: openIssuesOf(row),
      ruleSetChanged: index > 0 && rows[index - 1]!.rule_set_hash !== row.rule_set_hash,
    })),
  }
}

export const statsFor = (deps: RunDeps, asked: Asked) =>
  withRun(deps, asked, (run) => trendOf(deps, run.scan_id, run.number, trendLength))

export const violationsFor = (deps: RunDeps, asked: Asked, query: z.output<typeof ViolationQuery>) =>
  withRun(deps, asked, async (run) => {
    const { rows, total } = await listViolations(deps, run.id, run.completed, query)
    const content = rows.map(
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
    return pageReply(content, total, query)
  })

export const violationPagesFor = (
  deps: RunDeps,
  asked: Asked & { rule: string },
  query: { page: number; size: number },
) =>
  withRun(deps, asked, async (run) => {
    const { rows, total } = await listViolationPages(deps, run.id, asked.rule, query)
    return pageReply(rows, total, query)
  })

export const runPagesFor = (
  deps: RunDeps,
  caller: Caller,
  asked: Asked,
  query: z.output<typeof PageListQuery>,
) =>
  withRun(deps, asked, () =>
    pagesFor(deps, caller, { ...query, scanId: [asked.id as never], runNumber: asked.run }),
  )

const eventOf = (run: RunRow, type: 'progress' | 'ended' | 'refetch') => ({
  type,
  scanId: run.scan_id,
  runNumber: run.number,
  status: run.status,
  pages: pageCountsOf(run),
  openIssues: openIssuesOf(run),
  score: run.score,
})

const everyMs = 1000

/** Live updates of a run: how it is now, then at most one message a second, the end at once. */
export async function eventsFor(deps: RunDeps, asked: Asked): Promise<EventsAnswer | Refusal> {
  const found = await withRun(deps, asked, (run) => Promise.resolve(run))
  if (isRefusal(found)) return found
  const runId = found.id
  return {
    start: (send) => {
      let last = 0
      let timer: NodeJS.Timeout | null = null
      const show = async (missed: boolean) => {
        timer = null
        last = performance.now()
        const run = await runById(deps, runId).catch(() => null)
        if (run) send(eventOf(run, run.ended_at ? 'ended' : missed ? 'refetch' : 'progress'))
      }
      const unsubscribe = deps.pubSub.subscribe((event) => {
        if (event.kind !== 'missed' && !('runId' in event && event.runId === runId)) return
        const wait = event.kind === 'ended' ? 0 : Math.max(0, last + everyMs - performance.now())
        if (timer && wait > 0) return
        if (timer) clearTimeout(timer)
        timer = setTimeout(() => void show(event.kind === 'missed'), wait)
      })
      void show(false)
      return () => {
        unsubscribe()
        if (timer) clearTimeout(timer)
      }
    },
  }
}
