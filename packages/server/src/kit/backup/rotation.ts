import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readBackupHead } from './read.ts'
import { BackupError, type BackupHead } from './schema.ts'
import { partialSuffix } from './write.ts'

const datedNamePattern = /^clearway-\d{8}T\d{6}Z\.backup$/

/** An unfinished file that nothing has written to for so long belongs to a backup that was killed. */
const maxPartialAgeMs = 24 * 3_600_000

/** File name of a backup in a folder; names sort by time. */
export const getDatedName = (time: Date): string =>
  `clearway-${time.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.backup`

/** The head of a backup; null for a file that is damaged, unfinished or none of ours. */
async function tryReadHead(backupPath: string): Promise<BackupHead | null> {
  try {
    return await readBackupHead(backupPath)
  } catch (error) {
    if (error instanceof BackupError) return null
    throw error
  }
}

const isFileStale = async (path: string): Promise<boolean> => Date.now() - (await stat(path)).mtimeMs > maxPartialAgeMs

export type RotationResult = {
  /** Paths of removed backups, and of unfinished ones of a day ago. */
  removed: string[]
  /** Paths of dated files that stay, because they cannot be read or have the secret key of another installation. */
  foreign: string[]
}

/**
 * Removes the oldest dated backups with the secret key of the new one, which stays: several installations may share a folder.
 * @param options.keptCount number of backups to keep, with the new one
 */
export async function rotateBackups(
  folder: string,
  { keptCount, newFile }: { keptCount: number; newFile: string },
): Promise<RotationResult> {
  const { fingerprint } = (await readBackupHead(newFile)).secretKey
  const folderEntries = await readdir(folder, { withFileTypes: true })
  const fileNames = folderEntries.flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  const olderNames = fileNames.filter((name) => datedNamePattern.test(name) && name !== basename(newFile)).toSorted()
  const ownPaths: string[] = []
  const foreignPaths: string[] = []
  for (const name of olderNames) {
    const backupPath = join(folder, name)
    const backupHead = await tryReadHead(backupPath)
    ;(backupHead?.secretKey.fingerprint === fingerprint ? ownPaths : foreignPaths).push(backupPath)
  }
  const removedPaths = ownPaths.slice(0, Math.max(0, ownPaths.length - (keptCount - 1)))
  for (const name of fileNames) {
    if (!name.endsWith(partialSuffix) || !datedNamePattern.test(name.slice(0, -partialSuffix.length))) continue
    const partialPath = join(folder, name)
    if (await isFileStale(partialPath)) removedPaths.push(partialPath)
  }
  for (const removedPath of removedPaths) await rm(removedPath, { force: true })
  return { removed: removedPaths, foreign: foreignPaths }
}
