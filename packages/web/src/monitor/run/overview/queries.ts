import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { PagedList } from '@clearway/contract/kit/paging.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { MonitorApi } from '../../user/model.ts'
import { type RunKey, getRunKey } from '../queries.ts'

export type { RunKey } from '../queries.ts'
export type RepeatKind = 'groups' | 'selectors' | 'components'

/** One finding that appears on several pages, from any of the lists. */
export type RepeatedFinding = {
  key: string
  selector: string
  severity: z.output<typeof Severity>
  pages: number
  issues: number
  /** Null for an element, which may violate several rules. */
  rule: string | null
  help: string | null
  rules: number
  component: string | null
  issueId: string | null
}

const repeatsPageSize = 10
const singleRuleDefaults = { rule: null, help: null, component: null, issueId: null, rules: 1 }
const mapPage = <T>({ content, page }: PagedList<T>, row: (entry: T) => RepeatedFinding): PagedList<RepeatedFinding> => ({
  content: content.map(row),
  page,
})

/** Loads one page of repeated findings of a completed run, most affected pages first. */
export const repeatsQuery = (apiClient: MonitorApi, key: RunKey, kind: RepeatKind, page: number) =>
  queryOptions({
    queryKey: [...getRunKey(key), 'repeats', kind, page],
    queryFn: async ({ signal }): Promise<PagedList<RepeatedFinding>> => {
      const request = {
        params: { id: key.scanId, run: key.run },
        query: { page, size: repeatsPageSize, sort: ['pages,desc' as const] },
      }
      if (kind === 'selectors')
        return mapPage(await apiClient.runSelectors(request, signal), (row) => ({
          ...singleRuleDefaults,
          ...row,
          key: row.selector,
          rules: row.rules.length,
        }))
      if (kind === 'components')
        return mapPage(await apiClient.runCommonIssues(request, signal), (row) => ({
          ...singleRuleDefaults,
          ...row,
          key: `${row.component} ${row.rule} ${row.selector}`,
        }))
      return mapPage(await apiClient.runViolationGroups(request, signal), (row) => ({
        ...singleRuleDefaults,
        ...row,
        key: row.groupId,
      }))
    },
    placeholderData: keepPreviousData,
  })

export const parameterQuery = (apiClient: MonitorApi, key: RunKey) =>
  queryOptions({
    queryKey: [...getRunKey(key), 'parameters'],
    queryFn: ({ signal }) => apiClient.runParameters({ params: { id: key.scanId, run: key.run } }, signal),
  })

/** Loads the URLs that the page limit of a run left out, by their form. */
export const leftOutQuery = (apiClient: MonitorApi, key: RunKey) =>
  queryOptions({
    queryKey: [...getRunKey(key), 'leftOut'],
    queryFn: ({ signal }) => apiClient.runLeftOut({ params: { id: key.scanId, run: key.run } }, signal),
  })
