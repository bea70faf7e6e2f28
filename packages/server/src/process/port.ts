import { createServer } from 'node:net'
import type { Config } from '../config.ts'

/** Listens first, so that a port in use is known before a database is touched; routes come before the first answer. */
export async function takePort(config: Config): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done, fail) =>
    probe.once('error', fail).listen(config.CLEARWAY_PORT, config.CLEARWAY_HOST, done),
  )
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  return typeof address === 'object' && address ? address.port : config.CLEARWAY_PORT
}
