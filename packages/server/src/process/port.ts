import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

export type HeldPort = {
  number: number
  release: () => Promise<void>
  /** Releases the port and listens on it. */
  listen: (app: FastifyInstance) => Promise<void>
}

/** Checks the port before the database is touched. A port that the system chose is held against other programs. */
export async function holdPort(config: Config): Promise<HeldPort> {
  const probeServer = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) =>
    probeServer.once('error', reject).listen(config.CLEARWAY_PORT, config.CLEARWAY_HOST, resolve),
  )
  const probeAddress = probeServer.address()
  const number = typeof probeAddress === 'object' && probeAddress ? probeAddress.port : config.CLEARWAY_PORT
  const release = () => new Promise<void>((resolve) => probeServer.close(() => resolve()))
  if (config.CLEARWAY_PORT !== 0) await release()
  // A start that fails must not keep its process.
  probeServer.unref()
  const listen = async (app: FastifyInstance) => {
    await release()
    await app.listen({ port: number, host: config.CLEARWAY_HOST })
  }
  return { number, release, listen }
}
