import { migrate, openDatabase, serviceSchemas } from '../../kit/database.ts'
import { exitWithHelp, isHelpRequest, readSettingsOrExit, withDatabase } from './command.ts'
import { allMigrations } from '../../migrations/all.ts'

/** Migrates and exits, before servers of a new version start: the first of them would return 503 while it migrates. */
if (isHelpRequest(process.argv.slice(2))) exitWithHelp('Usage: clearway migrate')
const config = readSettingsOrExit()
await withDatabase(config, async (url) => {
  for (const schema of serviceSchemas) {
    const schemaDb = openDatabase<Record<string, never>>(url, { schema, connections: 1 })
    try {
      await migrate(schemaDb, schema, allMigrations[schema])
    } finally {
      await schemaDb.destroy()
    }
  }
})
console.log('The database is up to date.')
