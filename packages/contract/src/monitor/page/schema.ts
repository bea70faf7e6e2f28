import * as z from 'zod/mini'
import { GroupId, IssueId, PageId, RunId, ScanId } from '../../kit/id.ts'
import { pagingQuery, queryList, queryLists, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { createBodyLists, everythingField } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant, Milliseconds } from '../../kit/time.ts'
import { WalkedPage } from '../ruleset/drive/schema.ts'
import { ImpactCounts, Severity } from '../ruleset/schema.ts'
import { SentRequests } from './request/schema.ts'
import { runFilterQuery, runFilterInBody, Score } from '../run/schema.ts'

export const PageStatus = z.enum(['completed', 'failed', 'fetched', 'archived', 'excluded', 'otherDomainIgnored'])
export type PageStatus = z.output<typeof PageStatus>
export const Health = z.enum(['critical', 'serious', 'moderate', 'good'])
export type Health = z.output<typeof Health>
export const PageSource = z.enum(['automated', 'uploaded'])
export type PageSource = z.output<typeof PageSource>

/** All reasons for which a page can fail. Texts are in the web's catalogs, retry policies in the engine. */
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
  'http-410',
  /** A challenge in front of the page that did not solve itself. */
  'bot-protection',
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
  /** Excluded by a rule, or matched by no include rule; the detail names the rule. */
  'excluded-by-rule',
  'not-included',
  'url-to-skip',
  /** It may sign out or change something on the site; the detail names the sign of it. */
  'acting-link',
  'keyword-rule',
  /** One of endlessly many URLs that a page generates: calendars, session ids. */
  'trap',
  /** A sitemap or a script: its targets become pages. */
  'not-a-page',
  'pdf-date',
  'pdf-count',
])
export type ExclusionReason = z.output<typeof ExclusionReason>

/** Limitations of a completed page's result. */
export const PageNotice = z.enum([
  'did-not-settle',
  'not-fully-loaded',
  /** An awaited element did not appear. */
  'element-not-found',
  /** A banner that asks for a choice stayed open: nothing that refuses closed it. */
  'banner-not-closed',
  /** A banner button of the scan's own matched nothing, on this page or any before. */
  'banner-button-not-found',
  'frame-not-tested',
  'issue-limit-reached',
  'content-truncated',
  /** The page links to more pages than the scan follows from one page. */
  'links-not-followed',
  'embedded-browser-fonts',
  /** A PDF with more pages than the limit. */
  'pdf-partly-checked',
  /** A PDF with parts that are missing or cannot be read. */
  'pdf-partly-read',
  /** At least half of the painted text is out of reach: inert, hidden from assistive technology, behind a modal dialog. */
  'content-out-of-reach',
  /** At least three URLs of the run show the same text. */
  'same-as-other-pages',
  /** The text, the links and the landmarks of the last whole visit are gone. */
  'unlike-last-time',
  'issues-disappeared',
  /** Requests of the page to its own site failed, and it shows hardly any content. */
  'own-requests-failed',
  /** A start page that asks for a password, in a scan that does not sign in. */
  'asks-for-password',
  /** Look-only mode held requests of the page: content may be missing. */
  'requests-held',
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
  /** Known issues of the page that the run neither found nor proved fixed. */
  notRecheckedIssues: Count,
  notices: z.array(PageNotice),
  analysedAt: z.nullable(Instant),
  /** Number of the run in which it was analyzed, if not its own: the page was unchanged since. */
  carriedFrom: z.nullable(Count),
  /**
   * Change compared with the previous run, like the run's `change`: open issues without those to review; all of them for a
   * new page, which that run did not test. Null if the page was not tested, without a previous run, or without its pages.
   */
  change: z.nullable(z.object({ previousNumber: Count, isNew: z.boolean(), openIssues: z.int() })),
})
export type PageSummary = z.output<typeof PageSummary>

