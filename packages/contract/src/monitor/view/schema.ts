import * as z from 'zod/mini'
import { ScanId, TeamId, ViewId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { searchText } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { IssueGroupBy, IssueGroupQuery, issueFilters, IssueListQuery } from '../issue/schema.ts'
import { ExclusionReason, FailureReason, Health, PageListQuery, PageSource, PageTab } from '../page/schema.ts'
import { ScanListQuery } from '../scan/schema.ts'

/** Characters of a query, as JSON: it goes into the address bar. */
export const viewQueryLength = 4000

const listOf = <T extends z.core.SomeType>(item: T) => z.optional(z.array(item).check(z.maxLength(100)))
const run = z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000)))
const day = z.iso.date().check(z.regex(/^[12]/))
/** One word of a list's `sort`. */
const sortOf = (sort: z.core.$ZodType) =>
  z.optional(z.string().check(z.refine((word) => z.safeParse(sort, [word]).success)))

/** The parameters that a view of each screen can set; one that it leaves out is as the screen has it by itself. */
const parameters = {
  scans: {
    q: searchText,
    show: z.optional(z.enum(['all', 'favorites', 'mine'])),
    by: z.optional(z.enum(['issues', 'pages'])),
    group: z.optional(z.enum(['none', 'group', 'type', 'priority'])),
    tag: z.optional(z.string().check(z.maxLength(50))),
    sort: sortOf(ScanListQuery.shape.sort),
  },
  issues: {
    q: searchText,
    scanId: listOf(ScanId),
    run,
    pageId: listOf(issueFilters.pageId),
    source: listOf(issueFilters.source),
    severity: listOf(issueFilters.severity),
    status: listOf(issueFilters.status),
    rule: listOf(issueFilters.rule),
    tag: listOf(issueFilters.tag),
    change: listOf(issueFilters.change),
    label: listOf(issueFilters.label),
    component: listOf(issueFilters.component),
    template: listOf(issueFilters.template),
    assignedTo: listOf(issueFilters.assignedTo),
    from: z.optional(day),
    to: z.optional(day),
    grouped: z.optional(z.boolean()),
    by: z.optional(IssueGroupBy),
    groupSort: sortOf(IssueGroupQuery.shape.sort),
    sort: sortOf(IssueListQuery.shape.sort),
  },
  pages: {
    q: searchText,
    scanId: listOf(ScanId),
    run,
    tab: z.optional(PageTab),
    health: listOf(Health),
    failure: listOf(FailureReason),
    exclusion: listOf(ExclusionReason),
    source: listOf(PageSource),
    sort: sortOf(PageListQuery.shape.sort),
  },
}
const queryOf = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape).check(
    z.refine((query) => JSON.stringify(query).length <= viewQueryLength, {
      params: { code: 'too-long' },
    }),
  )
/** The screens whose views can be saved, each with its query. */
export const viewQueries = {
  scans: queryOf(parameters.scans),
  issues: queryOf(parameters.issues),
  pages: queryOf(parameters.pages),
}
export type ViewScreen = keyof typeof viewQueries
export type ViewQuery<S extends ViewScreen = ViewScreen> = z.output<(typeof viewQueries)[S]>
export const ViewScreen = z.enum(Object.keys(viewQueries) as [ViewScreen, ...ViewScreen[]])

/** Whom a view is for. */
export const ViewAudience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('me') }),
  z.strictObject({ kind: z.literal('team'), teamId: TeamId }),
  z.strictObject({ kind: z.literal('everybody') }),
])
export type ViewAudience = z.output<typeof ViewAudience>

const body = {
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength)),
  audience: ViewAudience,
}
/** A view as somebody saves it. */
export const ViewBody = z.discriminatedUnion('screen', [
  z.strictObject({ ...body, screen: z.literal('scans'), query: viewQueries.scans }),
  z.strictObject({ ...body, screen: z.literal('issues'), query: viewQueries.issues }),
  z.strictObject({ ...body, screen: z.literal('pages'), query: viewQueries.pages }),
])
export type ViewBody = z.output<typeof ViewBody>
export const ViewUpdate = z.strictObject({ settings: ViewBody, version: Count })

const shown = {
  id: ViewId,
  name: z.string(),
  audience: ViewAudience,
  /** Of the team that it is for. */
  teamName: z.nullable(z.string()),
  /** Who saved it; null when that account is gone. */
  author: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Whether the caller may change and delete it. */
  mayChange: z.boolean(),
  updatedAt: Instant,
  version: Count,
}
export const SavedView = z.discriminatedUnion('screen', [
  z.object({ ...shown, screen: z.literal('scans'), query: z.object(parameters.scans) }),
  z.object({ ...shown, screen: z.literal('issues'), query: z.object(parameters.issues) }),
  z.object({ ...shown, screen: z.literal('pages'), query: z.object(parameters.pages) }),
])
export type SavedView = z.output<typeof SavedView>

/** The view with which a screen opens for the caller. */
export const DefaultView = z.object({
  screen: ViewScreen,
  /** What it is called, or was. */
  name: z.string(),
  /** Null when there is none any more to open. */
  view: z.nullable(SavedView),
  /** Why: it was deleted, else it is no longer shared with the caller. */
  isDeleted: z.boolean(),
})
export type DefaultView = z.output<typeof DefaultView>
export const DefaultViewBody = z.strictObject({
  screen: ViewScreen,
  /** Null for none. */
  viewId: z.nullable(ViewId),
})

/** A team that the caller can save views for. */
export const ViewTeam = z.object({ id: TeamId, name: z.string() })
