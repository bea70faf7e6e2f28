import * as z from 'zod/mini'
import { RunId, ScanId } from '../../kit/id.ts'
import { paging, queryBoolean, queryInt, queryList, searchText, sortBy } from '../../kit/paging.ts'
import { listOf } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant, Milliseconds } from '../../kit/time.ts'
import { Impact, ImpactCounts, RuleSet, Severity } from '../ruleset/schema.ts'

/** Queued, starting, retrying and running display as running. */
export const RunStatus = z.enum([
  'initial',
  'queued',
  'starting',
  'running',
  'retrying',
  'failed',
  'completed',
  'cancelled',
  'archived',
])
export type RunStatus = z.output<typeof RunStatus>
/** What a status says of a run. One with results has counts and a score, also when it is archived. */
export const runStatuses = {
  waiting: ['initial', 'queued'],
  started: ['starting', 'running', 'retrying'],
  withResults: ['completed', 'archived'],
} as const satisfies Readonly<Record<string, readonly RunStatus[]>>
const active: readonly RunStatus[] = [...runStatuses.waiting, ...runStatuses.started]
export const isActive = (status: RunStatus): boolean => active.includes(status)

/** Which scans' runs a list looks at: each scan's newest run with results, unless a run number is given. */
export const runFilter = {
  scanId: queryList(ScanId),
  runNumber: z.optional(queryInt(1, 1_000_000_000)),
}

/** The same in the body of a bulk call. */
export const runFilterInBody = {
  scanId: listOf(ScanId),
  runNumber: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))),
}

/** Why a run failed or stayed partial; each has a text in six languages that says what to change. */
export const RunProblem = z.enum([
  'start-urls-failed',
  'start-url-leaves-domains',
  'nothing-to-scan',
  'no-browser',
  'disk-full',
  'database-unavailable',
  'run-timeout',
  'invalid-settings',
  'session-failed',
  'too-many-failures',
  'internal-error',
])
export type RunProblem = z.output<typeof RunProblem>

/** found = completed + failed + excluded + otherDomainIgnored + notReached, once a run has ended. */
export const PageCounts = z.object({
  found: Count,
  completed: Count,
  failed: Count,
  retried: Count,
  excluded: Count,
  otherDomainIgnored: Count,
  /** While the run goes on: waiting or in work, as far as the page limit allows. Then what a cancelled or partial run left. */
  notReached: Count,
  unique: Count,
})
export const HealthCounts = z.object({ critical: Count, serious: Count, moderate: Count, good: Count })

export const Score = z.nullable(z.number().check(z.minimum(0), z.maximum(1)))

export const RunSummary = z.object({
  id: RunId,
  scanId: ScanId,
  number: Count,
  status: RunStatus,
  /** True when it ended but could not look at everything; `problem` says why. */
  partial: z.boolean(),
  problem: z.nullable(RunProblem),
  /** What the problem is about: a URL, a host, a path. English. */
  problemDetail: z.nullable(z.string()),
  queuedAt: Instant,
  startedAt: z.nullable(Instant),
  endedAt: z.nullable(Instant),
  durationMs: z.nullable(Milliseconds),
  score: Score,
  pages: PageCounts,
  openIssues: ImpactCounts,
})
export type RunSummary = z.output<typeof RunSummary>

/** What changed against the previous completed run; null for a first run. */
export const RunChange = z.object({
  previousNumber: Count,
  previousEndedAt: z.nullable(Instant),
  /** Null where either has no score. Positive is better. */
  score: z.nullable(z.number()),
  /** Rule sets differ, so scores do not compare. */
  ruleSetChanged: z.boolean(),
  fixed: Count,
  new: Count,
  newCritical: Count,
  back: Count,
  stillOpen: Count,
  pagesAdded: Count,
  pagesGone: Count,
  /** New and fixed ones that only another rule set or axe-core release caused; they are not among the others. */
  byRuleSet: z._default(z.object({ new: Count, fixed: Count }), { new: 0, fixed: 0 }),
  openIssues: z.object({
    critical: z.int(),
    serious: z.int(),
    moderate: z.int(),
    minor: z.int(),
    needsReview: z.int(),
  }),
})

export const RunOverview = z.extend(RunSummary, {
  scanName: z.string(),
  startUrls: z.array(z.string()),
  /** By their names; null for somebody whose account is gone. */
  owners: z.array(z.nullable(z.string())),
  ruleSet: RuleSet,
  /** Exact release and fingerprint of what was applied. */
  axeRelease: z.string(),
  browser: z.nullable(z.string()),
  /** That browser has few fonts: results that depend on the size of text may be wrong, on every page. */
  limitedFonts: z.boolean(),
  pagesByHealth: HealthCounts,
  totalIssues: Count,
  change: z.nullable(RunChange),
  /**
   * Pages that kept what a run before had found, since nothing had changed; how many such pages were tested all the same; and
   * the first of these that had other findings: then the scan tests all its pages, until it is saved again.
   */
  reuse: z.object({ carried: Count, audited: Count, fault: z.nullable(z.string()) }),
})
export type RunOverview = z.output<typeof RunOverview>

/** `/stats`: the trend over the last runs, oldest first. */
export const RunStats = z.object({
  trend: z.array(
    z.object({
      number: Count,
      endedAt: z.nullable(Instant),
      score: Score,
      pages: Count,
      openIssues: ImpactCounts,
      ruleSetChanged: z.boolean(),
    }),
  ),
})
export type RunStats = z.output<typeof RunStats>

