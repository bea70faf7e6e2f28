import type { ScanId } from '@clearway/contract/kit/id.ts'
import { isActive } from '@clearway/contract/monitor/run/schema.ts'
import type { ComparedSide, RunOverview } from '@clearway/contract/monitor/run/schema.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'

export type Overview = z.output<typeof RunOverview>
export type RunKey = { scanId: ScanId; run: number }
/** How often a run that goes on is looked at besides its events, ms. */
const overviewMs = 5_000
const detailsMs = 5_000
const params = ({ scanId, run }: RunKey) => ({ id: scanId, run })

export const runKey = ({ scanId, run }: RunKey) => ['run', scanId, run] as const

/** One run; asked for again while it goes on, which is also what remains when live updates cannot connect. */
export const runOverviewQuery = (api: MonitorApi, key: RunKey, live: boolean) =>
  queryOptions({
    queryKey: [...runKey(key), 'overview'],
    queryFn: ({ signal }) => api.runOverview({ params: params(key) }, signal),
    refetchInterval: (query) => live && query.state.data && isActive(query.state.data.status) && overviewMs,
  })

export const runStatsQuery = (api: MonitorApi, key: RunKey) =>
  queryOptions({
    queryKey: [...runKey(key), 'stats'],
    queryFn: ({ signal }) => api.runStats({ params: params(key) }, signal),
  })

/** The rules whose fixing raises the score most. */
export const whereToStartQuery = (api: MonitorApi, key: RunKey, live: boolean) =>
  queryOptions({
    queryKey: [...runKey(key), 'violations'],
    queryFn: ({ signal }) =>
      api.runViolations({ params: params(key), query: { size: 5, sort: ['scoreGain,desc'] } }, signal),
    refetchInterval: live && detailsMs,
    placeholderData: keepPreviousData,
  })

/** What a run has against another of its scan. */
export const compareQuery = (api: MonitorApi, key: RunKey, other: number) =>
  queryOptions({
    queryKey: [...runKey(key), 'compare', other],
    queryFn: ({ signal }) => api.compareRuns({ params: { ...params(key), other } }, signal),
  })

type Compared = RunKey & { other: number }
type ComparedPaging = { page: number; size: number; side: ComparedSide }

/** The issues on one side of a comparison. */
export const comparedIssuesQuery = (
  api: MonitorApi,
  { other, ...key }: Compared,
  { side, rule, ...paging }: ComparedPaging & { rule: string | null },
) =>
  queryOptions({
    queryKey: [...runKey(key), 'compare', other, 'issues', side, rule, paging],
    queryFn: ({ signal }) =>
      api.comparedIssues(
        { params: { ...params(key), other }, query: { ...toServerPaging(paging), side, rule: rule ?? undefined } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** The pages on one side of a comparison. */
export const comparedPagesQuery = (
  api: MonitorApi,
  { other, ...key }: Compared,
  { side, ...paging }: ComparedPaging,
) =>
  queryOptions({
    queryKey: [...runKey(key), 'compare', other, 'pages', side, paging],
    queryFn: ({ signal }) =>
      api.comparedPages({ params: { ...params(key), other }, query: { ...toServerPaging(paging), side } }, signal),
    placeholderData: keepPreviousData,
  })

/** Runs that the overview lists; the others are behind a button. */
export const shownRuns = 5
/** The runs of a scan that go on, then those that ended last. */
export const scanActivityQuery = (api: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['run', scanId, 'list', 'activity'],
    queryFn: ({ signal }) => api.scanActivity({ query: { scanId: [scanId], size: shownRuns } }, signal),
  })

const choiceRuns = 25
/** The newest runs of a scan, to choose from. */
export const runListQuery = (api: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['run', scanId, 'list'],
    queryFn: ({ signal }) => api.listRuns({ params: { id: scanId }, query: { size: choiceRuns } }, signal),
  })

/** One page of all runs of a scan, newest first. */
export const runPageQuery = (api: MonitorApi, scanId: ScanId, page: number) =>
  queryOptions({
    queryKey: ['run', scanId, 'list', 'page', page],
    queryFn: ({ signal }) =>
      api.listRuns({ params: { id: scanId }, query: { page, size: runPageSize } }, signal),
    placeholderData: keepPreviousData,
  })
const runPageSize = 10
