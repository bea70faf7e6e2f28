import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

const datedNamePattern = /^clearway-\d{8}T\d{6}Z\.backup$/

/** File name of a backup in a folder; names sort by time. */
export const getDatedName = (time: Date): string =>
  `clearway-${time.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.backup`

/**
 * Removes the oldest dated backups of a folder. Other files stay, and so does the new backup, even if the clock was ahead before.
 * @param options.keptCount number of backups to keep, with the new one
 * @returns the paths of the removed files
 */
export async function rotateBackups(
  folder: string,
  { keptCount, newFile }: { keptCount: number; newFile: string },
): Promise<string[]> {
  const folderEntries = await readdir(folder, { withFileTypes: true })
  const datedNames = folderEntries.filter((entry) => entry.isFile() && datedNamePattern.test(entry.name)).map(({ name }) => name)
  const removedPaths = datedNames
    .filter((name) => name !== basename(newFile))
    .sort()
    .reverse()
    .slice(keptCount - 1)
    .map((name) => join(folder, name))
  for (const removedPath of removedPaths) await rm(removedPath)
  return removedPaths
}
