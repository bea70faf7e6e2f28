import { ObjectStoreError } from '../../kit/object-store/store.ts'
import { checkStore, moveObjects, verifyObjects } from '../../monitor/page/object/service.ts'
import { refuse, settingsOf, withDatabase } from './command.ts'
import { openMonitorDatabase } from '../database.ts'
import { objectsOf } from '../object-store.ts'

const usage = 'Usage: clearway objects move | verify'
const config = settingsOf()
type Deps = Parameters<typeof moveObjects>[0]

async function move(deps: Deps): Promise<void> {
  const { moved, lost } = await moveObjects(deps)
  const { target, stores } = deps.objects
  console.log(`Moved ${moved} objects into ${target === null ? 'the database' : stores[target]!.where}.`)
  if (lost === 0) return
  console.error(`${lost} were not where the database says: they are lost.`)
  process.exitCode = 1
}

async function verify(deps: Deps): Promise<void> {
  const { whole, lost, changed, unreferred, names } = await verifyObjects(deps)
  console.log(
    `${whole} objects are what was stored, ${lost} are lost, ${changed} are changed; ${unreferred} are nobody's, and are removed by and by.`,
  )
  for (const name of names) console.error(name)
  if (lost + changed > 0) process.exitCode = 1
}

/** Brings pictures and sources to where the settings say, or looks whether all are there; while the server runs or not. */
async function main(args: readonly string[]): Promise<void> {
  const work = new Map([
    ['move', move],
    ['verify', verify],
  ]).get(args.join(' '))
  if (!work) refuse(usage)
  await withDatabase(config, async (url) => {
    const db = await openMonitorDatabase(config, url)
    try {
      const objects = objectsOf(config, (message) => console.error(message))
      await checkStore({ db, objects })
      await work({ db, objects })
    } catch (error) {
      if (error instanceof ObjectStoreError) refuse(`${error.message}.`)
      throw error
    } finally {
      await db.destroy()
    }
  })
}

await main(process.argv.slice(2))
