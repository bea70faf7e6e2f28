import * as z from 'zod/mini'
import { type ViewQuery, type ViewScreen, viewQueries } from './schema.ts'

/** Returns the parts of a query that the screen supports; drops others, such as values removed in a later version. */
export function filterKnownQuery<S extends ViewScreen>(screen: S, query: Readonly<Record<string, unknown>>) {
  const queryShape: Readonly<Record<string, z.ZodMiniType>> = viewQueries[screen].shape
  const knownEntries = Object.entries(query).flatMap(([name, value]) => {
    const fieldSchema = Object.hasOwn(queryShape, name) ? queryShape[name] : undefined
    const parsedField = fieldSchema && z.safeParse(fieldSchema, value)
    return parsedField?.success && parsedField.data !== undefined ? [[name, parsedField.data] as const] : []
  })
  return Object.fromEntries(knownEntries) as ViewQuery<S>
}

const serializeQuery = (query: object): string =>
  JSON.stringify(Object.entries(query).sort(([firstName], [secondName]) => (firstName < secondName ? -1 : 1)))

/** Returns true if two queries set the same values, regardless of order. */
export const isSameQuery = (firstQuery: object, secondQuery: object): boolean =>
  serializeQuery(firstQuery) === serializeQuery(secondQuery)
