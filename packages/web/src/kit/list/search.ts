import { searchLength } from '@clearway/contract/kit/paging.ts'
import * as z from 'zod/mini'

/** A value of the address bar that falls back to its default, so that a hand-edited address never breaks a screen. */
export const lenient = <T extends z.ZodMiniType>(type: T, value: z.output<T>) =>
  z.catch(z._default(type, value as never), value as never)

/** A list of the address bar; one value alone is a list too. Unknown values are dropped. */
export const lenientList = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    z.transform((value: unknown) => {
      const items = value === undefined ? [] : Array.isArray(value) ? value : [value]
      return items.flatMap((one) => {
        const parsed = z.safeParse(item, one)
        return parsed.success ? [parsed.data] : []
      })
    }),
    z.custom<z.output<T>[]>(),
  )

/** How many rows a list can show at once. */
export const listSizes = [25, 50, 100, 500] as const
export type ListSize = (typeof listSizes)[number]

/** What every list keeps in the address bar. Pages are 1-based there. */
export const listSearch = {
  q: lenient(z.string().check(z.maxLength(searchLength)), ''),
  page: lenient(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
  size: lenient(z.literal(listSizes), 25),
}

/** Paging as the server takes it: 0-based. */
export const paged = ({ page, size }: { page: number; size: number }) => ({ page: page - 1, size })

type Order<F extends string> = `${F},asc` | `${F},desc`
/** How a list is sorted, as the address bar and the server write it: `name,asc`. */
export const sortSearch = <const F extends string>(fields: readonly F[], value: NoInfer<Order<F>>) => {
  const known = new Set<unknown>(fields.flatMap((field) => [`${field},asc`, `${field},desc`]))
  return lenient(
    z.custom<Order<F>>((one) => known.has(one)),
    value,
  )
}

/** The step of a form in steps; empty for the first. Which steps there are, the form knows. */
export const StepSearch = z.object({ step: lenient(z.string(), '') })
export const stepSearchDefaults = z.parse(StepSearch, {})
