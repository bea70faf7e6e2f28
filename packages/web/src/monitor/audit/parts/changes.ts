import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'

/** One value of a thing, before and after; undefined where there was none. */
export type Change = { path: string; before: string | undefined; after: string | undefined }

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text as it is, everything else as JSON; an empty text in quotes, so that it is seen. */
const written = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value)

/** Each single value below, by its path. */
function leaves(fields: Fields, above = ''): [path: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    isFields(value) && Object.keys(value).length > 0
      ? leaves(value, `${above}${name}.`)
      : [[above + name, written(value)]],
  )
}

/** The values that an entry says are different, in the order of the thing: what did not change is left out. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const [old, fresh] = [new Map(leaves(before ?? {})), new Map(leaves(after ?? {}))]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((path) => ({ path, before: old.get(path), after: fresh.get(path) }))
    .filter((change) => change.before !== change.after)
}

/** What the thing of an entry is called: as the entry says it, else by its id or its scan's; else its id. */
export function nameOf(entry: AuditEntry, names: ReadonlyMap<string, string>): string {
  const { actor, actorName, subject, scanId } = entry
  const said = [entry.after, entry.before]
    .flatMap((fields) => [fields?.name, fields?.username])
    .find((name): name is string => typeof name === 'string')
  const own = subject === actor ? actorName : null
  return said ?? own ?? names.get(subject) ?? names.get(scanId ?? '') ?? subject
}
