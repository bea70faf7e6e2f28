import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'

/** One value of an object before and after the change; undefined if it did not exist. */
export type ValueChange = { path: string; previousValue: string | undefined; newValue: string | undefined }

type ObjectFields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is ObjectFields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Formats texts unchanged and other values as JSON. Empty texts appear in quotes to be visible. */
const formatValue = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value))

/** Lists all nested values by path. */
function listLeaves(fields: ObjectFields, pathPrefix = ''): [path: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    isObject(value) && Object.keys(value).length > 0
      ? listLeaves(value, `${pathPrefix}${name}.`)
      : [[pathPrefix + name, formatValue(value)]],
  )
}

/** Returns the changed values of an entry in object order. A scan stores its preset twice: the copy in the settings is left out. */
export function listChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): ValueChange[] {
  const [previousValues, newValues] = [new Map(listLeaves(before ?? {})), new Map(listLeaves(after ?? {}))]
  const paths = new Set([...previousValues.keys(), ...newValues.keys()])
  if (paths.has('preset_id')) paths.delete('settings.presetId')
  return [...paths]
    .map((path) => ({ path, previousValue: previousValues.get(path), newValue: newValues.get(path) }))
    .filter((change) => change.previousValue !== change.newValue)
}

/** Returns the name of an entry's object: the recorded name, or the known name of its id or scan. Falls back to the id. */
export function getObjectName(entry: AuditEntry, namesById: ReadonlyMap<string, string>): string {
  const { actor, actorName, noun, subject, scanId } = entry
  // The subject is a version of the terms.
  if (noun === 'terms') return actorName ?? namesById.get(actor ?? '') ?? subject
  const recordedName = [entry.after, entry.before]
    .flatMap((fields) => [fields?.name, fields?.username])
    .find((name): name is string => typeof name === 'string')
  const actorObjectName = subject === actor ? actorName : null
  return recordedName ?? actorObjectName ?? namesById.get(subject) ?? namesById.get(scanId ?? '') ?? subject
}
