import { type RunProblem, type RunStatus, runStatuses } from '@clearway/contract/monitor/run/schema.ts'
import type { Recheck } from '@clearway/contract/monitor/run/recheck/schema.ts'
import type { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { type ColumnType, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { numbered } from '../../kit/database.ts'

type Counter = Generated<number>
type Moment = ColumnType<Date, Date | undefined, Date>

/** `keystore` needs no browser. */
export type PreviewKind = 'preview' | 'test' | 'reach' | 'dry-run' | 'keystore'

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
    /** Who started it by hand; null for a schedule. */
    started_by: string | null
    cancelled: Generated<boolean>
    queued_at: Moment
    started_at: Date | null
    ended_at: Date | null
    /** When contents, pictures and findings were cleared away; the counts stay. */
    archived_at: Date | null
    contents_cleared_at: Date | null
    /** Groups of open issues by their worst severity; null while nobody has counted them. */
    open_groups: number[] | null
    served_at: Date | null
    wave: Generated<number>
    found: Counter
    completed: Counter
    failed: Counter
    retried: Counter
    excluded: Counter
    other_domain: Counter
    not_reached: Counter
    unique_pages: Counter
    health_critical: Counter
    health_serious: Counter
    health_moderate: Counter
    health_good: Counter
    critical: Counter
    serious: Counter
    moderate: Counter
    minor: Counter
    needs_review: Counter
    total_issues: Counter
    score: number | null
    pdfs: Counter
    /** Pages that kept what a run before had found, and unchanged ones that were analysed all the same. */
    carried: Counter
    audited: Counter
    /** The first of these that had other findings. */
    reuse_fault: Generated<string | null>
    /** Re-checks of its pages that its counts do not have yet. */
    rechecked: Counter
  }
  run_plan: {
    run_id: string
    scan_name: string
    /** `ScanSettings` as of the start of the run. */
    settings: ColumnType<unknown, string, string>
    rule_set_hash: string
    axe_release: string
    browser: string | null
    /** `RunChange` against the run before; null for the first. */
    change: ColumnType<unknown, string | null, string | null>
    /** `traceparent` of the call that started it, where traces are kept. */
    trace: string | null
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
    /** Workers that were lost while they had it. */
    losses: Generated<number>
    token: string | null
    worker: string | null
    lease_until: Date | null
    not_before: Date | null
    exclusion: ExclusionReason | null
    url: string
    key: string
    found_on: string | null
    /** `host:port`, by which the pace is kept. */
    host: Generated<string>
    chain: Generated<number>
    detail: string | null
  }
  host_pace: { run_id: string; host: string; next_at: Date; gap_ms: number }
  page_link: {
    run_id: string
    id: Generated<number>
    url: string
    key_hash: Buffer | null
    targets: string[]
  }
  /** The last re-check of a page. */
  recheck: {
    page_id: string
    /** The page's run. */
    run_id: string
    state: z.output<typeof Recheck>['state']
    /** Asked for by the product: people's come first. */
    automatic: Generated<boolean>
    requested_by: string
    requested_at: Moment
    token: string | null
    lease_until: Date | null
    attempts: Generated<number>
    ended_at: Date | null
    failure: FailureReason | null
    detail: string | null
    /** New, back, fixed, still there. */
    issues: number[] | null
  }
  /** What somebody asks a worker for, and waits for. */
  preview_task: {
    id: string
    kind: PreviewKind
    /** Who waits for it. */
    person_id: string
    /** What to do, with its secrets. */
    sealed: Buffer
    created_at: Moment
    /** Renewed while somebody watches. */
    watched_until: Date
    token: string | null
    lease_until: Date | null
  }
  /** Uses of one day by one person. */
  daily_use: { person_id: string; kind: 'upload'; day: string; count: number }
  /** What a worker answers, in order of `number`. */
  preview_event: { task_id: string; number: number; sealed: Buffer }
  worker: {
    id: string
    /** Where `pid` means something: a running system and its namespace of process numbers. */
    host: string
    pid: number
    began: Generated<string>
    browser: string | null
    browser_source: string | null
    problem: string | null
    started_at: Moment
    beat_at: Moment
  }
}

export type RunRow = Selectable<RunTables['run']>

const listed = (statuses: readonly RunStatus[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`
/** The contract's lists of statuses in SQL: `status in ${runStatus.withResults}`. */
export const runStatus = {
  waiting: listed(runStatuses.waiting),
  started: listed(runStatuses.started),
  withResults: listed(runStatuses.withResults),
} as const

/** How many seconds of silence mean that others go on with the work, or that nobody needs it any more. */
export const silenceSeconds = {
  /** Of a worker before others stop counting on it. */
  worker: 30,
  /** Of a worker before the health page no longer lists it. */
  listedWorker: 90,
  /** Of a worker about its pages, before another takes them. */
  pages: 30,
  /** Of a worker about a preview, a dry run or a keystore, for which somebody is waiting. */
  task: 10,
  /** Of whoever waits for one of those, before it is given up. */
  watcher: 15,
} as const

/** What becomes of a URL of the frontier, by index as it is stored: never reorder. `excluded` ones were met, not visited. */
export const entryStates = ['waiting', 'claimed', 'done', 'excluded'] as const
export const entryState = numbered(entryStates)
