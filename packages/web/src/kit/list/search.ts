import { maxSearchLength } from '@clearway/contract/kit/paging.ts'
import * as z from 'zod/mini'

/** Schema of a URL parameter. Invalid values fall back to the default so that edited URLs never break a screen. */
export const withDefault = <T extends z.ZodMiniType>(type: T, value: z.output<T>) =>
  z.catch(z._default(type, value as never), value as never)

/** Schema of a list in the URL. Accepts a single value; drops unknown values. */
export const listWithDefault = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    z.transform((value: unknown) => {
      const rawItems = value === undefined ? [] : Array.isArray(value) ? value : [value]
      return rawItems.flatMap((rawItem) => {
        const parsedItem = z.safeParse(item, rawItem)
        return parsedItem.success ? [parsedItem.data] : []
      })
    }),
    z.custom<z.output<T>[]>(),
  )

export const listSizes = [25, 50, 100, 500] as const
export type ListSize = (typeof listSizes)[number]

/** URL parameters of every list. Page numbers are 1-based. */
export const listSearch = {
  q: withDefault(z.string().check(z.maxLength(maxSearchLength)), ''),
  page: withDefault(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
  size: withDefault(z.literal(listSizes), 25),
}

/** Paging as the server expects it: 0-based. */
export const toServerPaging = ({ page, size }: { page: number; size: number }) => ({ page: page - 1, size })

type SortOrder<F extends string> = `${F},asc` | `${F},desc`
/** Schema of the sort order, as in the URL and on the server: `name,asc`. */
export const sortParam = <const F extends string>(fields: readonly F[], value: NoInfer<SortOrder<F>>) => {
  const knownOrders = new Set<unknown>(fields.flatMap((field) => [`${field},asc`, `${field},desc`]))
  return withDefault(
    z.custom<SortOrder<F>>((candidate) => knownOrders.has(candidate)),
    value,
  )
}

/** Step of a multi-step form; empty for the first step. The form validates the step. */
export const StepSearch = z.object({ step: withDefault(z.string(), '') })
export const stepSearchDefaults = z.parse(StepSearch, {})

export const uuidParam = <T extends string>() => z.custom<T>((value) => z.safeParse(z.uuid(), value).success)
