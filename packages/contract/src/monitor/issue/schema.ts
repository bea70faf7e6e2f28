import * as z from 'zod/mini'
import { IssueId, PageId, RunId, ScanId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { pageOf, paging, queryBoolean, queryLists, searchText, sortBy } from '../../kit/paging.ts'
import { bodyLists, idList } from '../../kit/selection.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { Impact, ImpactCounts, Severity } from '../ruleset/schema.ts'
import { PageSource } from '../page/schema.ts'
import { runFilter, runFilterInBody } from '../run/schema.ts'
import { urlFault } from '../scan/model.ts'

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

/** A word that people put on issues. */
export const Label = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(defaultLimits.nameLength),
  z.refine((text) => !/\p{Cc}/u.test(text)),
)

/** What an ignore covers: this element on this page, the same fault on every page, a rule on a page, or in the scan. */
export const IgnoreScope = z.enum(['issue', 'group', 'rule-on-page', 'rule'])
export type IgnoreScope = z.output<typeof IgnoreScope>

/** Characters: of a comment or a remedy, of the reason for an ignore, of the URL of a ticket. */
export const issueLengths = { text: 10_000, reason: 2000, ticketUrl: 2000 } as const

/** Where the work on an issue is followed, in whatever tracker: a web page, without credentials. */
export const TicketUrl = z.string().check(
  z.trim(),
  z.maxLength(issueLengths.ticketUrl),
  z.check(({ value, issues }) => {
    const code = /\s/.test(value) ? 'bad-url' : urlFault(value)
    if (code) issues.push({ code: 'custom', input: value, params: { code } })
  }),
)

/** How the issue was known again: by its key, by likeness, as moved on its page, or by its group on a new page. */
export const MatchedBy = z.enum(['key', 'alike', 'moved', 'group'])

/** Without a name, somebody whose account is gone. */
const Person = z.object({ id: z.string(), name: z.nullable(z.string()) })

export const IssueSummary = z.object({
  id: IssueId,
  scanId: ScanId,
  scanName: z.string(),
  runId: RunId,
  runNumber: Count,
  pageId: PageId,
  pageUrl: z.string(),
  /** Of its page. */
  source: PageSource,
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
  assignedTo: z.nullable(Person),
  labels: z.array(z.string()),
  /** The success criteria of WCAG that the rule is about: `1.4.3`. */
  criteria: z.array(z.string()),
  /** What a person said of a result: counts as an issue, does not, or nobody said. */
  markedAsIssue: z.nullable(z.boolean()),
  /** The common component that the element is in. */
  component: z.nullable(z.string()),
  ticketUrl: z.nullable(z.string()),
  /** Shared by the same element and rule on all pages of the scan: what `template` filters by. */
  templateId: z.string(),
  firstSeenAt: Instant,
  createdAt: Instant,
  /** The number of the run that saw it, where that is not its own: nothing on the page had changed since. */
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
  /** Whether `GET /issues/{id}/picture` has one: of the page, or of another that shows the element alike. */
  hasPicture: z.boolean(),
  /** Where in the picture the element is, CSS pixels. */
  pictureBox: z.nullable(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
  firstSeenRun: Count,
  lastSeenRun: Count,
  fixedInRun: z.nullable(Count),
  matchedBy: MatchedBy,
  /** Why it is ignored, and how far that reaches. */
  ignore: z.nullable(
    z.object({
      id: z.string(),
      scope: IgnoreScope,
      reason: z.string(),
      author: z.nullable(Person),
      createdAt: Instant,
    }),
  ),
  remediationComment: z.nullable(z.string()),
  /** Each page once, fifty at most. */
  otherPages: z.array(z.object({ issueId: IssueId, pageId: PageId, url: z.string() })),
  /** Grows with each change; a PATCH that names an older one is refused with `edit-conflict`. */
  version: Count,
})
export type IssueDetail = z.output<typeof IssueDetail>

const ruleName = z.string().check(z.minLength(1), z.maxLength(200))

/** What a list of issues can be narrowed by, each to one of several values. */
export const issueFilters = {
  pageId: PageId,
  /** Of the page that it is on. */
  source: PageSource,
  severity: Severity,
  status: IssueStatus,
  rule: ruleName,
  tag: ruleName,
  change: IssueChange,
  label: Label,
  /** The empty text means in none. */
  component: z.union([Label, z.literal('')]),
  template: z.uuid(),
  /** The empty text means nobody. */
  assignedTo: z.string().check(z.maxLength(500)),
}
/** A moment that lies no further ahead: dates after today are refused, and somewhere on Earth it is tomorrow already. */
const momentUntil = (aheadMs: number) =>
  z.optional(
    Instant.check(
      z.refine((text) => Date.parse(text) <= Date.now() + aheadMs, { params: { code: 'in-future' } }),
    ),
  )
const dates = { createdFrom: momentUntil(0), createdTo: momentUntil(86_400_000) }

export const IssueListQuery = z.object({
  ...paging,
  ...runFilter,
  ...queryLists(issueFilters),
  ...dates,
  needsReview: z.optional(queryBoolean),
  /** Part of the rule, its help text, the selector or the page's URL. */
  search: searchText,
  /** One row for the same element and rule on many pages. */
  grouped: z._default(z.optional(queryBoolean), false),
  sort: sortBy([
    'severity',
    'rule',
    'pages',
    'status',
    'firstSeenAt',
    'pageUrl',
    'selector',
    'assignedTo',
    'change',
    'scan',
  ]),
})

/** What issues can be summed up by: `template` is the same element and rule on many pages. */
export const IssueGroupBy = z.enum(['rule', 'page', 'component', 'template'])
export type IssueGroupBy = z.output<typeof IssueGroupBy>
export const IssueGroupQuery = z.extend(z.omit(IssueListQuery, { grouped: true, sort: true }), {
  by: IssueGroupBy,
  sort: sortBy(['severity', 'issues', 'pages', 'name']),
})

/** Issues that have something in common, and what of the list's filters takes just them. */
export const IssueGroup = z.object({
  /** The value of the filter: a rule, an id of a page, a component (the empty text for none), an id of a template. */
  key: z.string(),
  /** A rule, a URL, a component, a selector. */
  name: z.string(),
  /** Of a rule or a template. */
  rule: z.nullable(z.string()),
  help: z.nullable(z.string()),
  /** Of a page or a template. */
  scanName: z.nullable(z.string()),
  /** The worst. */
  severity: Severity,
  issues: Count,
  /** Of them: results that a person has to look at. */
  needsReview: Count,
  pages: Count,
})
export type IssueGroup = z.output<typeof IssueGroup>

/** The same in the body of a bulk call. */
export const IssueFilter = z.strictObject({
  ...runFilterInBody,
  ...bodyLists(issueFilters),
  // What is ticked in a list of groups.
  template: idList(issueFilters.template),
  pageId: idList(issueFilters.pageId),
  ...dates,
  needsReview: z.optional(z.boolean()),
  search: searchText,
})
export type IssueFilter = z.output<typeof IssueFilter>

const filterCounts = {
  /** Issues that match, each severity counted as if its own filter were off. */
  severities: ImpactCounts,
  /** Issues behind the rows: more than `totalElements` when grouped. */
  totalIssues: Count,
}
/** A list of issues, with what its filter bar shows. */
export const IssueList = z.extend(pageOf(IssueSummary), filterCounts)
export type IssueList = z.output<typeof IssueList>
export const IssueGroupList = z.extend(pageOf(IssueGroup), filterCounts)
export type IssueGroupList = z.output<typeof IssueGroupList>

const longText = z.string().check(z.trim(), z.minLength(1), z.maxLength(issueLengths.text))

/** What can be changed on one issue or on many at once; what is left out stays. */
export const IssueFields = z
  .strictObject({
    status: z.optional(z.enum(['open', 'fixed', 'ignored'])),
    /** With the status `ignored`: how far it reaches (`issue` unless said), and why. */
    ignore: z.optional(
      z.strictObject({
        scope: z._default(IgnoreScope, 'issue'),
        reason: z._default(z.string().check(z.maxLength(issueLengths.reason)), ''),
      }),
    ),
    /** Somebody with a role on the scan; null for nobody. */
    assignedTo: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(500)))),
    /** Whether a result counts as an issue. */
    markAsIssue: z.optional(z.boolean()),
    remediationComment: z.optional(z.nullable(longText)),
    ticketUrl: z.optional(z.nullable(TicketUrl)),
    addLabels: z.optional(z.array(Label).check(z.minLength(1), z.maxLength(50))),
  })
  .check(z.refine((fields) => Object.keys(fields).length > 0))
