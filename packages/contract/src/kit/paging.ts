import * as z from 'zod/mini'
import { Count } from './count.ts'

/** A whole number in a query string. Not coercion: "", " ", "0x10" and "1e3" are wrong, not numbers. */
export const queryInt = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'whole number expected')),
    z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))),
  )

/** A repeatable query parameter: `a=1&a=2`, or once, becomes a list. */
export const queryList = <T extends z.core.SomeType>(item: T) =>
  z.pipe(
    z.transform((v: unknown) => (v === undefined ? [] : Array.isArray(v) ? v : [v])),
    z.array(item).check(z.maxLength(100)),
  )

/** A repeatable parameter for each of a table of values. */
export const queryLists = <T extends Record<string, z.core.SomeType>>(items: T) =>
  Object.fromEntries(Object.entries(items).map(([name, item]) => [name, queryList(item)])) as {
    [K in keyof T]: ReturnType<typeof queryList<T[K]>>
  }

/** `true` or `false` in a query string. */
export const queryBoolean = z.pipe(
  z.enum(['true', 'false']),
  z.transform((v) => v === 'true'),
)

/** The most characters that a list is searched for. */
export const searchLength = 500
export const searchText = z.optional(z.string().check(z.maxLength(searchLength)))

/** `sort=field,asc` (repeatable); each noun names the fields that it can be sorted by. */
export const sortBy = <const F extends readonly [string, ...string[]]>(fields: F) =>
  queryList(
    z.templateLiteral(
      [z.enum(fields), ',', z.enum(['asc', 'desc'])],
      'unknown field or direction to sort by',
    ),
  )

/** 0-based page and its size, as every list takes them. */
export const paging = {
  page: z._default(z.optional(queryInt(0, 1_000_000)), 0),
  size: z._default(z.optional(queryInt(1, 500)), 25),
}

/** As `paging`, with `size=0` for "all". */
export const pagingOrAll = { ...paging, size: z._default(z.optional(queryInt(0, 500)), 25) }

/** The lists that are sorted by `sortBy=field&order=asc`. */
export const sortedBy = <const F extends readonly [string, ...string[]]>(fields: F) => ({
  sortBy: z.optional(z.enum(fields)),
  order: z._default(z.optional(z.enum(['asc', 'desc'])), 'asc'),
})

/** One page of a list. */
export const pageOf = <T extends z.core.SomeType>(item: T) =>
  z.object({
    content: z.array(item),
    page: z.object({ number: Count, size: Count, totalElements: Count, totalPages: Count }),
  })

export type PageOf<T> = {
  content: T[]
  page: { number: number; size: number; totalElements: number; totalPages: number }
}
