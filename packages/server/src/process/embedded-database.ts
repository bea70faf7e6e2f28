import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type EmbeddedDatabase, startEmbedded } from '../kit/postgres/embedded.ts'
import type { CopyDatabase } from '../kit/postgres/upgrade.ts'

/** Copies a database into another one with a backup, which verifies counts and checksums. */
const copyDatabase =
  (config: Config): CopyDatabase =>
  async (sourceUrl, targetUrl) => {
    // Loaded for a new major version only: the process that owns the database needs neither otherwise.
    const [{ writeBackup }, { restoreBackup }, { getSealKey }, { allMigrations }, { describeProgram }] = await Promise.all([
      import('../kit/backup/write.ts'),
      import('../kit/backup/read.ts'),
      import('../kit/seal.ts'),
      import('../migrations/all.ts'),
      import('./version.ts'),
    ])
    const tempFolder = await mkdtemp(join(config.CLEARWAY_DATA, 'upgrade-'))
    const backupFile = join(tempFolder, 'whole.backup')
    const secretKey = getSealKey({ setting: config.CLEARWAY_SECRET_KEY, folder: config.CLEARWAY_DATA })
    try {
      await writeBackup({ url: sourceUrl, file: backupFile, program: describeProgram(), key: secretKey, passphrase: null })
      await restoreBackup({ url: targetUrl, file: backupFile, migrations: allMigrations, replace: false })
    } finally {
      await rm(tempFolder, { recursive: true, force: true })
    }
  }

/**
 * Starts the embedded database.
 * @param report notes what takes long or is unexpected
 * @throws ClusterError with instructions for the operator
 */
export const startEmbeddedDatabase = (config: Config, report: (message: string) => void): Promise<EmbeddedDatabase> =>
  startEmbedded({ data: config.CLEARWAY_DATA, report, copy: copyDatabase(config) })