/** `/overview/issues` */
export const IssueOverview = z.object({
  openIssues: ImpactCounts,
  byStatus: z.object({ open: Count, fixed: Count, ignored: Count }),
})
/** `/overview/pages` */
export const PageOverview = z.object({
  pages: PageCounts,
  pagesByHealth: HealthCounts,
  failures: z.array(z.object({ reason: z.string(), pages: Count })),
  exclusions: z.array(z.object({ reason: z.string(), pages: Count })),
})

/** `/violations`: one row a rule, worst first by what the score would gain. */
export const ViolationRow = z.object({
  rule: z.string(),
  impact: z.nullable(z.enum(['critical', 'serious', 'moderate', 'minor'])),
  help: z.string(),
  helpUrl: z.string(),
  tags: z.array(z.string()),
  issues: Count,
  needsReview: Count,
  pages: Count,
  /** What the run's score would rise by if every issue of this rule were fixed, 0–1. */
  scoreGain: z.number(),
})
export type ViolationRow = z.output<typeof ViolationRow>
export const ViolationQuery = z.object({
  ...paging,
  sort: sortBy(['scoreGain', 'issues', 'pages', 'impact', 'rule']),
})
/** `/violations/{x}`: the pages on which one rule fails. */
export const ViolationPage = z.object({
  pageId: z.string(),
  url: z.string(),
  title: z.nullable(z.string()),
  issues: Count,
})

export const RunListQuery = z.object({
  ...paging,
  runNumber: runFilter.runNumber,
  status: queryList(RunStatus),
  sort: sortBy(['number', 'score', 'status', 'startedAt', 'endedAt', 'durationMs', 'pages', 'issues']),
})

/** `/commonIssues`: faults inside common components, each once however many pages show it. */
export const CommonIssue = z.object({
  component: z.string(),
  rule: z.string(),
  help: z.string(),
  impact: z.nullable(Impact),
  severity: Severity,
  selector: z.string(),
  pages: Count,
  issues: Count,
  /** One of them, to open. */
  issueId: z.string(),
})
/** `/violationGroups`: the same rule and element on many pages: one fault of a template. */
export const ViolationGroup = z.object({
  groupId: z.string(),
  rule: z.string(),
  help: z.string(),
  impact: z.nullable(Impact),
  severity: Severity,
  selector: z.string(),
  pages: Count,
  issues: Count,
  issueId: z.string(),
})
export const GroupQuery = z.object({
  ...paging,
  includeNeedsReview: z._default(z.optional(queryBoolean), false),
  search: searchText,
  sort: sortBy(['pages', 'issues', 'severity', 'rule', 'selector']),
})
/** `/selectors`: elements by their selector, with what is wrong with them. */
export const SelectorRow = z.object({
  selector: z.string(),
  issues: Count,
  pages: Count,
  rules: z.array(z.string()),
  severity: Severity,
})
export const SelectorQuery = z.object({
  ...paging,
  includeNeedsReview: z._default(z.optional(queryBoolean), false),
  search: searchText,
  sort: sortBy(['selector', 'issues', 'pages', 'severity']),
})

/** `/scans/{id}/ruleset`: what the next run applies, and what the newest completed one applied. */
export const ScanRuleset = z.object({
  ruleSet: RuleSet,
  axeRelease: z.string(),
  lastRun: z.nullable(z.object({ number: Count, ruleSet: RuleSet, axeRelease: z.string() })),
})

/** Reports are sent on; when that fails the reason is in the message. */
export const ReportReply = z.object({ success: z.boolean(), message: z.optional(z.string()) })

/** Any two runs of a scan: what `run` has against `other`. */
export const RunComparison = z.object({
  run: RunSummary,
  other: RunSummary,
  score: z.nullable(z.number()),
  ruleSetChanged: z.boolean(),
  /** Issues that count, in one, in both or in the other, by severity. */
  onlyHere: ImpactCounts,
  both: ImpactCounts,
  onlyThere: ImpactCounts,
  pages: z.object({ onlyHere: Count, both: Count, onlyThere: Count }),
  /** Of those that are in one run only: what only another rule set or axe-core release caused. */
  byRuleSet: z.object({ onlyHere: Count, onlyThere: Count }),
  rules: z.array(
    z.object({
      rule: z.string(),
      help: z.string(),
      onlyHere: Count,
      both: Count,
      onlyThere: Count,
      byRuleSet: z.object({ onlyHere: Count, onlyThere: Count }),
    }),
  ),
})
export type RunComparison = z.output<typeof RunComparison>

/** Where something is: in the first run alone, in both, in the other alone. */
export const ComparedSide = z.enum(['onlyHere', 'both', 'onlyThere'])
export type ComparedSide = z.output<typeof ComparedSide>
const compared = { ...paging, side: ComparedSide }
export const ComparedIssuesQuery = z.object({
  ...compared,
  rule: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})
export const ComparedPagesQuery = z.object(compared)
/** An issue as the run saw it that has it; of both, the first one. */
export const ComparedIssue = z.object({
  issueId: z.string(),
  runNumber: Count,
  rule: z.string(),
  help: z.string(),
  severity: Severity,
  selector: z.string(),
  pageUrl: z.string(),
})
export type ComparedIssue = z.output<typeof ComparedIssue>
export const ComparedPage = z.object({
  pageId: z.string(),
  runNumber: Count,
  url: z.string(),
  title: z.nullable(z.string()),
})
export type ComparedPage = z.output<typeof ComparedPage>

export const TrendQuery = z.object({ size: z._default(z.optional(queryInt(1, 500)), 30) })

/** One message of a run's live updates: ids and counts only; the client fetches what it shows. */
export const RunEvent = z.object({
  type: z.enum(['progress', 'ended', 'refetch']),
  scanId: ScanId,
  runNumber: Count,
  status: RunStatus,
  pages: PageCounts,
  openIssues: ImpactCounts,
  score: Score,
})
export type RunEvent = z.output<typeof RunEvent>
