import { parseArgs } from 'node:util'
import { compactTables, readDatabaseBytes } from '../../kit/compact.ts'
import { openDatabase } from '../../kit/database.ts'
import { exitWithHelp, exitWithMessage, readSettingsOrExit, withDatabase } from './command.ts'

const usageMessage = `Usage: clearway compact [--full]

Returns space of removed runs to the disk. Clearway may run meanwhile.
  without     rebuilds the indexes, which does not block other work
  --full      also rewrites the tables; each is locked for that long, and needs as much free space as it has rows`

const formatMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

/** Returns space of removed rows to the disk, and reports the size of the database before and after. */
async function main(args: string[]): Promise<void> {
  const isFull = parseFullFlag(args)
  const config = readSettingsOrExit()
  await withDatabase(config, async (url) => {
    const db = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })
    try {
      const bytesBefore = await readDatabaseBytes(db)
      await compactTables(db, isFull)
      console.log(
        `The database had ${formatMegabytes(bytesBefore)} MB, and has ${formatMegabytes(await readDatabaseBytes(db))} MB.`,
      )
    } finally {
      await db.destroy()
    }
  })
}

function parseFullFlag(args: string[]): boolean {
  try {
    const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' }, full: { type: 'boolean' } } })
    if (values.help) exitWithHelp(usageMessage)
    return values.full === true
  } catch (error) {
    exitWithMessage(`${(error as Error).message}\n${usageMessage}`)
  }
}

await main(process.argv.slice(2))
