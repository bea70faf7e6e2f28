import type { ViewId } from '@clearway/contract/kit/id.ts'
import { filterKnownQuery } from '@clearway/contract/monitor/view/model.ts'
import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import * as z from 'zod/mini'

/** URL parameter with the id of the open view. */
export const savedSearch = {
  saved: z.catch(z.optional(z.custom<ViewId>((value) => z.safeParse(z.uuid(), value).success)), undefined),
}

type SearchParams = Readonly<Record<string, unknown>>
const OldViews = z.array(z.object({ name: z.string(), search: z.record(z.string(), z.unknown()) }))

/** Returns the part of a list's URL that a view stores: values that differ from the defaults, without the page position. */
export const toViewQuery = <S extends ViewScreen>(screen: S, search: SearchParams, defaults: SearchParams) =>
  filterKnownQuery(
    screen,
    Object.fromEntries(
      Object.entries(search).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
    ),
  )

/** Storage key of views that an earlier version kept in this browser. */
export const getOldViewsKey = (screen: ViewScreen, username: string): string => `views.${screen}.${username}`

/** Parses such views. Returns an empty list for invalid data. */
export function parseOldViews(storedText: string | null): { name: string; search: SearchParams }[] {
  try {
    const parsedViews = z.safeParse(OldViews, JSON.parse(storedText ?? '[]'))
    return parsedViews.success ? parsedViews.data : []
  } catch {
    return []
  }
}
