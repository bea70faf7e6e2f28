import { verifyAudit } from '../../monitor/audit/service.ts'
import { exitWithMessage, readSettingsOrExit, withDatabase } from './command.ts'
import { openMonitorDatabase } from '../database.ts'

/** Verifies the audit log, whether the server runs or not. Exit code 1 for a broken log. */
async function main(args: readonly string[]): Promise<void> {
  if (args.join(' ') !== 'verify') exitWithMessage('Usage: clearway audit verify')
  const config = readSettingsOrExit()
  const verification = await withDatabase(config, async (url) => {
    const db = await openMonitorDatabase(config, url)
    try {
      return await verifyAudit({ db })
    } finally {
      await db.destroy()
    }
  })
  if (verification.kind === 'broken') {
    console.error(`The audit log was tampered with: entry ${verification.number} ${verification.why}.`)
    process.exitCode = 1
    return
  }
  const { entries: entryCount, first: firstNumber, last: lastNumber, hash: lastHash } = verification
  console.log(
    entryCount === 0
      ? `The audit log is whole: it has no entries. The last hash is ${lastHash || 'none'}.`
      : `The audit log is whole: ${entryCount} entries, ${firstNumber} to ${lastNumber}. The last hash is ${lastHash}.`,
  )
}

await main(process.argv.slice(2))
