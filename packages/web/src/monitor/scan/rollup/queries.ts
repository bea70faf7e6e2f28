import type { GroupId, ScanId } from '@clearway/contract/kit/id.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../../user/model.ts'
import { allScansQuery } from '../queries.ts'
import type { RollupScope, RollupSearch } from './model.ts'

/** Rows that each table of the board shows: the worst, not a list to page through. */
const shown = 10
/** New issues are counted over this many days. */
const newDays = 7
/** Up to this span the trend goes by day, beyond it by week. */
const byDayUpTo = 30

const scopeOf = ({ scanId, groupId }: RollupScope) => ({ scanId, groupId })

/** How the scans stood over time. */
export const rollupTrendQuery = (api: MonitorApi, search: RollupSearch) => {
  const { days } = search
  const query = {
    ...scopeOf(search),
    days,
    by: days <= byDayUpTo ? ('day' as const) : ('week' as const),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  return queryOptions({
    queryKey: ['rollup', 'trend', query],
    queryFn: ({ signal }) => api.rollupTrend({ query }, signal),
    placeholderData: keepPreviousData,
  })
}

/** The rules with the most open issues. */
export const rollupRulesQuery = (api: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'rules', scopeOf(search)],
    queryFn: ({ signal }) => api.rollupRules({ query: { ...scopeOf(search), size: shown } }, signal),
    placeholderData: keepPreviousData,
  })

/** The element patterns with the most open issues. */
export const rollupTemplatesQuery = (api: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'templates', scopeOf(search)],
    queryFn: ({ signal }) => api.rollupTemplates({ query: { ...scopeOf(search), size: shown } }, signal),
    placeholderData: keepPreviousData,
  })

/** What the runs of the last days found. */
export const rollupChangesQuery = (api: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'changes', scopeOf(search)],
    queryFn: ({ signal }) => api.rollupChanges({ query: { ...scopeOf(search), days: newDays } }, signal),
    placeholderData: keepPreviousData,
  })

/** The pages with the gravest issues over all these scans. */
export const worstPagesQuery = (api: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'pages', scopeOf(search)],
    queryFn: ({ signal }) =>
      api.listPages(
        {
          query: {
            ...scopeOf(search),
            status: ['completed'],
            health: ['critical', 'serious', 'moderate'],
            size: shown,
            sort: ['health,asc', 'critical,desc', 'serious,desc'],
          },
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

export type ScopeChoices = {
  scans: { id: ScanId; name: string; groups: GroupId[] }[]
  groups: { id: GroupId; name: string }[]
}

/** Scans and groups that the board can be about, by name: the groups of the scans, and those that the reader manages. */
export const rollupChoicesQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'rollup-choices'],
    queryFn: async ({ client, signal }): Promise<ScopeChoices> => {
      const [scans, own] = await Promise.all([
        client.fetchQuery(allScansQuery(api)),
        api.listGroups({ query: { size: 0 } }, signal),
      ])
      const groups = new Map([
        ...scans.flatMap((scan) => scan.groups.map(({ id, name }) => [id, name] as const)),
        ...own.content.map(
          ({ scanGroupId, scanGroupName }) => [scanGroupId as string, scanGroupName] as const,
        ),
      ])
      const byName = [...groups].map(([id, name]) => ({ id: id as GroupId, name }))
      return {
        scans: scans.map(({ id, name, groups: among }) => ({
          id,
          name,
          groups: among.map((group) => group.id as GroupId),
        })),
        groups: byName.toSorted((a, b) => a.name.localeCompare(b.name)),
      }
    },
    staleTime: 60_000,
  })

/** How the groups of the scans do. */
export const rollupGroupsQuery = (api: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'groups', scopeOf(search)],
    queryFn: ({ signal }) => api.rollupGroups({ query: scopeOf(search) }, signal),
    placeholderData: keepPreviousData,
  })

/** The scans whose newest run failed, of all that somebody sees. */
export const failedScansQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'failed'],
    queryFn: ({ signal }) =>
      api.listScans({ query: { status: ['failed'], size: shown, sort: ['lastRun,desc'] } }, signal),
  })

/** The worst open issues that somebody is to deal with, and how many there are. */
export const ownIssuesQuery = (api: MonitorApi, person: string) =>
  queryOptions({
    queryKey: ['issues', 'own', person],
    queryFn: ({ signal }) =>
      api.listIssues({ query: { assignedTo: [person], status: ['open'], size: shown } }, signal),
  })
