import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '../product/client.ts'

/**
 * Somebody who works while the product is attacked, in a process of its own, so that nothing of the attackers delays the clock.
 * Is told what goes on, and says then what was waited for in milliseconds until then.
 */
export type ToPerson =
  { kind: 'begin'; url: string; token: string; scan: string } | { kind: 'during'; what: string }
export type Waited = { during: string; call: string; ms: number }
export type FromPerson = { waited: Waited[]; refused: string[] }

const now: FromPerson = { waited: [], refused: [] }
let during = 'nothing'
/** The call in work. */
let calling: Promise<unknown> = Promise.resolve()

async function work(url: string, token: string, scan: string): Promise<never> {
  const client = callerOf(`${url}/monitor-api`, token)
  const calls = ['/scans', '/users/permissions', `/scans/${scan}/runs`, '/issues?size=20', `/scans/${scan}`]
  for (let turn = 0; ; turn++) {
    const path = calls[turn % calls.length]!
    const [began, then] = [performance.now(), during]
    calling = client('GET', path).catch((error: unknown) => now.refused.push(`${then}: ${String(error)}`))
    await calling
    now.waited.push({ during: then, call: path.replace(scan, '{id}'), ms: performance.now() - began })
    await pause(40)
  }
}

const answer = () =>
  process.send!({ waited: now.waited.splice(0), refused: now.refused.splice(0) } satisfies FromPerson)

/** People have a computer of their own: nobody who works on this one is to delay the clock. Without the right to it, some do. */
const ahead = -15
try {
  writeFileSync('/proc/self/autogroup', String(ahead))
  setPriority(ahead)
} catch {
  process.stderr.write('What a person waits for includes waiting for a processor to look at the clock.\n')
}

process.on('message', (message: ToPerson) => {
  if (message.kind === 'begin') void work(message.url, message.token, message.scan)
  else {
    during = message.what
    // What an attack holds up until its end was waited for during it.
    void calling.then(answer)
  }
})
process.on('disconnect', () => process.exit(1))
