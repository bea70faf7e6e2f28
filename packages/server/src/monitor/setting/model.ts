import { createHash } from 'node:crypto'

/** A version of settings, made of what they say: whoever was shown the same has it, too. A number that fits JSON. */
export function settingVersion(settings: Readonly<Record<string, boolean | number>>): number {
  const said = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(said).digest().readUInt32BE() & 0x7fffffff
}

/** The problem of somebody who previews more at once than one person may. */
export const tooManyTries = (most: number) =>
  `One person tries ${most} things at once at most. Wait for the end of one.`
