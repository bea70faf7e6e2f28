import type { ViewId } from '@clearway/contract/kit/id.ts'
import { knownQuery } from '@clearway/contract/monitor/view/model.ts'
import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import * as z from 'zod/mini'

/** What the URL of a list says of views: which one was opened. */
export const savedSearch = {
  saved: z.catch(z.optional(z.custom<ViewId>((value) => z.safeParse(z.uuid(), value).success)), undefined),
}

type Search = Readonly<Record<string, unknown>>
const OldViews = z.array(z.object({ name: z.string(), search: z.record(z.string(), z.unknown()) }))

/** What a view keeps of a list's URL: what differs from the list as it opens by itself, but not how far one has leafed. */
export const viewQueryOf = <S extends ViewScreen>(screen: S, search: Search, defaults: Search) =>
  knownQuery(
    screen,
    Object.fromEntries(
      Object.entries(search).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
      ),
    ),
  )

/** The key under which an earlier version kept views in this browser. */
export const oldViewsKey = (screen: ViewScreen, username: string): string => `views.${screen}.${username}`

/** Such views; what is none is left out. */
export function readOldViews(stored: string | null): { name: string; search: Search }[] {
  try {
    const read = z.safeParse(OldViews, JSON.parse(stored ?? '[]'))
    return read.success ? read.data : []
  } catch {
    return []
  }
}
