import * as z from 'zod/mini'
import { Count } from './count.ts'

/** A whole number in a query string. No coercion: "", " ", "0x10" and "1e3" are invalid. */
export const queryInteger = (minValue: number, maxValue: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'whole number expected')),
    z.pipe(z.transform(Number), z.int().check(z.minimum(minValue), z.maximum(maxValue))),
  )

/** A repeatable query parameter: `a=1&a=2`, or a single value, becomes a list. */
export const queryList = <T extends z.core.SomeType>(itemSchema: T) =>
  z.pipe(
    z.transform((queryValue: unknown) => (queryValue === undefined ? [] : Array.isArray(queryValue) ? queryValue : [queryValue])),
    z.array(itemSchema).check(z.maxLength(100)),
  )

/** A repeatable query parameter for each schema of a table. */
export const queryLists = <T extends Record<string, z.core.SomeType>>(itemSchemas: T) =>
  Object.fromEntries(Object.entries(itemSchemas).map(([name, itemSchema]) => [name, queryList(itemSchema)])) as {
    [K in keyof T]: ReturnType<typeof queryList<T[K]>>
  }

/** `true` or `false` in a query string. */
export const queryBoolean = z.pipe(
  z.enum(['true', 'false']),
  z.transform((queryText) => queryText === 'true'),
)

export const maxSearchLength = 500
export const searchTextQuery = z.optional(z.string().check(z.maxLength(maxSearchLength)))

/** `sort=field,asc` (repeatable); each noun lists its sortable fields. */
export const sortQuery = <const F extends readonly [string, ...string[]]>(sortFields: F) =>
  queryList(z.templateLiteral([z.enum(sortFields), ',', z.enum(['asc', 'desc'])], 'unknown field or direction to sort by'))

/** 0-based page and page size of every list. */
export const pagingQuery = {
  page: z._default(z.optional(queryInteger(0, 1_000_000)), 0),
  size: z._default(z.optional(queryInteger(1, 500)), 25),
}

/** Like `pagingQuery`; `size=0` returns all entries. */
export const pagingOrAllQuery = { ...pagingQuery, size: z._default(z.optional(queryInteger(0, 500)), 25) }

/** Query of lists that older clients sort by `sortBy=field&order=asc`, an alias of `sort=field,asc`. */
export const sortByFieldQuery = <const F extends readonly [string, ...string[]]>(sortFields: F) => ({
  sort: sortQuery(sortFields),
  sortBy: z.optional(z.enum(sortFields)),
  order: z._default(z.optional(z.enum(['asc', 'desc'])), 'asc'),
})

export const createPageSchema = <T extends z.core.SomeType>(itemSchema: T) =>
  z.object({
    content: z.array(itemSchema),
    page: z.object({ number: Count, size: Count, totalElements: Count, totalPages: Count }),
  })

export type PagedList<T> = { content: T[]; page: { number: number; size: number; totalElements: number; totalPages: number } }
