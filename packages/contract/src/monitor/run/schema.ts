import * as z from 'zod/mini'
import { ScoreSample } from './sample/schema.ts'
import { UnconfirmedChange } from './unconfirmed/schema.ts'
import { RunId, ScanId } from '../../kit/id.ts'
import { pagingQuery, queryBoolean, queryInteger, queryList, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { createBodyList } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant, Milliseconds } from '../../kit/time.ts'
import { SentRequests } from '../page/request/schema.ts'
import { DrivenCounts, driveModes } from '../ruleset/drive/schema.ts'
import { SignInWay } from '../session/schema.ts'
import { Impact, ImpactCounts, RuleSet, Severity } from '../ruleset/schema.ts'

/** Queued, starting, retrying and running are all displayed as running. */
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
/** Groups of statuses. Runs with results have counts and a score, even when archived. */
export const runStatusGroups = {
  waiting: ['initial', 'queued'],
  started: ['starting', 'running', 'retrying'],
  withResults: ['completed', 'archived'],
} as const satisfies Readonly<Record<string, readonly RunStatus[]>>
const activeStatuses: readonly RunStatus[] = [...runStatusGroups.waiting, ...runStatusGroups.started]
export const isActiveStatus = (status: RunStatus): boolean => activeStatuses.includes(status)

/** Runs that a list covers: the newest run with results of each scan, unless a run number is given. */
export const runFilterQuery = { scanId: queryList(ScanId), runNumber: z.optional(queryInteger(1, 1_000_000_000)) }

/** The same filter in the body of a bulk call. */
export const runFilterInBody = {
  scanId: createBodyList(ScanId),
  runNumber: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))),
}

/** Reason why a run failed or stayed partial; each has a text in six languages with a remedy. */
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
  /** The content of the start page, or of most pages, was not seen. */
  'wall',
  /** Pages were not proved to be shown to the signed-in user. */
  'not-signed-in',
  /** A start URL leads to a page that asks for a password, and the scan does not sign in. */
  'leads-to-sign-in',
])
export type RunProblem = z.output<typeof RunProblem>

/** found = completed + failed + excluded + otherDomainIgnored + notReached + overLimit, once a run has ended. */
export const PageCounts = z.object({
  found: Count,
  completed: Count,
  /** Completed pages whose content was not seen: they have no health and are not part of the score. */
  walled: z._default(Count, 0),
  /** Completed pages that were proved to be shown to the signed-in user; 0 if the scan does not sign in by a script. */
  proved: z._default(Count, 0),
  /** Pages of such a scan without this proof: completed ones, and those that failed because the session was lost. */
  unproved: z._default(Count, 0),
  failed: Count,
  retried: Count,
  excluded: Count,
  otherDomainIgnored: Count,
  /** Pages waiting or in progress, up to the page limit; after a cancelled or partial run, those that it did not visit. */
  notReached: Count,
  /** Known URLs in the scope that were not tested because the page limit was reached; not part of `excluded`. */
  overLimit: z._default(Count, 0),
  unique: Count,
})
export const HealthCounts = z.object({ critical: Count, serious: Count, moderate: Count, good: Count })

export const Score = z.nullable(z.number().check(z.minimum(0), z.maximum(1)))

export const RunSummary = z.object({
  id: RunId,
  scanId: ScanId,
  number: Count,
  status: RunStatus,
  /** True if it ended without testing everything; `problem` is the reason. */
  partial: z.boolean(),
  problem: z.nullable(RunProblem),
  /** Subject of the problem: a URL, a host, a path. English. */
  problemDetail: z.nullable(z.string()),
  queuedAt: Instant,
  startedAt: z.nullable(Instant),
  endedAt: z.nullable(Instant),
  durationMs: z.nullable(Milliseconds),
  score: Score,
  /** Margin of error of the score; null if the page limit left nothing out, or for too few random pages. */
  sample: z._default(z.nullable(ScoreSample), null),
  pages: PageCounts,
  openIssues: ImpactCounts,
  /** Issues that were present but ignored; needs-review results do not count. */
  ignoredIssues: z._default(Count, 0),
  unconfirmed: z._default(z.nullable(UnconfirmedChange), null),
})
export type RunSummary = z.output<typeof RunSummary>

/** Issues by their change since the previous run. Everything that reports changes reports all of them. */
export const ChangeCounts = z.object({
  new: Count,
  back: Count,
  fixed: Count,
  /** Issues whose page is gone. */
  issuesGone: z._default(Count, 0),
  /** Issues that the run neither found nor proved fixed. */
  notRechecked: z._default(Count, 0),
  /** Issues that are present and ignored. */
  ignored: z._default(Count, 0),
})
export type ChangeCounts = z.output<typeof ChangeCounts>

/** Change of the score and of the open issues that decisions of people caused, not the site. */
export const DecisionChange = z.object({
  score: z.nullable(z.number()),
  openIssues: z.object({ critical: z.int(), serious: z.int(), moderate: z.int(), minor: z.int(), needsReview: z.int() }),
})
const noDecisionChange = { score: 0, openIssues: { critical: 0, serious: 0, moderate: 0, minor: 0, needsReview: 0 } }

