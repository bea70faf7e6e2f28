import { createHash } from 'node:crypto'

/** A hash of settings as their version, equal for equal settings. An integer that fits JSON. */
export function computeSettingVersion(settings: Readonly<Record<string, boolean | number>>): number {
  const sortedEntries = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(sortedEntries).digest().readUInt32BE() & 0x7fffffff
}

export const createTooManyTriesMessage = (maxTries: number) =>
  `One person tries ${maxTries} things at once at most. Wait for the end of one.`
