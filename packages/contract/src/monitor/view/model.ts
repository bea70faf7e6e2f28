import * as z from 'zod/mini'
import { type ViewQuery, type ViewScreen, viewQueries } from './schema.ts'

/** What a query says that the screen knows; the rest, such as a word that a later version has no more, is left out. */
export function knownQuery<S extends ViewScreen>(screen: S, query: Readonly<Record<string, unknown>>) {
  const shape: Readonly<Record<string, z.ZodMiniType>> = viewQueries[screen].shape
  const known = Object.entries(query).flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    const read = field && z.safeParse(field, value)
    return read?.success && read.data !== undefined ? [[name, read.data] as const] : []
  })
  return Object.fromEntries(known) as ViewQuery<S>
}

const said = (query: object): string =>
  JSON.stringify(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Whether two queries set the same, in whatever order they say it. */
export const isSameQuery = (one: object, other: object): boolean => said(one) === said(other)
