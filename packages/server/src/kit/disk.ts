import { statfs } from 'node:fs/promises'

/** Minimum free space of a disk on which results and browsers store their data. */
export const minFreeBytes = 200 * 1024 * 1024

/** Free bytes and size of the disk of a folder; null if unknown. */
export async function readDiskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}

export const readFreeBytes = async (folder: string): Promise<number | null> => (await readDiskSpace(folder))?.freeBytes ?? null

/** The first of these folders whose disk is full; null for none. */
export async function findFullDisk(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const freeBytes = await readFreeBytes(folder)
    if (freeBytes !== null && freeBytes < minFreeBytes) return folder
  }
  return null
}
