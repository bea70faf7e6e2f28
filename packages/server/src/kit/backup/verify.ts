import { createHash } from 'node:crypto'
import { countLines } from './archive.ts'
import { type AllMigrations, openBackup, readContent, type RowsReceiver } from './read.ts'
import type { BackupHead } from './schema.ts'

/** Counts and hashes rows without storing them. */
function createRowsCounter(): RowsReceiver {
  const rowsHash = createHash('sha256')
  let rowCount = 0
  return {
    write: (bytes) => {
      rowsHash.update(bytes)
      rowCount += countLines(bytes)
    },
    abort: () => undefined,
    end: () => Promise.resolve({ rows: rowCount, sha256: rowsHash.digest('hex') }),
  }
}

/**
 * Reads a whole backup as a restore does, without a database. The compression's checksum covers objects, too.
 * @throws BackupError if a restore would refuse the file
 */
export async function verifyBackup(
  file: string,
  migrations: AllMigrations,
): Promise<{ head: BackupHead; tables: number; rows: number; objects: number }> {
  const { head, parts } = await openBackup(file, migrations)
  const { totals } = await readContent(head, parts, { file, openReceiver: createRowsCounter, putObject: () => undefined })
  return { head, ...totals }
}
