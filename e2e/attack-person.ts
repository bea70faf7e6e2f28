import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from './client.ts'

/**
 * Somebody who works while the product is attacked, in a process of its own, so that nothing of the attackers delays the clock.
 * Is told what goes on, and says in the end what was waited for in milliseconds, by that.
 */
export type ToPerson =
  | { kind: 'begin'; url: string; token: string; scan: string }
  | { kind: 'during'; what: string }
  | { kind: 'end' }
export type Waited = { during: string; call: string; ms: number }
export type FromPerson = { waited: Waited[]; refused: string[] }

const waited: Waited[] = []
const refused: string[] = []
let during = 'nothing'
const working = new AbortController()

async function work(url: string, token: string, scan: string): Promise<void> {
  const client = callerOf(`${url}/monitor-api`, token)
  const calls = ['/scans', '/users/permissions', `/scans/${scan}/runs`, '/issues?size=20', `/scans/${scan}`]
  for (let turn = 0; !working.signal.aborted; turn++) {
    const path = calls[turn % calls.length]!
    const [began, then] = [performance.now(), during]
    await client('GET', path).catch((error: unknown) => refused.push(`${then}: ${String(error)}`))
    waited.push({ during: then, call: path.replace(scan, '{id}'), ms: performance.now() - began })
    await pause(40)
  }
  process.send!({ waited, refused } satisfies FromPerson, () => process.exit(0))
}

process.on('message', (message: ToPerson) => {
  if (message.kind === 'begin') void work(message.url, message.token, message.scan)
  else if (message.kind === 'during') during = message.what
  else working.abort()
})
process.on('disconnect', () => process.exit(1))
