import * as z from 'zod/mini'

/** Ids that one body may name; more are said by `selectAllMode` and filters. */
const selectable = 10_000

/** A list in a body that may be left out. */
export const listOf = <T extends z.core.SomeType>(item: T) =>
  z._default(z.array(item).check(z.maxLength(500)), [])

/** Such a list for each of a table of values. */
export const bodyLists = <T extends Record<string, z.core.SomeType>>(items: T) =>
  Object.fromEntries(Object.entries(items).map(([name, item]) => [name, listOf(item)])) as {
    [K in keyof T]: ReturnType<typeof listOf<T[K]>>
  }

/** Ids that a bulk call names. */
export const idList = <T extends z.core.SomeType>(item: T) =>
  z._default(z.array(item).check(z.maxLength(selectable)), [])

/**
 * What a bulk call works on. With `selectAllMode` everything that the filters match, less what is named in the second
 * list; without it only what the first one names. The server does it in SQL.
 */
export type Selection = {
  readonly selectAllMode: boolean
  readonly ids: readonly string[]
  readonly except: readonly string[]
}

/** What a bulk call did. `skipped`: seen, but the caller's role on its scan does not allow it. */
export const BulkResult = z.object({
  success: z.literal(true),
  changed: z.int().check(z.nonnegative()),
  skipped: z.int().check(z.nonnegative()),
})
export type BulkResult = z.output<typeof BulkResult>
