import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { MonitorApi } from '../../user/model.ts'
import type { RunKey } from '../queries.ts'
import { runKey } from '../queries.ts'

export type { RunKey } from '../queries.ts'
export type RepeatKind = 'groups' | 'selectors' | 'components'

/** One thing that is on several pages, whichever list it comes from. */
export type Repeat = {
  key: string
  selector: string
  severity: z.output<typeof Severity>
  pages: number
  issues: number
  /** Null for an element, which may fail several rules. */
  rule: string | null
  help: string | null
  /** How many rules fail. */
  rules: number
  component: string | null
  issueId: string | null
}

const size = 10
const alone = { rule: null, help: null, component: null, issueId: null, rules: 1 }
const mapped = <T>({ content, page }: PageOf<T>, row: (one: T) => Repeat): PageOf<Repeat> => ({
  content: content.map(row),
  page,
})

/** One page of what repeats, the most pages first. Of a run that is complete. */
export const repeatsQuery = (api: MonitorApi, key: RunKey, kind: RepeatKind, page: number) =>
  queryOptions({
    queryKey: [...runKey(key), 'repeats', kind, page],
    queryFn: async ({ signal }): Promise<PageOf<Repeat>> => {
      const call = {
        params: { id: key.scanId, run: key.run },
        query: { page, size, sort: ['pages,desc' as const] },
      }
      if (kind === 'selectors')
        return mapped(await api.runSelectors(call, signal), (row) => ({
          ...alone,
          ...row,
          key: row.selector,
          rules: row.rules.length,
        }))
      if (kind === 'components')
        return mapped(await api.runCommonIssues(call, signal), (row) => ({
          ...alone,
          ...row,
          key: `${row.component} ${row.rule} ${row.selector}`,
        }))
      return mapped(await api.runViolationGroups(call, signal), (row) => ({
        ...alone,
        ...row,
        key: row.groupId,
      }))
    },
    placeholderData: keepPreviousData,
  })
