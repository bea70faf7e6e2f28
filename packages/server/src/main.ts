import { type Config, readConfig } from './config.ts'
import { lockData } from './kit/data-lock.ts'
import { ClusterError } from './kit/postgres/cluster.ts'
import { serve, type Serving } from './process/serve.ts'

/** One line for a person, and the exit code for wrong use. */
function giveUp(message: string): never {
  console.error(message)
  process.exit(2)
}

const codes: Readonly<Record<string, (config: Config) => string>> = {
  EADDRINUSE: ({ CLEARWAY_PORT: port }) =>
    `Port ${port} is in use by another program. Stop that, or set CLEARWAY_PORT to another.`,
  EACCES: ({ CLEARWAY_PORT, CLEARWAY_DATA }) =>
    `Not allowed: to listen on port ${CLEARWAY_PORT}, or to write to ${CLEARWAY_DATA}. Set CLEARWAY_PORT or CLEARWAY_DATA.`,
  EADDRNOTAVAIL: ({ CLEARWAY_HOST: host }) =>
    `This machine has no address ${host}. Set CLEARWAY_HOST to one of its own.`,
  ENOTFOUND: ({ CLEARWAY_HOST: host }) =>
    `The host name ${host} is not known. Set CLEARWAY_HOST to an address of this machine.`,
  ENOSPC: ({ CLEARWAY_DATA: data }) =>
    `The disk of ${data} is full. Make room, or set CLEARWAY_DATA to another disk.`,
  EROFS: ({ CLEARWAY_DATA: data }) => `${data} cannot be written. Set CLEARWAY_DATA to a folder that can.`,
  ENOENT: ({ CLEARWAY_DATA: data }) => `${data} cannot be made. Set CLEARWAY_DATA to a folder that can.`,
  ENOTDIR: ({ CLEARWAY_DATA: data }) => `${data} is not a folder. Set CLEARWAY_DATA to one.`,
  EEXIST: ({ CLEARWAY_DATA: data }) => `${data} is not a folder. Set CLEARWAY_DATA to one.`,
  '53100': ({ CLEARWAY_DATA: data }) =>
    `The disk of the database (${data}) is full. Make room and start again.`,
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if ('problem' in config) giveUp(config.problem)
  try {
    const lock = await lockData(config.CLEARWAY_DATA)
    if (!lock.taken)
      giveUp(
        `Clearway runs on ${config.CLEARWAY_DATA} already (process ${lock.pid}). ` +
          'Stop it first, or set CLEARWAY_DATA to another folder for a second one.',
      )
    let serving: Promise<Serving> | null = null
    let stopping = false
    const end = (code: number) => {
      if (stopping) return
      stopping = true
      // Also in the middle of a start: what it has begun must end with it.
      const stopped = serving?.then(({ stop }) => stop()).catch(() => undefined) ?? Promise.resolve()
      void stopped.then(lock.release).then(
        () => process.exit(code),
        () => process.exit(1),
      )
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))
    // `npm start | head`: nobody reads us any more, which is no reason to leave a database behind.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => end(0))
    process.on('uncaughtException', (error) => {
      console.error('Unexpected error, stopping:', error)
      end(1)
    })
    try {
      serving = serve(config)
      await serving
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (error instanceof ClusterError) giveUp(error.message)
    const known = typeof code === 'string' ? codes[code] : undefined
    if (known) giveUp(known(config))
    throw error
  }
}

await main()
