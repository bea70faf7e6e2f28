// Plain JavaScript that Node 20 understands: what starts a Node 24 runs before that is there.
import { constants } from 'node:os'

/** Passes signals on to a process that stands for this one, and ends as it ends. */
export function endWith(child, cannotStart) {
  // A terminal sends Ctrl-C to both of us; the program decides when it is done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  // A Node for another C library, or a folder where nothing may run.
  child.on('error', ({ message }) => {
    console.error(`${cannotStart}: ${message}`)
    process.exit(2)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
