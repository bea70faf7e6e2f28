import * as z from 'zod/mini'
import { IssueId, PageId, RunId, ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { createPageSchema, pagingQuery, queryBoolean, queryLists, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { createBodyLists, createIdList, everythingField } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { FindingEngine, StateFilter } from '../ruleset/drive/schema.ts'
import { Impact, ImpactCounts, Severity } from '../ruleset/schema.ts'
import { PageSource } from '../page/schema.ts'
import { runFilterQuery, runFilterInBody } from '../run/schema.ts'
import { findUrlFault } from '../scan/model.ts'

export const IssueStatus = z.enum(['none', 'open', 'fixed', 'ignored'])
export type IssueStatus = z.output<typeof IssueStatus>

/** Answer to the question whether a result that needs review is an issue. */
export const ReviewAnswer = z.enum(['issue', 'not-issue', 'unsure'])
export type ReviewAnswer = z.output<typeof ReviewAnswer>

/** Change of an issue in a run, compared with earlier runs. */
export const IssueChange = z.enum(['new', 'still', 'back', 'fixed', 'not-rechecked', 'page-gone'])

/** Location of an element as in axe-core: a selector, or a path through frames; its last step may lead through shadow roots. */
export const Target = z.array(z.union([z.string(), z.array(z.string())]))
export type Target = z.output<typeof Target>

/** Remedies as listed by axe: all of `all` and `none`, and one of `any`. */
export const Fix = z.object({ any: z.array(z.string()), all: z.array(z.string()), none: z.array(z.string()) })
export type Fix = z.output<typeof Fix>

export const Label = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(defaultLimits.nameLength),
  z.refine((text) => !/\p{Cc}/u.test(text)),
)

/** Scope of an ignore: this element on this page, the same fault on every page, a rule on a page, or a rule in the scan. */
export const IgnoreScope = z.enum(['issue', 'group', 'rule-on-page', 'rule'])
export type IgnoreScope = z.output<typeof IgnoreScope>

/** Maximum lengths: of a comment or remediation, an ignore reason, and a ticket URL. */
export const maxIssueLengths = { text: 10_000, reason: 2000, ticketUrl: 2000 } as const

export const IgnoreReason = z.string().check(z.maxLength(maxIssueLengths.reason))
/** Time at which an ignore ends, in the future; null for no end. */
export const IgnoreUntil = z.nullable(
  Instant.check(z.refine((text) => Date.parse(text) > Date.now(), { params: { code: 'in-past' } })),
)

/** URL of the issue in a tracker: a web page, without credentials. */
export const TicketUrl = z.string().check(
  z.trim(),
  z.maxLength(maxIssueLengths.ticketUrl),
  z.check(({ value, issues }) => {
    const urlFaultCode = /\s/.test(value) ? 'bad-url' : findUrlFault(value)
    if (urlFaultCode) issues.push({ code: 'custom', input: value, params: { code: urlFaultCode } })
  }),
)

/** How the issue was matched: by its key, by similarity, as moved on its page, or by its group on a new page. */
export const MatchedBy = z.enum(['key', 'alike', 'moved', 'group'])

/** `name` is null if the account was deleted. */
export const IssuePerson = z.object({ id: z.string(), name: z.nullable(z.string()) })

export const IssueSummary = z.object({
  id: IssueId,
  scanId: ScanId,
  scanName: z.string(),
  runId: RunId,
  runNumber: Count,
  pageId: PageId,
  pageUrl: z.string(),
  source: PageSource,
  rule: z.string(),
  help: z.string(),
  impact: z.nullable(Impact),
  severity: Severity,
  needsReview: z.boolean(),
  status: IssueStatus,
  change: z.nullable(IssueChange),
  engine: FindingEngine,
  /** States of the page in which it was seen: `390 px`, `dark`, `opened: Menu`; empty for the page as it arrived. */
  states: z.array(z.string()),
  selector: z.string(),
  /** Issues that a row of a grouped list stands for, otherwise those of the run with the same element, rule and status; and their pages. */
  issues: Count,
  /** Those of `issues` that are new, and that reappeared, in the run. */
  newIssues: z._default(Count, 0),
  reappearedIssues: z._default(Count, 0),
  pages: Count,
  assignedTo: z.nullable(IssuePerson),
  labels: z.array(z.string()),
  /** WCAG success criteria of the rule, such as `1.4.3`. */
  criteria: z.array(z.string()),
  /** Manual verdict on a result: an issue, not an issue, or null if undecided. */
  markedAsIssue: z.nullable(z.boolean()),
  /** Answer to a result that needs review; null until it is reviewed, and for other results. */
  review: z.nullable(ReviewAnswer),
  /** Common component that contains the element. */
  component: z.nullable(z.string()),
  ticketUrl: z.nullable(z.string()),
  /** Shared by the same element and rule on all pages of the scan; value of the `template` filter. */
  templateId: z.string(),
  firstSeenAt: Instant,
  createdAt: Instant,
  /** Last change of the fields of the issue itself. */
  updatedAt: Instant,
  /** Number of the run whose result was reused, because the page was unchanged; null if analyzed in its own run. */
  carriedFrom: z.nullable(Count),
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
  /** True if `GET /issues/{id}/picture` returns a picture: of the page, or of another page with the same element. */
  hasPicture: z.boolean(),
  /** Box of the element in the picture, in CSS pixels. */
  pictureBox: z.nullable(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
  firstSeenRun: Count,
  lastSeenRun: Count,
  fixedInRun: z.nullable(Count),
  matchedBy: MatchedBy,
  /** Reason and scope of the ignore. An open issue has one if it expired, or a later run could not tell its element apart. */
  ignore: z.nullable(
    z.object({
      id: z.string(),
      scope: IgnoreScope,
      reason: z.string(),
      author: z.nullable(IssuePerson),
      createdAt: Instant,
      until: z.nullable(Instant),
      /** True if it ended by its date. */
      expired: z.boolean(),
    }),
  ),
  /** The review with this answer; null without one. */
  reviewed: z.nullable(z.object({ reason: z.string(), author: z.nullable(IssuePerson), at: Instant })),
  remediationComment: z.nullable(z.string()),
  /** Without duplicates, at most fifty. */
  otherPages: z.array(z.object({ issueId: IssueId, pageId: PageId, url: z.string() })),
  /** Increases with each change; a PATCH with an older version fails with `edit-conflict`. */
  version: Count,
})
export type IssueDetail = z.output<typeof IssueDetail>

const ruleNameSchema = z.string().check(z.minLength(1), z.maxLength(200))

export const issueFilterSchemas = {
  pageId: PageId,
  source: PageSource,
  /** Checks that found it: axe-core on the page as it arrived, the checks of PDFs, or those by keyboard and mouse. */
  engine: FindingEngine,
  /** A state of the page, such as `390 px`, `dark` or `opened: Menu`; `opened` for all opened ones. */
  state: StateFilter,
  severity: Severity,
  status: IssueStatus,
  rule: ruleNameSchema,
  tag: ruleNameSchema,
  change: IssueChange,
  label: Label,
  /** The empty text means no component. */
  component: z.union([Label, z.literal('')]),
  template: z.uuid(),
  /** Issues that this decision ignores. */
  ignore: z.uuid(),
  /** A verdict, or `open` for results that are not reviewed yet. */
  review: z.enum(['open', ...ReviewAnswer.options]),
  /** The empty text means unassigned. */
  assignedTo: z.string().check(z.maxLength(500)),
}
/** A point in time at most `aheadMs` in the future. Dates after today are refused, but in some time zone it is tomorrow. */
const createInstantUntil = (aheadMs: number) =>
  // A text that is no time at all has its own error.
  z.optional(Instant.check(z.refine((text) => !(Date.parse(text) > Date.now() + aheadMs), { params: { code: 'in-future' } })))
const createdDateFields = { createdFrom: createInstantUntil(0), createdTo: createInstantUntil(86_400_000) }
/** Only issues that were created, or whose own fields were changed, at or after this time. Comments do not count. */
const updatedSinceField = { updatedSince: createInstantUntil(0) }

export const IssueListQuery = z.object({
  ...pagingQuery,
  ...runFilterQuery,
  ...queryLists(issueFilterSchemas),
  ...createdDateFields,
  ...updatedSinceField,
  needsReview: z.optional(queryBoolean),
  /** Part of the rule, its help text, the selector or the page's URL. */
  search: searchTextQuery,
  /** Combines the same element and rule on many pages into one row. */
  grouped: z._default(z.optional(queryBoolean), false),
  /** Pages by id: empty, then `nextCursor`; no issue is skipped or repeated by changes. Not with `page`, `sort`, `grouped`. */
  cursor: z.optional(z.union([z.literal(''), IssueId])),
  sort: sortQuery(['severity', 'rule', 'pages', 'status', 'firstSeenAt', 'pageUrl', 'selector', 'assignedTo', 'change', 'scan']),
})

/** Groupings of issues: `template` is the same element and rule on many pages. */
export const IssueGroupBy = z.enum(['rule', 'page', 'component', 'template'])
export type IssueGroupBy = z.output<typeof IssueGroupBy>
export const IssueGroupQuery = z.extend(z.omit(IssueListQuery, { grouped: true, sort: true, cursor: true }), {
  by: IssueGroupBy,
  sort: sortQuery(['severity', 'issues', 'pages', 'name']),
})

export const IssueGroup = z.object({
  /** Filter value: a rule, a page id, a component (empty for none), or a template id. */
  key: z.string(),
  /** A rule, a URL, a component, or a selector. */
  name: z.string(),
  /** For a rule or a template. */
  rule: z.nullable(z.string()),
  help: z.nullable(z.string()),
  /** For a page or a template. */
  scanName: z.nullable(z.string()),
  severity: Severity,
  /** Without results that need review. */
  issues: Count,
  needsReview: Count,
  /** Pages with these issues; if there is none, pages with results to review. */
  pages: Count,
})
export type IssueGroup = z.output<typeof IssueGroup>

/** The same filters in the body of a bulk call. */
export const IssueFilter = z.strictObject({
  ...everythingField,
  ...runFilterInBody,
  ...createBodyLists(issueFilterSchemas),
  // Groups selected in a list.
  template: createIdList(issueFilterSchemas.template),
  pageId: createIdList(issueFilterSchemas.pageId),
  ...createdDateFields,
  ...updatedSinceField,
  needsReview: z.optional(z.boolean()),
  search: searchTextQuery,
})
export type IssueFilter = z.output<typeof IssueFilter>

const filterCountFields = {
  /** Matching issues by severity, ignoring the severity filter itself. */
  severities: ImpactCounts,
  /** Number of issues behind the rows; more than `totalElements` when grouped. */
  totalIssues: Count,
}
export const IssueList = z.extend(createPageSchema(IssueSummary), {
  ...filterCountFields,
  /** `cursor` of the next call; null at the end, and without `cursor`. */
  nextCursor: z.nullable(IssueId),
})
export type IssueList = z.output<typeof IssueList>
export const IssueGroupList = z.extend(createPageSchema(IssueGroup), filterCountFields)
export type IssueGroupList = z.output<typeof IssueGroupList>

const longTextSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(maxIssueLengths.text))

export const SettableStatus = z.enum(['open', 'fixed', 'ignored'])
export type SettableStatus = z.output<typeof SettableStatus>

/** Changeable fields of one or many issues; omitted fields stay unchanged. */
export const IssueFields = z
  .strictObject({
    status: z.optional(SettableStatus),
    /** Scope (default `issue`), reason and end (default none) of the status `ignored`. */
    ignore: z.optional(
      z.strictObject({
        scope: z._default(IgnoreScope, 'issue'),
        reason: z._default(IgnoreReason, ''),
        until: z._default(IgnoreUntil, null),
      }),
    ),
    /** A person with a role on the scan; null to unassign. */
    assignedTo: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(500)))),
    /** True if a result counts as an issue. */
    markAsIssue: z.optional(z.boolean()),
    /** The verdict on results that need review; null takes it back. Other results stay unchanged. */
    review: z.optional(
      z.strictObject({
        answer: z.nullable(ReviewAnswer),
        reason: z._default(z.string().check(z.maxLength(maxIssueLengths.reason)), ''),
      }),
    ),
    remediationComment: z.optional(z.nullable(longTextSchema)),
    ticketUrl: z.optional(z.nullable(TicketUrl)),
    addLabels: z.optional(z.array(Label).check(z.minLength(1), z.maxLength(50))),
  })
  .check(z.refine((fields) => Object.keys(fields).length > 0))
  // Both decide whether a result counts.
  .check(
    z.refine(({ review, markAsIssue, status }) => review === undefined || (markAsIssue === undefined && status === undefined)),
  )