/** Changes compared with the previous completed run; null for a first run. */
export const RunChange = z.extend(ChangeCounts, {
  previousNumber: Count,
  previousEndedAt: z.nullable(Instant),
  /**
   * With the decisions of this run on both runs. Null if either has no score; positive is better. If the page limit left out
   * pages of either run, this, `byDecisions` and `openIssues` compare only the pages that both runs tested.
   */
  score: z.nullable(z.number()),
  /** Part that decisions changed: ignored issues, issues marked as fixed or as no issue, and results marked as issues. */
  byDecisions: z._default(DecisionChange, noDecisionChange),
  /** Rule sets differ, so scores are not comparable. */
  ruleSetChanged: z.boolean(),
  /** The ignored issues that the previous run did not ignore. */
  newlyIgnored: z._default(Count, 0),
  /** Present issues that were marked as fixed or as no issue. */
  dismissed: z._default(Count, 0),
  newCritical: Count,
  stillOpen: Count,
  pagesAdded: Count,
  pagesGone: Count,
  /** Pages of the previous run that the page limit left out this time; not part of `pagesGone`. */
  pagesNotTested: z._default(Count, 0),
  /** Pages that both runs tested, if the page limit left out pages of either; otherwise null. */
  pagesCompared: z._default(z.nullable(Count), null),
  /** New and fixed issues caused only by another rule set or axe-core release; not included in the other counts. */
  byRuleSet: z._default(z.object({ new: Count, fixed: Count }), { new: 0, fixed: 0 }),
  openIssues: z.object({ critical: z.int(), serious: z.int(), moderate: z.int(), minor: z.int(), needsReview: z.int() }),
})

export const RunOverview = z.extend(RunSummary, {
  scanName: z.string(),
  startUrls: z.array(z.string()),
  /** Names; null if the account was deleted. */
  owners: z.array(z.nullable(z.string())),
  ruleSet: RuleSet,
  signIn: z._default(z.array(SignInWay), []),
  axeRelease: z.string(),
  browser: z.nullable(z.string()),
  /** The browser has few fonts: results that depend on text size may be wrong on every page. */
  limitedFonts: z.boolean(),
  /** Common components of the scan that are on no page: their selectors match nothing. Empty during a run. */
  missingComponents: z._default(z.array(z.string()), []),
  pagesByHealth: HealthCounts,
  totalIssues: Count,
  /** Open issues in common components: on each page, as all figures count them, and once per component. Null if there are none. */
  commonIssues: z._default(z.nullable(z.object({ onPages: Count, once: Count })), null),
  change: z.nullable(RunChange),
  /**
   * Reuse of unchanged pages: number of pages with reused results, number of unchanged pages tested anyway, and the
   * first of these with different findings. In that case, the scan tests all pages until it is saved again.
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
      /** Part of the change of the score since the previous run that decisions caused, such as ignored issues. */
      scoreByDecisions: z.number(),
      pages: Count,
      openIssues: ImpactCounts,
      ignoredIssues: Count,
      ruleSetChanged: z.boolean(),
    }),
  ),
})
export type RunStats = z.output<typeof RunStats>

/** `/overview/issues`, `/overview/pages` */
export const IssueOverview = z.object({
  openIssues: ImpactCounts,
  byStatus: z.object({ open: Count, fixed: Count, ignored: Count }),
})
export const PageOverview = z.object({
  requests: z._default(SentRequests, { byMethod: [], changing: [] }),
  pages: PageCounts,
  pagesByHealth: HealthCounts,
  failures: z.array(z.object({ reason: z.string(), pages: Count })),
  exclusions: z.array(z.object({ reason: z.string(), pages: Count })),
  driven: z._default(DrivenCounts, { page: 0, narrow: 0, full: 0, inPart: 0 }),
})

/** `/violations`: one row per rule, ordered by score gain. */
export const ViolationRow = z.object({
  rule: z.string(),
  impact: z.nullable(z.enum(['critical', 'serious', 'moderate', 'minor'])),
  help: z.string(),
  helpUrl: z.string(),
  tags: z.array(z.string()),
  issues: Count,
  needsReview: Count,
  pages: Count,
  /** Score increase if all issues of this rule were fixed, 0–1. */
  scoreGain: z.number(),
})
export type ViolationRow = z.output<typeof ViolationRow>
export const ViolationQuery = z.object({
  ...pagingQuery,
  /** Leaves out rules that only have results to review. */
  withIssues: z._default(z.optional(queryBoolean), false),
  sort: sortQuery(['scoreGain', 'issues', 'pages', 'impact', 'rule']),
})
/** `/violations/{x}`: the pages on which one rule fails. */
export const ViolationPage = z.object({ pageId: z.string(), url: z.string(), title: z.nullable(z.string()), issues: Count })

export const RunListQuery = z.object({
  ...pagingQuery,
  runNumber: runFilterQuery.runNumber,
  status: queryList(RunStatus),
  sort: sortQuery(['number', 'score', 'status', 'startedAt', 'endedAt', 'durationMs', 'pages', 'issues']),
})

