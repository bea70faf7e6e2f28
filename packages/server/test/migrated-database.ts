import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, openDatabase, type ServiceSchema } from '../src/kit/database.ts'
import { createMigratedDatabase, type TestDatabase } from './database.ts'
import { migrationsBySchema } from './migration.ts'

/** Fingerprint of the sources from which the tables are made. */
function computeFingerprint(): string {
  const source = join(import.meta.dirname, '../src')
  const hash = createHash('sha256')
  for (const file of globSync('migrations/*.ts', { cwd: source }).sort()) hash.update(readFileSync(join(source, file)))
  return hash.digest('hex').slice(0, 16)
}

async function migrateAll(url: string): Promise<void> {
  for (const [schema, migrations] of Object.entries(migrationsBySchema)) {
    const db = openDatabase<Record<string, never>>(url, { schema: schema as ServiceSchema, connections: 1 })
    try {
      await migrate(db, schema as ServiceSchema, migrations)
    } finally {
      await db.destroy()
    }
  }
}

/** Creates a database with the tables of all services, for one test file. */
export const openMigratedDatabase = (): Promise<TestDatabase> => createMigratedDatabase(computeFingerprint(), migrateAll)
