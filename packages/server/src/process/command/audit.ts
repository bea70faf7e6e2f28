import { verifyAudit } from '../../monitor/audit/service.ts'
import { refuse, settingsOf, withDatabase } from './command.ts'
import { openMonitorDatabase } from '../database.ts'

/** Looks whether the audit log is whole, while the server runs or not. Exit code 1 when it is not. */
async function main(args: readonly string[]): Promise<void> {
  if (args.join(' ') !== 'verify') refuse('Usage: clearway audit verify')
  const config = settingsOf()
  const found = await withDatabase(config, async (url) => {
    const db = await openMonitorDatabase(config, url)
    try {
      return await verifyAudit({ db })
    } finally {
      await db.destroy()
    }
  })
  if (found.kind === 'broken') {
    console.error(`The audit log is not what was written: entry ${found.number} ${found.why}.`)
    process.exitCode = 1
    return
  }
  const { entries, first, last, hash } = found
  console.log(
    entries === 0
      ? `The audit log is whole: it has no entries. The last hash is ${hash || 'none'}.`
      : `The audit log is whole: ${entries} entries, ${first} to ${last}. The last hash is ${hash}.`,
  )
}

await main(process.argv.slice(2))
