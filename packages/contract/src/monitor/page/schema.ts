import * as z from 'zod/mini'
import { GroupId, IssueId, PageId, RunId, ScanId } from '../../kit/id.ts'
import { paging, queryList, queryLists, searchText, sortBy } from '../../kit/paging.ts'
import { bodyLists } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant, Milliseconds } from '../../kit/time.ts'
import { ImpactCounts, Severity } from '../ruleset/schema.ts'
import { runFilter, runFilterInBody } from '../run/schema.ts'

export const PageStatus = z.enum([
  'completed',
  'failed',
  'fetched',
  'archived',
  'excluded',
  'otherDomainIgnored',
])
export type PageStatus = z.output<typeof PageStatus>
export const Health = z.enum(['critical', 'serious', 'moderate', 'good'])
export type Health = z.output<typeof Health>
export const PageSource = z.enum(['automated', 'uploaded'])
export type PageSource = z.output<typeof PageSource>

/** Every reason for which a page can fail. Texts are in the web's catalogues, retries in the engine. */
export const FailureReason = z.enum([
  'bad-url',
  'unknown-host',
  'connection-refused',
  'connection-failed',
  'bad-certificate',
  'address-refused',
  'http-400',
  'http-401',
  'http-403',
  'http-404',
  'http-error',
  'redirect-loop',
  'client-redirect',
  'timeout-download',
  'timeout-command',
  'timeout-generic',
  'too-large',
  'binary-instead-of-html',
  'html-instead-of-pdf',
  'pdf-damaged',
  'pdf-locked',
  'pdf-too-complex',
  'mime-type',
  'violates-settings',
  'authentication',
  'session-failed',
  'task-not-processed',
  'invalid-task',
  'invalid-header',
  'script-event-missing',
  'page-crashed',
  'out-of-memory',
  'too-many-dialogs',
  'axe-failed',
  'rules-not-found',
  'browser-driver',
  'browser-cluster',
  'server-not-updated',
  'results-not-saved',
  'backend',
])
export type FailureReason = z.output<typeof FailureReason>

/** Why a URL that was met was excluded. */
export const ExclusionReason = z.enum([
  'other-domain',
  'outside-folder',
  'too-deep',
  'over-limit',
  'robots',
  'mime-type',
  'redirect',
  'duplicate',
  'scheme',
  /** A rule that excludes, and the rules of which one has to fit; the detail names the rule. */
  'excluded-by-rule',
  'not-included',
  'url-to-skip',
  'keyword-rule',
  /** One of ever more URLs that a page makes up: calendars, session ids. */
  'trap',
  /** A sitemap or a script: what it leads to becomes pages. */
  'not-a-page',
  'pdf-date',
  'pdf-count',
])
export type ExclusionReason = z.output<typeof ExclusionReason>

/** What a completed page says about how far its result can be trusted. */
export const PageNotice = z.enum([
  'did-not-settle',
  'not-fully-loaded',
  /** What the scan waits for did not come. */
  'element-not-found',
  'frame-not-tested',
  'issue-limit-reached',
  'content-truncated',
  'embedded-browser-fonts',
  /** A PDF with more pages than are looked at. */
  'pdf-partly-checked',
])
export type PageNotice = z.output<typeof PageNotice>

export const PageSummary = z.object({
  id: PageId,
  scanId: ScanId,
  scanName: z.string(),
  runId: RunId,
  runNumber: Count,
  url: z.string(),
  title: z.nullable(z.string()),
  status: PageStatus,
  source: PageSource,
  health: z.nullable(Health),
  failure: z.nullable(FailureReason),
  exclusion: z.nullable(ExclusionReason),
  httpStatus: z.nullable(z.int()),
  depth: Count,
  durationMs: z.nullable(Milliseconds),
  openIssues: ImpactCounts,
  fixedIssues: Count,
  notices: z.array(PageNotice),
  analysedAt: z.nullable(Instant),
  /** The number of the run in which it was analysed, where that is not its own: nothing had changed since. */
  carriedFrom: z.nullable(Count),
  /**
   * Against the run before, as its run's `change`: what is more or less open, without what is to be reviewed. Of a new page, which
   * that run did not test, this is all of it. Null for a page that was not tested, without a run before, and once its pages are gone.
   */
  change: z.nullable(z.object({ previousNumber: Count, isNew: z.boolean(), openIssues: z.int() })),
})
export type PageSummary = z.output<typeof PageSummary>

export const PageDetail = z.extend(PageSummary, {
  /** What the engine saw, in English: a URL, a host, a status line; of a tested page, the frames that were not tested. */
  detail: z.nullable(z.string()),
  mimeType: z.nullable(z.string()),
  /** Where a redirect led; also the page that it duplicates. */
  leadsTo: z.nullable(z.string()),
  /** The first page that linked here; null for a start URL. */
  foundOn: z.nullable(z.string()),
  /** The pages of the run that link here, in the order in which they were visited: the first twenty, and their number. */
  referrers: z.object({
    first: z.array(z.string()),
    /** Each of `first` as a page of the run; null for one that the run does not have. */
    pages: z.array(z.nullable(PageId)),
    count: Count,
  }),
  attempts: Count,
  hasContent: z.boolean(),
  /** Whether `GET /pages/{id}/picture` has one: of the moment in which a step of a script failed. */
  hasPicture: z.boolean(),
  /** How many photographs `GET /pages/{id}/views` lists. */
  views: Count,
  /** Issues beyond the stored maximum, counted only. */
  issuesNotStored: Count,
})
export type PageDetail = z.output<typeof PageDetail>

/** A photograph of a page, as the run saw it, with the open issues of the page that it shows, worst first. */
export const PageView = z.object({
  number: Count,
  issues: z.array(
    z.object({
      id: IssueId,
      rule: z.string(),
      help: z.string(),
      severity: Severity,
      selector: z.string(),
      /** In the photograph's CSS pixels. */
      box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    }),
  ),
})
export type PageView = z.output<typeof PageView>

/** What a list of pages can be narrowed by, each to one of several values. */
const filters = {
  pageId: PageId,
  status: PageStatus,
  health: Health,
  failure: FailureReason,
  exclusion: ExclusionReason,
  source: PageSource,
}

export const PageListQuery = z.object({
  ...paging,
  ...runFilter,
  /** The scans of these groups too, besides those named. */
  groupId: queryList(GroupId),
  ...queryLists(filters),
  /** Part of the URL or title. */
  search: searchText,
  sort: sortBy([
    'url',
    'title',
    'health',
    'status',
    'source',
    'openIssues',
    'fixedIssues',
    'change',
    'critical',
    'serious',
    'moderate',
    'minor',
    'durationMs',
    'depth',
    'httpStatus',
    'analysedAt',
    'scan',
  ]),
})

/** The tabs of the list of pages. */
export const PageTab = z.union([
  z.enum(['completed', 'failed', 'excluded']),
  // An earlier name of the third: saved views and bookmarks still say so.
  z.pipe(
    z.literal('left'),
    z.pipe(
      z.transform<'left', 'excluded'>(() => 'excluded'),
      z.literal('excluded'),
    ),
  ),
])
export type PageTab = z.output<typeof PageTab>

/** The same in the body of a bulk call. */
export const PageFilter = z.strictObject({ ...runFilterInBody, ...bodyLists(filters), search: searchText })
export type PageFilter = z.output<typeof PageFilter>
