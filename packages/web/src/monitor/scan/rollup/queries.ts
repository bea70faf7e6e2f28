import type { GroupId, ScanId } from '@clearway/contract/kit/id.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MonitorApi } from '../../user/model.ts'
import { allScansQuery } from '../queries.ts'
import type { RollupScope, RollupSearch } from './model.ts'

/** Number of rows in each table of the dashboard; only the first entries, without paging. */
const maxTableRows = 10
/** Number of the lowest-scoring pages, which mostly look alike, in all and of each scan. */
const maxLowestPages = 5
const maxLowestPagesOfScan = 2
/** Number of pages among which those of several scans are sought. */
const lowestPageCandidates = 50

type ScanPage = { scanId: ScanId }
const countEarlier = (pages: readonly ScanPage[], { scanId }: ScanPage, end: number): number =>
  pages.slice(0, end).filter((page) => page.scanId === scanId).length
/** Period in days for which new issues are counted. */
const changePeriodDays = 7
/** Longest period in days with daily points; longer trends have weekly points. */
const maxDailyPeriod = 30

const pickScope = ({ scanId, groupId }: RollupScope) => ({ scanId, groupId })

export const rollupTrendQuery = (apiClient: MonitorApi, search: RollupSearch) => {
  const { days: periodDays } = search
  const trendParams = {
    ...pickScope(search),
    days: periodDays,
    by: periodDays <= maxDailyPeriod ? ('day' as const) : ('week' as const),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  return queryOptions({
    queryKey: ['rollup', 'trend', trendParams],
    queryFn: ({ signal }) => apiClient.rollupTrend({ query: trendParams }, signal),
    placeholderData: keepPreviousData,
  })
}

export const rollupRulesQuery = (apiClient: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'rules', pickScope(search)],
    queryFn: ({ signal }) => apiClient.rollupRules({ query: { ...pickScope(search), size: maxTableRows } }, signal),
    placeholderData: keepPreviousData,
  })

export const rollupTemplatesQuery = (apiClient: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'templates', pickScope(search)],
    queryFn: ({ signal }) => apiClient.rollupTemplates({ query: { ...pickScope(search), size: maxTableRows } }, signal),
    placeholderData: keepPreviousData,
  })

export const rollupChangesQuery = (apiClient: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'changes', pickScope(search)],
    queryFn: ({ signal }) => apiClient.rollupChanges({ query: { ...pickScope(search), days: changePeriodDays } }, signal),
    placeholderData: keepPreviousData,
  })

export const lowestPagesQuery = (apiClient: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'pages', pickScope(search)],
    queryFn: ({ signal }) =>
      apiClient.listPages(
        {
          query: {
            ...pickScope(search),
            status: ['completed'],
            health: ['critical', 'serious', 'moderate'],
            size: lowestPageCandidates,
            sort: ['health,asc', 'critical,desc', 'serious,desc', 'openIssues,desc'],
          },
        },
        signal,
      ),
    select: ({ content: pages }) =>
      pages.filter((page, index) => countEarlier(pages, page, index) < maxLowestPagesOfScan).slice(0, maxLowestPages),
    placeholderData: keepPreviousData,
  })

export type ScopeChoices = { scans: { id: ScanId; name: string; groups: GroupId[] }[]; groups: { id: GroupId; name: string }[] }

/** Loads the scans and groups of the dashboard's selection, by name: groups of visible scans, and those the user manages. */
export const rollupChoicesQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'rollup-choices'],
    queryFn: async ({ client, signal }): Promise<ScopeChoices> => {
      const [allScans, managedGroups] = await Promise.all([
        client.fetchQuery(allScansQuery(apiClient)),
        apiClient.listGroups({ query: { size: 0 } }, signal),
      ])
      const groupNames = new Map([
        ...allScans.flatMap((scan) => scan.groups.map(({ id, name }) => [id, name] as const)),
        ...managedGroups.content.map(({ scanGroupId, scanGroupName }) => [scanGroupId as string, scanGroupName] as const),
      ])
      const namedGroups = [...groupNames].map(([id, name]) => ({ id: id as GroupId, name }))
      return {
        scans: allScans.map(({ id, name, groups: scanGroups }) => ({
          id,
          name,
          groups: scanGroups.map((group) => group.id as GroupId),
        })),
        groups: namedGroups.toSorted((a, b) => a.name.localeCompare(b.name)),
      }
    },
    staleTime: 60_000,
  })

export const rollupGroupsQuery = (apiClient: MonitorApi, search: RollupScope) =>
  queryOptions({
    queryKey: ['rollup', 'groups', pickScope(search)],
    queryFn: ({ signal }) => apiClient.rollupGroups({ query: pickScope(search) }, signal),
    placeholderData: keepPreviousData,
  })

export const failedScansQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'failed'],
    queryFn: ({ signal }) =>
      apiClient.listScans({ query: { status: ['failed'], size: maxTableRows, sort: ['lastRun,desc'] } }, signal),
  })

export const ownIssuesQuery = (apiClient: MonitorApi, person: string) =>
  queryOptions({
    queryKey: ['issues', 'own', person],
    queryFn: ({ signal }) =>
      apiClient.listIssues({ query: { assignedTo: [person], status: ['open'], size: maxTableRows } }, signal),
  })
