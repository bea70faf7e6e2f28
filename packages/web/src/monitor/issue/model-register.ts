import { IgnoreQuery, maxExpiryDays } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { listSearch, uuidParam, withDefault } from '../../kit/list/search.ts'
import { toLocalDay } from '../run/model-goal.ts'

const textParam = withDefault(z.string().check(z.maxLength(500)), '')
type RegisterSort = z.output<typeof IgnoreQuery>['sort'][number]

export const RegisterSearch = z.object({
  page: listSearch.page,
  size: listSearch.size,
  scan: z.catch(z.optional(uuidParam<ScanId>()), undefined),
  rule: textParam,
  author: textParam,
  /** Only decisions that end within this number of days. */
  within: z.catch(z.optional(z.int().check(z.minimum(0), z.maximum(maxExpiryDays))), undefined),
  sort: withDefault(
    z.custom<RegisterSort>((value) => z.safeParse(IgnoreQuery.shape.sort, [value]).success),
    'createdAt,desc',
  ),
})
export type RegisterSearch = z.output<typeof RegisterSearch>
export const registerSearchDefaults = z.parse(RegisterSearch, {})

export const noRegisterFilters = { scan: undefined, rule: '', author: '', within: undefined } as const
export const countRegisterFilters = ({ scan, rule, author, within }: RegisterSearch): number =>
  [scan, rule, author, within].filter((value) => value !== undefined && value !== '').length

export const toRegisterFilters = ({ scan, rule, author, within }: RegisterSearch) => ({
  scanId: scan === undefined ? [] : [scan],
  rule: rule === '' ? [] : [rule],
  author: author === '' ? [] : [author],
  expiresInDays: within,
})

/** Returns the time at which a day in the user's time zone is over; null for no day. */
export function toEndOfDay(isoDay: string): string | null {
  if (isoDay === '') return null
  const dayEnd = new Date(`${isoDay}T00:00`)
  dayEnd.setDate(dayEnd.getDate() + 1)
  return dayEnd.toISOString()
}

/** Returns the last day before a time, in the user's time zone; empty for no time. */
export const toLastDay = (instant: string | null): string => (instant === null ? '' : toLocalDay(Date.parse(instant) - 1))

/** Returns true if an ignore may end on this day: none, or today and later. */
export const isPossibleEnd = (isoDay: string): boolean =>
  isoDay === '' || (/^2\d{3}-/.test(isoDay) && Date.parse(toEndOfDay(isoDay)!) > Date.now())
