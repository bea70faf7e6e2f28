import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const datedNamePattern = /^clearway-\d{8}T\d{6}Z\.backup$/

/** File name of a backup in a folder; names sort by time. */
export const getDatedName = (time: Date): string =>
  `clearway-${time.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.backup`

/**
 * Removes the oldest dated backups of a folder. Other files stay.
 * @param keptCount number of newest backups to keep
 * @returns the paths of the removed files
 */
export async function rotateBackups(folder: string, keptCount: number): Promise<string[]> {
  const folderEntries = await readdir(folder, { withFileTypes: true })
  const datedNames = folderEntries.filter((entry) => entry.isFile() && datedNamePattern.test(entry.name)).map(({ name }) => name)
  const removedPaths = datedNames
    .sort()
    .reverse()
    .slice(keptCount)
    .map((name) => join(folder, name))
  for (const removedPath of removedPaths) await rm(removedPath)
  return removedPaths
}
