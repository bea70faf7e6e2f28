import { type RawBuilder, sql } from 'kysely'

/** A page of a list as the contract has it. */
export function pageReply<T>(content: T[], total: number, asked: { page: number; size: number }) {
  return {
    content,
    page: {
      number: asked.page,
      size: asked.size,
      totalElements: total,
      totalPages: asked.size === 0 ? Math.min(1, total) : Math.ceil(total / asked.size),
    },
  }
}

/** `limit … offset …` of the page that was asked for; a size of 0 is everything. */
export const limits = (asked: { page: number; size: number }): RawBuilder<unknown> =>
  asked.size === 0 ? sql`` : sql`limit ${asked.size} offset ${asked.page * asked.size}`

/**
 * `order by` from `field,asc` words, by a table of SQL expressions; what has no value comes last in both directions.
 * `tie` makes the order whole, so that no row is on two pages.
 */
export function orderBy<Field extends string>(
  columns: Readonly<Record<Field, RawBuilder<unknown>>>,
  asked: readonly `${Field},${'asc' | 'desc'}`[],
  fallback: RawBuilder<unknown>,
  tie: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = asked.map((word) => {
    const [field, direction] = word.split(',') as [Field, 'asc' | 'desc']
    return sql`${columns[field]} ${sql.raw(direction)} nulls last`
  })
  return sql`order by ${sql.join(parts.length > 0 ? [...parts, tie] : [fallback, tie])}`
}

/** Joins conditions with `and`; no condition is true. */
export const allOf = (
  conditions: readonly (RawBuilder<unknown> | null | false | undefined | '')[],
): RawBuilder<boolean> => {
  const real = conditions.filter((condition) => !!condition)
  return real.length === 0 ? sql`true` : sql`${sql.join(real, sql` and `)}`
}

/** `%text%` for `ilike`, with the text's own wildcards taken literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
