import { readConfig } from './config.ts'
import { lockData, lockedMessage } from './kit/data-lock.ts'
import { endOnFault, startFault, wrongUse } from './process/start-fault.ts'
import { gaveUpFor, kindsOf, supervise, type Supervised } from './process/supervisor.ts'

/** One line for a person, and the exit code for wrong use. */
function giveUp(message: string): never {
  console.error(message)
  process.exit(wrongUse)
}

async function takeFolder(folder: string, onLost: () => void) {
  const lock = await lockData(folder, {
    onWait: (seconds) =>
      console.error(
        `${folder} was left by a Clearway elsewhere, or one runs on it: listening for ${seconds} s.`,
      ),
    onLost: () => {
      console.error(
        `Another Clearway has taken ${folder}, because this one stood still for too long. Stopping.`,
      )
      onLost()
    },
  })
  return lock.taken ? lock : giveUp(lockedMessage(folder, lock))
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if ('problem' in config) giveUp(config.problem)
  try {
    const lock = await takeFolder(config.CLEARWAY_DATA, () => end(1))
    let serving: Promise<Supervised> | null = null
    let stopping = false
    const stopped = new AbortController()
    const end = (code: number) => {
      if (stopping) return
      stopping = true
      stopped.abort()
      // Also in the middle of a start: what it has begun must end with it.
      const ended = serving?.then(({ stop }) => stop()).catch(() => undefined) ?? Promise.resolve()
      void ended.then(lock.release).then(
        () => process.exit(code),
        () => process.exit(1),
      )
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))
    // `npm start | head`: nobody reads us any more, which is no reason to leave a database behind.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => end(0))
    endOnFault()
    try {
      // Roles of one kind are this process; else it keeps others, and knows nothing of what they do.
      serving =
        kindsOf(config.CLEARWAY_ROLES).length > 1
          ? supervise(config, stopped.signal)
          : import('./process/serve.ts').then(({ serve }) => serve(config))
      console.log((await serving).announcement)
    } catch (error) {
      // Whoever stopped it ends it.
      if (stopping) return
      await lock.release()
      throw error
    }
  } catch (error) {
    const code = gaveUpFor(error)
    if (code !== null) process.exit(code)
    const fault = startFault(error, config)
    if (fault !== null) giveUp(fault)
    throw error
  }
}

await main()
