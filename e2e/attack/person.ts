import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from '../product/client.ts'

/**
 * Simulates a user while the product is attacked. It is a separate process, so that the attackers do not delay its clock. It
 * is told which attack starts, and then reports the waiting times until then, in ms.
 */
export type ToPerson = { kind: 'begin'; url: string; token: string; scan: string } | { kind: 'during'; what: string }
export type Waited = { during: string; call: string; ms: number }
export type FromPerson = { waited: Waited[]; refused: string[] }

const report: FromPerson = { waited: [], refused: [] }
let during = 'nothing'
/** Call in progress. */
let calling: Promise<unknown> = Promise.resolve()

async function runCalls(url: string, token: string, scan: string): Promise<never> {
  const client = createCaller(`${url}/monitor-api`, token)
  const callPaths = ['/scans', '/users/permissions', `/scans/${scan}/runs`, '/issues?size=20', `/scans/${scan}`]
  for (let turn = 0; ; turn++) {
    const path = callPaths[turn % callPaths.length]!
    const [startedAt, attackName] = [performance.now(), during]
    calling = client('GET', path).catch((error: unknown) => report.refused.push(`${attackName}: ${String(error)}`))
    await calling
    report.waited.push({ during: attackName, call: path.replace(scan, '{id}'), ms: performance.now() - startedAt })
    await pause(40)
  }
}

const sendReport = () =>
  process.send!({ waited: report.waited.splice(0), refused: report.refused.splice(0) } satisfies FromPerson)

/**
 * Real users have their own computer, so other work on this machine must not delay the clock. Without the privilege to raise
 * the priority it may.
 */
const raisedNice = -15
try {
  writeFileSync('/proc/self/autogroup', String(raisedNice))
  setPriority(raisedNice)
} catch {
  process.stderr.write('What a person waits for includes waiting for a processor to look at the clock.\n')
}

process.on('message', (message: ToPerson) => {
  if (message.kind === 'begin') void runCalls(message.url, message.token, message.scan)
  else {
    during = message.what
    // Waiting caused by an attack up to its end counts as waiting during it.
    void calling.then(sendReport)
  }
})
process.on('disconnect', () => process.exit(1))
