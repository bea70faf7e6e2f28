// Plain JavaScript for Node 20, because it runs before Node 24 is available.
import { constants } from 'node:os'

/** Forwards signals to a child process that replaces this one, and exits with its status. */
export function endWith(child, cannotStart) {
  // A terminal sends Ctrl-C to both processes; the child decides when to exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  // Node was built for another C library, or the folder forbids execution.
  child.on('error', ({ message }) => {
    console.error(`${cannotStart}: ${message}`)
    process.exit(2)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
