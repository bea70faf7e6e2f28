import * as z from 'zod/mini'
import { ScanId, TeamId, ViewId } from '../../kit/id.ts'
import { NameText } from '../../kit/name.ts'
import { searchTextQuery } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { IssueGroupBy, IssueGroupQuery, issueFilterSchemas, IssueListQuery } from '../issue/schema.ts'
import { ExclusionReason, FailureReason, Health, PageListQuery, PageSource, PageTab } from '../page/schema.ts'
import { ScanListQuery } from '../scan/schema.ts'

/** Maximum length of a query as JSON, since it becomes part of the URL. */
export const maxViewQueryLength = 4000

const createOptionalList = <T extends z.core.SomeType>(itemSchema: T) => z.optional(z.array(itemSchema).check(z.maxLength(100)))
const runNumberSchema = z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000)))
const daySchema = z.iso.date().check(z.regex(/^[12]/))
/** A single value of a list's `sort`. */
const createSortSchema = (sortSchema: z.core.$ZodType) =>
  z.optional(z.string().check(z.refine((sortText) => z.safeParse(sortSchema, [sortText]).success)))

/** Parameters that a view of each screen can set; omitted ones use the screen's defaults. */
const viewParameters = {
  scans: {
    q: searchTextQuery,
    show: z.optional(z.enum(['all', 'favorites', 'mine'])),
    by: z.optional(z.enum(['issues', 'pages'])),
    group: z.optional(z.enum(['none', 'group', 'type', 'priority'])),
    tag: z.optional(z.string().check(z.maxLength(50))),
    sort: createSortSchema(ScanListQuery.shape.sort),
  },
  issues: {
    q: searchTextQuery,
    scanId: createOptionalList(ScanId),
    run: runNumberSchema,
    pageId: createOptionalList(issueFilterSchemas.pageId),
    source: createOptionalList(issueFilterSchemas.source),
    engine: createOptionalList(issueFilterSchemas.engine),
    state: createOptionalList(issueFilterSchemas.state),
    severity: createOptionalList(issueFilterSchemas.severity),
    status: createOptionalList(issueFilterSchemas.status),
    rule: createOptionalList(issueFilterSchemas.rule),
    tag: createOptionalList(issueFilterSchemas.tag),
    change: createOptionalList(issueFilterSchemas.change),
    label: createOptionalList(issueFilterSchemas.label),
    component: createOptionalList(issueFilterSchemas.component),
    template: createOptionalList(issueFilterSchemas.template),
    ignore: createOptionalList(issueFilterSchemas.ignore),
    review: createOptionalList(issueFilterSchemas.review),
    assignedTo: createOptionalList(issueFilterSchemas.assignedTo),
    from: z.optional(daySchema),
    to: z.optional(daySchema),
    grouped: z.optional(z.boolean()),
    by: z.optional(IssueGroupBy),
    groupSort: createSortSchema(IssueGroupQuery.shape.sort),
    sort: createSortSchema(IssueListQuery.shape.sort),
  },
  pages: {
    q: searchTextQuery,
    scanId: createOptionalList(ScanId),
    run: runNumberSchema,
    tab: z.optional(PageTab),
    health: createOptionalList(Health),
    failure: createOptionalList(FailureReason),
    exclusion: createOptionalList(ExclusionReason),
    source: createOptionalList(PageSource),
    by: z.optional(z.enum(['folder'])),
    sort: createSortSchema(PageListQuery.shape.sort),
  },
}
const createQuerySchema = <T extends z.core.$ZodLooseShape>(queryShape: T) =>
  z
    .strictObject(queryShape)
    .check(z.refine((query) => JSON.stringify(query).length <= maxViewQueryLength, { params: { code: 'too-long' } }))
export const viewQueries = {
  scans: createQuerySchema(viewParameters.scans),
  issues: createQuerySchema(viewParameters.issues),
  pages: createQuerySchema(viewParameters.pages),
}
export type ViewScreen = keyof typeof viewQueries
export type ViewQuery<Screen extends ViewScreen = ViewScreen> = z.output<(typeof viewQueries)[Screen]>
export const ViewScreen = z.enum(Object.keys(viewQueries) as [ViewScreen, ...ViewScreen[]])

export const ViewAudience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('me') }),
  z.strictObject({ kind: z.literal('team'), teamId: TeamId }),
  z.strictObject({ kind: z.literal('everybody') }),
])
export type ViewAudience = z.output<typeof ViewAudience>

const viewBodyFields = {
  name: NameText,
  audience: ViewAudience,
}
export const ViewBody = z.discriminatedUnion('screen', [
  z.strictObject({ ...viewBodyFields, screen: z.literal('scans'), query: viewQueries.scans }),
  z.strictObject({ ...viewBodyFields, screen: z.literal('issues'), query: viewQueries.issues }),
  z.strictObject({ ...viewBodyFields, screen: z.literal('pages'), query: viewQueries.pages }),
])
export type ViewBody = z.output<typeof ViewBody>
export const ViewUpdate = z.strictObject({ settings: ViewBody, version: Count })

const savedViewFields = {
  id: ViewId,
  name: z.string(),
  audience: ViewAudience,
  teamName: z.nullable(z.string()),
  /** Author; null if the account was deleted. */
  author: z.nullable(z.object({ id: z.string(), name: z.string() })),
  mayChange: z.boolean(),
  updatedAt: Instant,
  version: Count,
}
export const SavedView = z.discriminatedUnion('screen', [
  z.object({ ...savedViewFields, screen: z.literal('scans'), query: z.object(viewParameters.scans) }),
  z.object({ ...savedViewFields, screen: z.literal('issues'), query: z.object(viewParameters.issues) }),
  z.object({ ...savedViewFields, screen: z.literal('pages'), query: z.object(viewParameters.pages) }),
])
export type SavedView = z.output<typeof SavedView>

/** The caller's default view of a screen. */
export const DefaultView = z.object({
  screen: ViewScreen,
  /** Current or last name of the view. */
  name: z.string(),
  /** Null if the view is no longer available. */
  view: z.nullable(SavedView),
  /** True if the view was deleted; otherwise it is no longer shared with the caller. */
  isDeleted: z.boolean(),
})
export type DefaultView = z.output<typeof DefaultView>
export const DefaultViewBody = z.strictObject({
  screen: ViewScreen,
  /** Null removes the default view. */
  viewId: z.nullable(ViewId),
})

export const ViewTeam = z.object({ id: TeamId, name: z.string() })