export type IssueFields = z.output<typeof IssueFields>
export const IssuePatch = z.object({ fieldsToUpdate: IssueFields, version: z.optional(Count) })

export const IssueMoment = z.object({ runNumber: Count, endedAt: z.nullable(Instant), change: IssueChange, severity: Severity })
export type IssueMoment = z.output<typeof IssueMoment>
export const maxHistoryRuns = 100

export const IssueComment = z.object({
  id: z.string(),
  /** Mentions are stored as `@[id]`. */
  text: z.string(),
  /** Mentioned people with their current names. */
  mentions: z.array(IssuePerson),
  author: z.nullable(IssuePerson),
  /** True for the author and for people who manage the scan. */
  canDelete: z.boolean(),
  /** True for the author. */
  canEdit: z.boolean(),
  createdAt: Instant,
  editedAt: z.nullable(Instant),
})
export const NewComment = z.strictObject({ text: longTextSchema })
export const NewLabels = z.strictObject({ labels: z.array(Label).check(z.minLength(1), z.maxLength(50)) })
export const OldLabel = z.strictObject({ label: Label })

/** Rules with findings in the displayed runs, as filter options. */
export const RuleCount = z.object({ rule: z.string(), help: z.string(), tags: z.array(z.string()), issues: Count })
export const TagKind = z.enum(['category', 'conformance', 'wcag', 'axe-version', 'component', 'label', 'other'])
export const TagCount = z.object({ tag: z.string(), kind: TagKind, issues: Count })
export const RunsInViewQuery = z.object({ ...runFilterQuery, search: searchTextQuery })

/** An ignore with a scope beyond one issue, as listed by the scan. */
export const Ignore = z.object({
  id: z.string(),
  scope: IgnoreScope,
  rule: z.string(),
  reason: z.string(),
  author: z.nullable(IssuePerson),
  createdAt: Instant,
  until: z.nullable(Instant),
  issues: Count,
})
