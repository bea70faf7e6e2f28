import * as z from 'zod/mini'
import { IssueId, PageId, RunId, ScanId } from '../../kit/id.ts'
import { paging, queryBoolean, queryList, sortBy } from '../../kit/paging.ts'
import { Count, Instant } from '../../kit/time.ts'
import { Impact, Severity } from '../ruleset/schema.ts'
import { runFilter } from '../run/schema.ts'

export const IssueStatus = z.enum(['none', 'open', 'fixed', 'ignored'])
export type IssueStatus = z.output<typeof IssueStatus>

/** What became of an issue in a run, against the runs before it. */
export const IssueChange = z.enum(['new', 'still', 'back', 'fixed', 'not-rechecked', 'page-gone'])

/**
 * Where an element is: one selector; or a path through frames, of which the last step may itself be a
 * path through open shadow roots. As axe-core writes it.
 */
export const Target = z.array(z.union([z.string(), z.array(z.string())]))
export type Target = z.output<typeof Target>

/** Remedies as axe names them: all of `all` and `none`, and one of `any`. */
export const Fix = z.object({ any: z.array(z.string()), all: z.array(z.string()), none: z.array(z.string()) })
export type Fix = z.output<typeof Fix>

export const IssueSummary = z.object({
  id: IssueId,
  scanId: ScanId,
  scanName: z.string(),
  runId: RunId,
  runNumber: Count,
  pageId: PageId,
  pageUrl: z.string(),
  rule: z.string(),
  help: z.string(),
  impact: z.nullable(Impact),
  severity: Severity,
  needsReview: z.boolean(),
  status: IssueStatus,
  change: z.nullable(IssueChange),
  selector: z.string(),
  /** Pages of this run on which the same element fails the same rule. */
  pages: Count,
  assignedTo: z.nullable(z.object({ id: z.string(), name: z.string() })),
  firstSeenAt: Instant,
  createdAt: Instant,
})
export type IssueSummary = z.output<typeof IssueSummary>

export const IssueDetail = z.extend(IssueSummary, {
  description: z.string(),
  helpUrl: z.string(),
  tags: z.array(z.string()),
  target: Target,
  html: z.string(),
  fix: Fix,
  pageTitle: z.nullable(z.string()),
  /** Whether `GET /issues/{id}/picture` has one. */
  hasPicture: z.boolean(),
  /** Where in the picture the element is, CSS pixels. */
  pictureBox: z.nullable(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
  firstSeenRun: Count,
  lastSeenRun: Count,
  fixedInRun: z.nullable(Count),
  otherPages: z.array(z.object({ issueId: IssueId, pageId: PageId, url: z.string() })),
  /** Grows with each change; a PATCH that names an older one is refused with `edit-conflict`. */
  version: Count,
})
export type IssueDetail = z.output<typeof IssueDetail>

const filter = {
  ...runFilter,
  pageId: queryList(PageId),
  severity: queryList(Severity),
  status: queryList(IssueStatus),
  rule: queryList(z.string().check(z.maxLength(200))),
  tag: queryList(z.string().check(z.maxLength(200))),
  change: queryList(IssueChange),
  /** Part of the rule, its help text, the selector or the page's address. */
  search: z.optional(z.string().check(z.maxLength(500))),
}
export const IssueListQuery = z.object({
  ...paging,
  ...filter,
  /** One row for the same element and rule on many pages. */
  grouped: z._default(z.optional(queryBoolean), false),
  sort: sortBy(['severity', 'rule', 'pages', 'status', 'firstSeenAt', 'pageUrl']),
})

/** A list of issues, with what its filter bar shows. */
export const IssueList = z.object({
  content: z.array(IssueSummary),
  page: z.object({ number: Count, size: Count, totalElements: Count, totalPages: Count }),
  /** Issues that match, each severity counted as if its own filter were off. */
  severities: z.object({
    critical: Count,
    serious: Count,
    moderate: Count,
    minor: Count,
    needsReview: Count,
  }),
  /** Issues behind the rows: more than `totalElements` when grouped. */
  totalIssues: Count,
})
export type IssueList = z.output<typeof IssueList>

export const IssuePatch = z.object({
  fieldsToUpdate: z.strictObject({ status: z.enum(['open', 'fixed', 'ignored']) }),
  version: z.optional(Count),
})
