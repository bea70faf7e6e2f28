import { listUnprovenRuns } from '../../monitor/issue/lifecycle/service.ts'
import { openMonitorDatabase } from '../database.ts'
import { exitWithHelp, exitWithMessage, isHelpRequest, readSettingsOrExit, withDatabase } from './command.ts'

const usageMessage = 'Usage: clearway proof'

/** Lists past runs that called issues fixed without proof. Nothing is changed: the next run that finds them reopens them. */
async function main(args: readonly string[]): Promise<void> {
  if (isHelpRequest(args)) exitWithHelp(usageMessage)
  if (args.length > 0) exitWithMessage(usageMessage)
  const config = readSettingsOrExit()
  await withDatabase(config, async (url) => {
    const monitorDb = await openMonitorDatabase(config, url)
    try {
      const unprovenRuns = await listUnprovenRuns({ db: monitorDb })
      for (const { scan, number, issues, pages, firstUrl } of unprovenRuns)
        console.log(`${scan}, run ${number}: ${issues} fixed on ${pages} pages without proof, for example on ${firstUrl}`)
      console.log(`${unprovenRuns.length} runs have fixed issues without proof.`)
    } finally {
      await monitorDb.destroy()
    }
  })
}

await main(process.argv.slice(2))
