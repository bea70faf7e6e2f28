import { createServer } from 'node:net'
import type { Config } from '../config.ts'

/** Checks the port first, so that a port in use is reported before the database is touched. @returns the free port */
export async function reservePort(config: Config): Promise<number> {
  const probeServer = createServer()
  await new Promise<void>((resolve, reject) =>
    probeServer.once('error', reject).listen(config.CLEARWAY_PORT, config.CLEARWAY_HOST, resolve),
  )
  const probeAddress = probeServer.address()
  await new Promise((resolve) => probeServer.close(resolve))
  return typeof probeAddress === 'object' && probeAddress ? probeAddress.port : config.CLEARWAY_PORT
}