export const PageDetail = z.extend(PageSummary, {
  /** Engine details in English: a URL, a host, a status line; for a tested page, the untested frames. */
  detail: z.nullable(z.string()),
  mimeType: z.nullable(z.string()),
  /** Target of a redirect, or the page that it duplicates. */
  leadsTo: z.nullable(z.string()),
  /** First page that linked here; null for a start URL. */
  foundOn: z.nullable(z.string()),
  /** Other pages of the run that link here, in visiting order: the first twenty, and their total number. */
  referrers: z.object({
    first: z.array(z.string()),
    /** Page ids for each entry of `first`; null if the run has no such page. */
    pages: z.array(z.nullable(PageId)),
    count: Count,
  }),
  /**
   * Other addresses of the page in its run, which count once: the same content and issues, and the same path or canonical URL.
   * The first twenty with the ids of their pages, and their total number.
   */
  aliases: z._default(z.object({ first: z.array(z.string()), pages: z.array(PageId), count: Count }), {
    first: [],
    pages: [],
    count: 0,
  }),
  attempts: Count,
  /** True if it was proved to be shown to the signed-in user; null if the scan does not sign in by a script. */
  isProved: z._default(z.nullable(z.boolean()), null),
  /** Requests that the page sent; null for older pages, uploads and pages that no browser opened. */
  requests: z._default(z.nullable(SentRequests), null),
  /** How far it was driven; null if it was not. */
  driven: z._default(z.nullable(WalkedPage), null),
  hasContent: z.boolean(),
  /** True if `GET /pages/{id}/picture` returns a screenshot of a failed script step. */
  hasPicture: z.boolean(),
  /** Number of screenshots that `GET /pages/{id}/views` lists. */
  views: Count,
  /** Issues beyond the stored maximum; only counted. */
  issuesNotStored: Count,
  /** True if `GET /pages/{id}/recheck` returns a re-check. */
  isRechecked: z._default(z.boolean(), false),
})
export type PageDetail = z.output<typeof PageDetail>

/** A screenshot of a page in a run, with the page's visible open issues, worst first. */
export const PageView = z.object({
  number: Count,
  issues: z.array(
    z.object({
      id: IssueId,
      rule: z.string(),
      help: z.string(),
      severity: Severity,
      selector: z.string(),
      /** Box in the screenshot's CSS pixels. */
      box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    }),
  ),
})
export type PageView = z.output<typeof PageView>

const pageFilterSchemas = {
  pageId: PageId,
  status: PageStatus,
  health: Health,
  failure: FailureReason,
  exclusion: ExclusionReason,
  source: PageSource,
}

const pageListFields = {
  ...pagingQuery,
  ...runFilterQuery,
  /** Adds the scans of these groups. */
  groupId: queryList(GroupId),
  ...queryLists(pageFilterSchemas),
  /** Part of the URL or title. */
  search: searchTextQuery,
}

export const PageListQuery = z.object({
  ...pageListFields,
  sort: sortQuery([
    'url',
    'title',
    'health',
    'status',
    'source',
    'openIssues',
    'fixedIssues',
    'notRecheckedIssues',
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

/** `/pages/folders`: the folders directly below one, or the sites without one. */
export const PageFolderQuery = z.object({ ...pageListFields, parent: z._default(z.string().check(z.maxLength(4000)), '') })

export const PageFolder = z.object({
  /** Beginning of its URLs, with a slash at its end; null for the pages that are in the parent itself. */
  path: z.nullable(z.string()),
  /** Matching URLs, whatever their status. */
  pages: Count,
  tested: Count,
  /** Structures of the tested pages. Pages of unknown structure are none. */
  templates: Count,
  /** URLs without a result by the reason, the most frequent first. */
  untested: z.array(z.object({ reason: z.union([FailureReason, ExclusionReason]), urls: Count })),
  /** Score of its pages, like that of a run. */
  score: Score,
  openIssues: ImpactCounts,
  hasFolders: z.boolean(),
})
export type PageFolder = z.output<typeof PageFolder>

/** Tested pages with one structure that are in a folder itself. */
export const PageTemplate = z.object({
  /** Equal for pages with the same structure; null for those of unknown structure, such as PDFs. */
  template: z.nullable(z.string()),
  /** Page with the most issues. */
  example: z.object({ id: PageId, url: z.string(), title: z.nullable(z.string()) }),
  pages: Count,
  score: Score,
  openIssues: ImpactCounts,
})
export type PageTemplate = z.output<typeof PageTemplate>

export const PageTab = z.union([
  z.enum(['completed', 'failed', 'excluded']),
  // Earlier name of the third tab, still used by saved views and bookmarks.
  z.pipe(
    z.literal('left'),
    z.pipe(
      z.transform<'left', 'excluded'>(() => 'excluded'),
      z.literal('excluded'),
    ),
  ),
])
export type PageTab = z.output<typeof PageTab>

/** The same filters in the body of a bulk call. */
export const PageFilter = z.strictObject({
  ...everythingField,
  ...runFilterInBody,
  ...createBodyLists(pageFilterSchemas),
  search: searchTextQuery,
})
export type PageFilter = z.output<typeof PageFilter>
