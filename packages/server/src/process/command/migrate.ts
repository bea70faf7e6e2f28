import { migrate, openDatabase, serviceSchemas } from '../../kit/database.ts'
import { settingsOf, withDatabase } from './command.ts'
import { allMigrations } from '../database.ts'

/**
 * Brings the database up to date and ends, before servers of a new version start: else the first of them does that, while it
 * answers with 503.
 */
const config = settingsOf()
await withDatabase(config, async (url) => {
  for (const schema of serviceSchemas) {
    const db = openDatabase<Record<string, never>>(url, { schema, connections: 1 })
    try {
      await migrate(db, schema, allMigrations[schema])
    } finally {
      await db.destroy()
    }
  }
})
console.log('The database is up to date.')
