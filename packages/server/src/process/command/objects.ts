import { ObjectStoreError } from '../../kit/object-store/store.ts'
import { assertOwnStore, moveObjects, verifyObjects } from '../../monitor/page/object/service.ts'
import { exitWithHelp, exitWithMessage, isHelpRequest, readSettingsOrExit, withDatabase } from './command.ts'
import { openMonitorDatabase } from '../database.ts'
import { openConfiguredObjects } from '../object-store.ts'

const usageMessage = 'Usage: clearway objects move | verify'
type ObjectCommandDeps = Parameters<typeof moveObjects>[0]

async function moveAll(deps: ObjectCommandDeps): Promise<void> {
  const { moved: movedCount, lost: lostCount } = await moveObjects(deps)
  const { target: targetStore, stores: objectStores } = deps.objects
  console.log(`Moved ${movedCount} objects into ${targetStore === null ? 'the database' : objectStores[targetStore]!.where}.`)
  if (lostCount === 0) return
  console.error(`${lostCount} are missing in their store, and lost.`)
  process.exitCode = 1
}

async function verifyAll(deps: ObjectCommandDeps): Promise<void> {
  const {
    whole: intactCount,
    lost: lostCount,
    changed: changedCount,
    unreferred: unreferencedCount,
    names: damagedNames,
  } = await verifyObjects(deps)
  console.log(
    `${intactCount} objects are intact, ${lostCount} are lost, ${changedCount} are changed; ${unreferencedCount} are unreferenced, and will be removed.`,
  )
  for (const damagedName of damagedNames) console.error(damagedName)
  if (lostCount + changedCount > 0) process.exitCode = 1
}

/** Moves pictures and sources to the configured store, or verifies them, whether the server runs or not. */
async function main(args: readonly string[]): Promise<void> {
  if (isHelpRequest(args)) exitWithHelp(usageMessage)
  const commandWork = new Map([
    ['move', moveAll],
    ['verify', verifyAll],
  ]).get(args.join(' '))
  if (!commandWork) exitWithMessage(usageMessage)
  const config = readSettingsOrExit()
  await withDatabase(config, async (url) => {
    const monitorDb = await openMonitorDatabase(config, url)
    try {
      const objects = openConfiguredObjects(config, (message) => console.error(message))
      await assertOwnStore({ db: monitorDb, objects })
      await commandWork({ db: monitorDb, objects })
    } catch (error) {
      if (error instanceof ObjectStoreError) exitWithMessage(`${error.message}.`)
      throw error
    } finally {
      await monitorDb.destroy()
    }
  })
}

await main(process.argv.slice(2))
