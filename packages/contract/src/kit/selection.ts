import * as z from 'zod/mini'

/** Maximum number of ids in one body; larger selections use `selectAllMode` and filters. */
const maxSelectedIds = 10_000

/** An optional list in a body. */
export const createBodyList = <T extends z.core.SomeType>(itemSchema: T) =>
  z._default(z.array(itemSchema).check(z.maxLength(500)), [])

/** An optional list for each schema of a table. */
export const createBodyLists = <T extends Record<string, z.core.SomeType>>(itemSchemas: T) =>
  Object.fromEntries(Object.entries(itemSchemas).map(([name, itemSchema]) => [name, createBodyList(itemSchema)])) as {
    [K in keyof T]: ReturnType<typeof createBodyList<T[K]>>
  }

/** Ids in a bulk call. */
export const createIdList = <T extends z.core.SomeType>(itemSchema: T) =>
  z._default(z.array(itemSchema).check(z.maxLength(maxSelectedIds)), [])

/**
 * Selection of a bulk call. With `selectAllMode`: everything that the filters match, except the ids in `except`;
 * otherwise only `ids`. Resolved in SQL by the server.
 */
export type Selection = { readonly selectAllMode: boolean; readonly ids: readonly string[]; readonly except: readonly string[] }

/** Result of a bulk call. `skipped`: visible, but the caller's role on its scan does not allow the change. */
export const BulkResult = z.object({
  success: z.literal(true),
  changed: z.int().check(z.nonnegative()),
  skipped: z.int().check(z.nonnegative()),
})
export type BulkResult = z.output<typeof BulkResult>
