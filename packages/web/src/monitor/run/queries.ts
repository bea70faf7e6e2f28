import type { ScanId } from '@clearway/contract/kit/id.ts'
import {
  type ComparedIssueSide,
  type ComparedSide,
  type RunOverview,
  isActiveStatus,
} from '@clearway/contract/monitor/run/schema.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/fetch-all-pages.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'

export type RunOverviewData = z.output<typeof RunOverview>
export type RunKey = { scanId: ScanId; run: number }
/** Polling interval of an active run in addition to its events. */
const overviewPollMs = 5_000
const detailsPollMs = 5_000
const getPathParams = ({ scanId, run: runNumber }: RunKey) => ({ id: scanId, run: runNumber })

export const getRunKey = ({ scanId, run }: RunKey) => ['run', scanId, run] as const

/** Loads a run. Polls while it is active, as a fallback for live updates. */
export const runOverviewQuery = (apiClient: MonitorApi, runKey: RunKey, isLive: boolean) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'overview'],
    queryFn: ({ signal }) => apiClient.runOverview({ params: getPathParams(runKey) }, signal),
    refetchInterval: (query) => isLive && query.state.data && isActiveStatus(query.state.data.status) && overviewPollMs,
  })

/** Loads the pages of a run that were tested last. `testedCount` loads them again after each page. */
export const latestPagesQuery = (apiClient: MonitorApi, runKey: RunKey, testedCount: number) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'latestPages', testedCount],
    queryFn: ({ signal }) =>
      apiClient.listPages(
        {
          query: { scanId: [runKey.scanId], runNumber: runKey.run, status: ['completed'], size: 5, sort: ['analysedAt,desc'] },
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** Loads the numbers of a run's pages by reason, and the requests that they sent. */
export const runPageOverviewQuery = (apiClient: MonitorApi, runKey: RunKey) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'pages'],
    queryFn: ({ signal }) => apiClient.runPageOverview({ params: getPathParams(runKey) }, signal),
  })

/** Loads the first failed pages of a run, by URL. */
export const failedPagesQuery = (apiClient: MonitorApi, runKey: RunKey) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'pages', 'failed'],
    queryFn: ({ signal }) =>
      apiClient.listPages(
        { query: { scanId: [runKey.scanId], runNumber: runKey.run, status: ['failed'], size: 50, sort: ['url,asc'] } },
        signal,
      ),
  })

export const runStatsQuery = (apiClient: MonitorApi, runKey: RunKey) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'stats'],
    queryFn: ({ signal }) => apiClient.runStats({ params: getPathParams(runKey) }, signal),
  })

export const whereToStartQuery = (apiClient: MonitorApi, runKey: RunKey, isLive: boolean) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'violations'],
    queryFn: ({ signal }) =>
      apiClient.runViolations(
        { params: getPathParams(runKey), query: { size: 5, sort: ['scoreGain,desc'], withIssues: true } },
        signal,
      ),
    refetchInterval: isLive && detailsPollMs,
    placeholderData: keepPreviousData,
  })

const loadRules = (apiClient: MonitorApi, runKey: RunKey, signal: AbortSignal) =>
  apiClient.runViolations({ params: getPathParams(runKey), query: { size: 500, sort: ['scoreGain,desc'] } }, signal)

export const runRulesQuery = (apiClient: MonitorApi, runKey: RunKey) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'violations', 'all'],
    queryFn: ({ signal }) => loadRules(apiClient, runKey, signal),
  })

/**
 * The same rules for the gains next to issues, at most once a minute. Its key is not that of a run, because each change of an
 * issue loads everything of a run again, and this sums up all its issues.
 */
export const ruleGainsQuery = (apiClient: MonitorApi, runKey: RunKey) =>
  queryOptions({
    queryKey: ['rule gains', runKey.scanId, runKey.run],
    queryFn: ({ signal }) => loadRules(apiClient, runKey, signal),
    staleTime: 60_000,
  })

export const compareQuery = (apiClient: MonitorApi, runKey: RunKey, otherRun: number) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'compare', otherRun],
    queryFn: ({ signal }) => apiClient.compareRuns({ params: { ...getPathParams(runKey), other: otherRun } }, signal),
  })

type ComparedRuns = RunKey & { other: number }
type ComparedPaging<Side = ComparedSide> = { page: number; size: number; side: Side }

export const comparedIssuesQuery = (
  apiClient: MonitorApi,
  { other: otherRun, ...runKey }: ComparedRuns,
  {
    side,
    rule,
    notRechecked,
    ...pagingParams
  }: ComparedPaging<ComparedIssueSide> & { rule: string | null; notRechecked: boolean | undefined },
) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'compare', otherRun, 'issues', side, rule, notRechecked, pagingParams],
    queryFn: ({ signal }) =>
      apiClient.comparedIssues(
        {
          params: { ...getPathParams(runKey), other: otherRun },
          query: { ...toServerPaging(pagingParams), side, rule: rule ?? undefined, notRechecked },
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

export const comparedPagesQuery = (
  apiClient: MonitorApi,
  { other: otherRun, ...runKey }: ComparedRuns,
  { side, ...pagingParams }: ComparedPaging,
) =>
  queryOptions({
    queryKey: [...getRunKey(runKey), 'compare', otherRun, 'pages', side, pagingParams],
    queryFn: ({ signal }) =>
      apiClient.comparedPages(
        { params: { ...getPathParams(runKey), other: otherRun }, query: { ...toServerPaging(pagingParams), side } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** Number of runs on the overview; a button shows the others. */
export const visibleRunCount = 5
/** Loads the active runs of a scan, followed by the latest ended ones. */
export const scanActivityQuery = (apiClient: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['run', scanId, 'list', 'activity'],
    queryFn: ({ signal }) => apiClient.scanActivity({ query: { scanId: [scanId], size: visibleRunCount } }, signal),
  })

export const allRunsQuery = (apiClient: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['run', scanId, 'list', 'all'],
    queryFn: ({ signal }) => fetchAllPages((paging) => apiClient.listRuns({ params: { id: scanId }, query: paging }, signal)),
  })

/** Number of runs in the menu of the overview; a dialog lists the others. */
const menuRunCount = 25
export const recentRunsQuery = (apiClient: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['run', scanId, 'list', 'recent'],
    queryFn: ({ signal }) => apiClient.listRuns({ params: { id: scanId }, query: { size: menuRunCount } }, signal),
  })

export const runPageQuery = (apiClient: MonitorApi, scanId: ScanId, pageIndex: number) =>
  queryOptions({
    queryKey: ['run', scanId, 'list', 'page', pageIndex],
    queryFn: ({ signal }) =>
      apiClient.listRuns({ params: { id: scanId }, query: { page: pageIndex, size: runPageSize } }, signal),
    placeholderData: keepPreviousData,
  })
const runPageSize = 100
