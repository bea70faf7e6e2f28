import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Returns true if this process can listen on the port. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) =>
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
  )
  if (isListening) await new Promise((resolve) => server.close(resolve))
  return isListening
}

/**
 * Returns a currently unused port below the system's range for outgoing connections: one of that range might be taken by a
 * connection of another test before the product listens.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isPortFree(port)) return port
  }
}

// The script of all checks takes its ports from here, too.
if (import.meta.main) process.stdout.write(`${await findFreePort()}\n`)