export type IssueFields = z.output<typeof IssueFields>
export const IssuePatch = z.object({ fieldsToUpdate: IssueFields, version: z.optional(Count) })

/** What one run saw of an issue. */
export const IssueMoment = z.object({
  runNumber: Count,
  endedAt: z.nullable(Instant),
  change: IssueChange,
  severity: Severity,
})
export type IssueMoment = z.output<typeof IssueMoment>
/** The most runs in a history. */
export const longestHistory = 100

export const IssueComment = z.object({
  id: z.string(),
  /** Somebody who is mentioned is stored in it as `@[id]`. */
  text: z.string(),
  /** Who is mentioned, as they are called now. */
  mentions: z.array(Person),
  author: z.nullable(Person),
  /** Whoever wrote it, or manages the scan. */
  canDelete: z.boolean(),
  /** Whoever wrote it. */
  canEdit: z.boolean(),
  createdAt: Instant,
  editedAt: z.nullable(Instant),
})
export const NewComment = z.strictObject({ text: longText })
export const NewLabels = z.strictObject({ labels: z.array(Label).check(z.minLength(1), z.maxLength(50)) })
export const OldLabel = z.strictObject({ label: Label })

/** Rules that have findings in the runs in view: what a filter offers. */
export const RuleCount = z.object({
  rule: z.string(),
  help: z.string(),
  tags: z.array(z.string()),
  issues: Count,
})
/** What a tag is about. */
export const TagKind = z.enum([
  'category',
  'conformance',
  'wcag',
  'axe-version',
  'component',
  'label',
  'other',
])
export const TagCount = z.object({ tag: z.string(), kind: TagKind, issues: Count })
export const RunsInViewQuery = z.object({ ...runFilter, search: searchText })

/** An ignore that reaches further than one issue, as the scan lists it. */
export const Ignore = z.object({
  id: z.string(),
  scope: IgnoreScope,
  rule: z.string(),
  reason: z.string(),
  author: z.nullable(Person),
  createdAt: Instant,
  issues: Count,
})
