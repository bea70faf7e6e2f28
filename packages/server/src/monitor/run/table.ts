import { type RunProblem, type RunStatus, runStatusGroups } from '@clearway/contract/monitor/run/schema.ts'
import type { Recheck } from '@clearway/contract/monitor/run/recheck/schema.ts'
import type { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { type ColumnType, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { toIndexLiterals } from '../../kit/database.ts'

type CounterColumn = Generated<number>
type TimestampColumn = ColumnType<Date, Date | undefined, Date>

/** Kinds of interactive tasks; `keystore` needs no browser. */
export type PreviewKind = 'preview' | 'test' | 'reach' | 'dry-run' | 'sign-in' | 'buttons' | 'keystore'

export type RunTables = {
  run: {
    id: string
    scan_id: string
    number: number
    status: RunStatus
    partial: Generated<boolean>
    problem: z.output<typeof RunProblem> | null
    problem_detail: string | null
    priority: number
    /** User who started it manually; null for a schedule. */
    started_by: string | null
    cancelled: Generated<boolean>
    queued_at: TimestampColumn
    started_at: Date | null
    ended_at: Date | null
    /** Removal of contents, pictures and findings; the counts stay. */
    archived_at: Date | null
    contents_cleared_at: Date | null
    /** Groups of open issues by worst severity; null until counted. */
    open_groups: number[] | null
    /** Its open findings by rule, severity and drive: `selectRuleCounts`; null until counted, and for old runs. */
    open_rules: number[][] | null
    /** Rules of its present findings, and their numbers; null while it is in progress, and for old runs. */
    rule_ids: number[] | null
    rule_issues: number[] | null
    served_at: Date | null
    wave: Generated<number>
    found: CounterColumn
    completed: CounterColumn
    failed: CounterColumn
    retried: CounterColumn
    excluded: CounterColumn
    other_domain: CounterColumn
    not_reached: CounterColumn
    /** URLs that the page limit left out. */
    over_limit: CounterColumn
    unique_pages: CounterColumn
    /** Pages that it may visit beyond its limit, in place of those that are joined with others. */
    extra_pages: CounterColumn
    /** Pages of its random share by health, as in `healths`; null without one. */
    sample_pages: Generated<number[] | null>
    /** Sums of the weights of its pages by health, and of their squares; null without weights. */
    site_weights: Generated<number[] | null>
    health_critical: CounterColumn
    health_serious: CounterColumn
    health_moderate: CounterColumn
    health_good: CounterColumn
    /** Completed pages behind walls, which have no health. */
    walled: CounterColumn
    /** Pages proved to be shown to the signed-in user, and pages without this proof. */
    proved: CounterColumn
    unproved: CounterColumn
    critical: CounterColumn
    serious: CounterColumn
    moderate: CounterColumn
    minor: CounterColumn
    needs_review: CounterColumn
    total_issues: CounterColumn
    /** Present issues that are ignored, without needs-review results; counted when the run ends. */
    ignored: CounterColumn
    score: number | null
    pdfs: CounterColumn
    /** Common components found on pages, by name; null for runs of earlier versions. */
    components: Generated<string[] | null>
    /** `carried` pages kept the findings of a previous run; `audited` unchanged pages were analyzed nevertheless. */
    carried: CounterColumn
    audited: CounterColumn
    /** URL of the first audited page with other findings. */
    reuse_fault: Generated<string | null>
    /** `UnconfirmedRun`: why its missing issues were not closed; null if they were. */
    unconfirmed: ColumnType<unknown, string | null | undefined, string | null>
    /** Re-checks of its pages that its counts do not yet include. */
    rechecked: CounterColumn
  }
  run_plan: {
    run_id: string
    scan_name: string
    /** `ScanSettings` at the start of the run. */
    settings: ColumnType<unknown, string, string>
    rule_set_hash: string
    axe_release: string
    browser: string | null
    /** `RunChange` against the previous run; null for the first. */
    change: ColumnType<unknown, string | null, string | null>
    /** `traceparent` of the call that started it, if traces are recorded. */
    trace: string | null
  }
  /** The session of an active run, shared by its workers. */
  run_session: {
    run_id: string
    /** Number of sign-ins so far. */
    generation: Generated<number>
    /** Sealed cookies, storage and proof. */
    sealed: Buffer | null
    /** The worker that is signing in. */
    token: string | null
    lease_until: Date | null
  }
  frontier: {
    id: Generated<number>
    run_id: string
    key_hash: Buffer
    /** Index in `entryStates`. */
    state: Generated<number>
    wave: number
    parent_place: number
    link_place: number
    /** Position within the wave, set when the wave begins. */
    place: number | null
    depth: number
    attempt: Generated<number>
    /** Number of workers lost during its claims. */
    losses: Generated<number>
    token: string | null
    worker: string | null
    lease_until: Date | null
    not_before: Date | null
    exclusion: ExclusionReason | null
    url: string
    /** URL to open, where it differs: with a session or a token. */
    visit_url: string | null
    key: string
    found_on: string | null
    /** `host:port`, the key of rate limits. */
    host: Generated<string>
    chain: Generated<number>
    detail: string | null
    /** `Bucket` as text, in the representative order. */
    bucket: string | null
    rank: Generated<number>
    /** Part of the random share of the run. */
    is_random: Generated<boolean>
    /** `VisitedEntry` without its bucket, in the representative order. */
    visit: ColumnType<unknown, string | null, string | null>
  }
  host_pace: { run_id: string; host: string; next_at: Date; gap_ms: number }
  page_link: { run_id: string; id: Generated<number>; url: string; key_hash: Buffer | null; targets: string[] }
  /** The last re-check of a page. */
  recheck: {
    page_id: string
    /** The page's run. */
    run_id: string
    state: z.output<typeof Recheck>['state']
    /** Requested by the product; users' requests have priority. */
    automatic: Generated<boolean>
    requested_by: string
    requested_at: TimestampColumn
    token: string | null
    lease_until: Date | null
    attempts: Generated<number>
    ended_at: Date | null
    failure: FailureReason | null
    detail: string | null
    /** Counts of new, back, fixed, still present, not rechecked and ignored issues; older ones lack the last. */
    issues: number[] | null
  }
  /** An interactive task for a worker. */
  preview_task: {
    id: string
    kind: PreviewKind
    /** User who waits for the result. */
    person_id: string
    /** The sealed request, including its secrets. */
    sealed: Buffer
    created_at: TimestampColumn
    /** Renewed while a client listens. */
    watched_until: Date
    token: string | null
    lease_until: Date | null
  }
  daily_use: { person_id: string; kind: 'upload'; day: string; count: number }
  /** Sealed messages of a worker, in the order of `number`. */
  preview_event: { task_id: string; number: number; sealed: Buffer }
  worker: {
    id: string
    /** Scope of `pid`: a running system and its namespace of process ids. */
    host: string
    pid: number
    began: Generated<string>
    browser: string | null
    browser_source: string | null
    problem: string | null
    started_at: TimestampColumn
    beat_at: TimestampColumn
  }
}

export type RunRow = Selectable<RunTables['run']>

const toStatusList = (statuses: readonly RunStatus[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`
/** The contract's lists of statuses in SQL: `status in ${runStatus.withResults}`. */
export const runStatus = {
  waiting: toStatusList(runStatusGroups.waiting),
  started: toStatusList(runStatusGroups.started),
  withResults: toStatusList(runStatusGroups.withResults),
} as const

const healthIndexes = [0, 1, 2, 3].map((health) => sql.lit(health))
const isSample = sql`p.is_random`
const isWeighted = sql`p.weight is not null and p.health is not null`
const sampleCounts = sql.join(healthIndexes.map((health) => sql`count(*) filter (where ${isSample} and p.health = ${health})`))
const weightSums = sql.join(healthIndexes.map((health) => sql`coalesce(sum(p.weight) filter (where p.health = ${health}), 0)`))
/**
 * Aggregates of the pages `p` of a run, of the table `run_page`. `sample_pages`: those of its random share by health, in the order of
 * `healths`. `site_weights`: weights by health, and the squares of what the pages stand for besides themselves. Null for a run without.
 */
export const sampleColumns = sql`
  case when count(*) filter (where ${isSample}) > 0 then array[${sampleCounts}]::int[] end as sample_pages,
  case when count(*) filter (where ${isWeighted}) > 0
    then array[${weightSums}, sum((p.weight - 1) ^ 2) filter (where ${isWeighted})]::float8[] end as site_weights`
/** These aggregates of one run, as a row for an update of its columns. */
export const selectSample = (runId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select ${sampleColumns} from run_page p where p.run_id = ${runId})`

type RunPosition = { scanId: string; number: number }

/** Number above those of all runs of a scan. */
export const afterAllRuns = 2 ** 31 - 1

/** The newest earlier run with results: it may be partial. */
export const selectPreviousRunId = ({ scanId, number }: RunPosition): RawBuilder<string> => sql<string>`(
  select id from run where scan_id = ${scanId} and number < ${number}::int and status in ${runStatus.withResults}
  order by number desc limit 1)`

/** The newest earlier run with results that is not partial, or else the newest one: the run whose pages a run should meet. */
export const selectBaselineRunId = ({ scanId, number }: RunPosition): RawBuilder<string> => sql<string>`(
  select id from run where scan_id = ${scanId} and number < ${number}::int and status in ${runStatus.withResults}
  order by partial, number desc limit 1)`

/** Seconds of silence after which work is taken over or given up. */
export const maxSilenceSeconds = {
  /** A worker, before others stop counting on it. */
  worker: 30,
  /** A worker, before the health page no longer lists it. */
  listedWorker: 90,
  /** A worker, before it is forgotten and no longer counts as silent. */
  knownWorker: 1800,
  /** A worker's claims of pages, before other workers take over. */
  pages: 30,
  /** A worker that signs in for all workers of a run. */
  signIn: 20,
  /** A worker's interactive task: a preview, a dry run or a keystore. */
  task: 10,
  /** A client that waits for such a task, before the task is given up. */
  watcher: 15,
} as const

/** States of frontier entries, stored by index: never reorder. `excluded` entries were found but not visited. */
export const entryStates = ['waiting', 'claimed', 'done', 'excluded'] as const
export const entryState = toIndexLiterals(entryStates)
