import * as z from 'zod/mini'
import { Count } from './count.ts'
import type { FieldError } from './problem.ts'

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

export const createIdList = <T extends z.core.SomeType>(itemSchema: T) =>
  z._default(z.array(itemSchema).check(z.maxLength(maxSelectedIds)), [])

/** Selection of a bulk call: `ids`, or with `selectAllMode` everything that the filters match, except the ids in `except`. */
export type Selection = { readonly selectAllMode: boolean; readonly ids: readonly string[]; readonly except: readonly string[] }

/** States that filters which match everything are meant so. Changes to everything need it, together with `expectedCount`. */
export const everythingField = { everything: z.optional(z.literal(true)) }
/** Number of rows that the caller expects to change; another number is refused with `edit-conflict`. */
export const expectedCountField = { expectedCount: z.optional(Count) }

/** Switches that narrow nothing while they are off; others, such as `running`, also narrow by false. */
const switches: ReadonlySet<string> = new Set(['favorites', 'mine'])

const isNarrowing = (name: string, value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : typeof value === 'string'
      ? value.trim() !== ''
      : value !== undefined && !(value === false && switches.has(name))

/** Checks that at least one filter is set. A switch that is off, a blank text and an empty list narrow nothing. */
export const hasNarrowingFilter = ({ everything: _everything, ...filters }: object & { everything?: unknown }): boolean =>
  Object.entries(filters).some(([name, value]) => isNarrowing(name, value))

/** Errors of a selection to change: everything must be meant, and counted. */
export function findSelectionErrors(
  selectAllMode: boolean,
  filters: object & { everything?: true | undefined },
  expectedCount: number | undefined,
): FieldError[] {
  if (!selectAllMode || hasNarrowingFilter(filters)) return []
  if (filters.everything !== true) return [{ path: 'filters', code: 'required', params: {} }]
  return expectedCount === undefined ? [{ path: 'expectedCount', code: 'required', params: {} }] : []
}

/** Result of a bulk call. `skipped`: visible, but the caller's role on its scan does not allow the change. */
export const BulkResult = z.object({
  success: z.literal(true),
  changed: z.int().check(z.nonnegative()),
  skipped: z.int().check(z.nonnegative()),
})
export type BulkResult = z.output<typeof BulkResult>
