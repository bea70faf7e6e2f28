import { listSearchForms } from '@clearway/contract/kit/url-form.ts'
import { type RawBuilder, sql } from 'kysely'

export function buildPageReply<T>(content: T[], total: number, pageQuery: { page: number; size: number }) {
  return {
    content,
    page: {
      number: pageQuery.page,
      size: pageQuery.size,
      totalElements: total,
      totalPages: pageQuery.size === 0 ? Math.min(1, total) : Math.ceil(total / pageQuery.size),
    },
  }
}

/** The `limit … offset …` clause of the requested page; a size of 0 means no limit. */
export const buildLimitClause = (pageQuery: { page: number; size: number }): RawBuilder<unknown> =>
  pageQuery.size === 0 ? sql`` : sql`limit ${pageQuery.size} offset ${pageQuery.page * pageQuery.size}`

/** Builds `order by` from `field,asc` texts and SQL expressions, nulls last. `tieBreaker` keeps a row from being on two pages. */
export function buildOrderClause<Field extends string>(
  columns: Readonly<Record<Field, RawBuilder<unknown>>>,
  requestedOrder: readonly `${Field},${'asc' | 'desc'}`[],
  fallback: RawBuilder<unknown>,
  tieBreaker: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const orderParts = requestedOrder.map((fieldAndDirection) => {
    const [field, direction] = fieldAndDirection.split(',') as [Field, 'asc' | 'desc']
    return sql`${columns[field]} ${sql.raw(direction)} nulls last`
  })
  return sql`order by ${sql.join(orderParts.length > 0 ? [...orderParts, tieBreaker] : [fallback, tieBreaker])}`
}

/** Joins conditions with `and`; without any, the result is true. */
export const joinConditions = (
  conditions: readonly (RawBuilder<unknown> | null | false | undefined | '')[],
): RawBuilder<boolean> => {
  const activeConditions = conditions.filter((condition) => !!condition)
  return activeConditions.length === 0 ? sql`true` : sql`${sql.join(activeConditions, sql` and `)}`
}

/** The pattern `%text%` for `ilike`, with wildcards in the text escaped. */
export const buildContainsPattern = (searchText: string): string => `%${searchText.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * Condition that a column of URLs contains a text as typed, or as browsers encode it. `ilike` ignores the case of escapes. An index
 * of the text serves each form by itself, and no array of them.
 */
export const buildUrlSearch = (column: RawBuilder<unknown>, searchText: string): RawBuilder<boolean> => {
  const patterns = listSearchForms(searchText).map(buildContainsPattern)
  return sql`(${sql.join(
    patterns.map((pattern) => sql`${column} ilike ${pattern}`),
    sql` or `,
  )})`
}

/** The requested order of a list that older clients sort by `sortBy` and `order`. `sort` wins. */
export const toRequestedOrder = <Field extends string>(query: {
  sort?: readonly `${Field},${'asc' | 'desc'}`[]
  sortBy?: Field | undefined
  order: 'asc' | 'desc'
}): readonly `${Field},${'asc' | 'desc'}`[] =>
  query.sort && query.sort.length > 0 ? query.sort : query.sortBy === undefined ? [] : [`${query.sortBy},${query.order}`]