/** `/commonIssues`: faults inside common components, each once regardless of the number of pages. */
export const CommonIssue = z.object({
  component: z.string(),
  rule: z.string(),
  help: z.string(),
  impact: z.nullable(Impact),
  severity: Severity,
  selector: z.string(),
  pages: Count,
  issues: Count,
  /** One of the issues, as a link target. */
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
  ...pagingQuery,
  includeNeedsReview: z._default(z.optional(queryBoolean), false),
  search: searchTextQuery,
  sort: sortQuery(['pages', 'issues', 'severity', 'rule', 'selector']),
})
/** `/selectors`: elements by selector, with their violated rules. */
export const SelectorRow = z.object({
  selector: z.string(),
  issues: Count,
  pages: Count,
  rules: z.array(z.string()),
  severity: Severity,
})
export const SelectorQuery = z.object({
  ...pagingQuery,
  includeNeedsReview: z._default(z.optional(queryBoolean), false),
  search: searchTextQuery,
  sort: sortQuery(['selector', 'issues', 'pages', 'severity']),
})

/** `/scans/{id}/ruleset`: rules of the next run, and of the newest completed one. */
export const ScanRuleset = z.object({
  ruleSet: RuleSet,
  axeRelease: z.string(),
  lastRun: z.nullable(z.object({ number: Count, ruleSet: RuleSet, axeRelease: z.string(), driven: z.enum(driveModes) })),
})

/** Reports are forwarded; on failure, the message contains the reason. */
export const ReportReply = z.object({ success: z.boolean(), message: z.optional(z.string()) })

/** Comparison of two runs of a scan: `run` compared with `other`. */
export const RunComparison = z.object({
  run: RunSummary,
  other: RunSummary,
  /** With the decisions of the newer run on both; on the pages that both tested if the page limit left out pages of either. */
  score: z.nullable(z.number()),
  /** Part of the difference of the scores that decisions caused. */
  scoreByDecisions: z.nullable(z.number()),
  ruleSetChanged: z.boolean(),
  /** Open issues in only this run, in both, or only in the other, by severity. */
  onlyHere: ImpactCounts,
  both: ImpactCounts,
  onlyThere: ImpactCounts,
  /** Issues that both runs found, open in only one of them because of a decision in the other: not part of the counts above. */
  ignored: z.object({ onlyHere: ImpactCounts, onlyThere: ImpactCounts }),
  pages: z.object({ onlyHere: Count, both: Count, onlyThere: Count }),
  byRuleSet: z.object({ onlyHere: Count, onlyThere: Count }),
  /** Issues in only one run because the other one did not test them again, in all and by severity; part of the counts above. */
  notRechecked: z.object({ onlyHere: Count, onlyThere: Count }),
  notRecheckedByImpact: z.object({ onlyHere: ImpactCounts, onlyThere: ImpactCounts }),
  rules: z.array(
    z.object({
      rule: z.string(),
      help: z.string(),
      onlyHere: Count,
      both: Count,
      onlyThere: Count,
      ignored: Count,
      /** Part of these counts that needs review. */
      needsReview: Count,
      byRuleSet: z.object({ onlyHere: Count, onlyThere: Count }),
      notRechecked: z.object({ onlyHere: Count, onlyThere: Count }),
    }),
  ),
})
export type RunComparison = z.output<typeof RunComparison>

/** Only in the first run, in both, or only in the other. Issues may also be found in both, and ignored in one of them. */
export const ComparedSide = z.enum(['onlyHere', 'both', 'onlyThere'])
export type ComparedSide = z.output<typeof ComparedSide>
export const ComparedIssueSide = z.enum([...ComparedSide.options, 'ignored'])
export type ComparedIssueSide = z.output<typeof ComparedIssueSide>
export const ComparedIssuesQuery = z.object({
  ...pagingQuery,
  side: ComparedIssueSide,
  rule: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  notRechecked: z.optional(queryBoolean),
})
export const ComparedPagesQuery = z.object({ ...pagingQuery, side: ComparedSide })
/** An issue as seen in its run; if it is in both, in the first one. */
export const ComparedIssue = z.object({
  issueId: z.string(),
  runNumber: Count,
  rule: z.string(),
  help: z.string(),
  severity: Severity,
  selector: z.string(),
  pageUrl: z.string(),
  /** The other run did not test it again, so that its absence there proves nothing. */
  isNotRechecked: z.boolean(),
})
export type ComparedIssue = z.output<typeof ComparedIssue>
export const ComparedPage = z.object({ pageId: z.string(), runNumber: Count, url: z.string(), title: z.nullable(z.string()) })
export type ComparedPage = z.output<typeof ComparedPage>

export const TrendQuery = z.object({ size: z._default(z.optional(queryInteger(1, 500)), 30) })

/** A message of a run's live updates: contains only ids and counts; the client fetches the displayed data. */
export const RunEvent = z.object({
  type: z.enum(['progress', 'ended', 'refetch']),
  scanId: ScanId,
  runNumber: Count,
  status: RunStatus,
  pages: PageCounts,
  pagesByHealth: HealthCounts,
  openIssues: ImpactCounts,
  score: Score,
})
