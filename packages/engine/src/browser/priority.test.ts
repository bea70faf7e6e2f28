import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { setSessionPriority } from './priority.ts'

// Where the system has no groups by session there is nothing to share, and a test of that would say nothing.
const byGroup = test.runIf(existsSync('/proc/self/autogroup'))

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

async function sleeper(detached: boolean): Promise<number> {
  const child = spawn('sleep', ['60'], { detached, stdio: 'ignore' })
  await once(child, 'spawn')
  ends.push(() => child.kill())
  return child.pid!
}
const niceOf = (pid: number) =>
  Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))![1])

byGroup('a process with a session of its own gets the priority that it is to have', async () => {
  const [one, two] = [await sleeper(true), await sleeper(true)]
  // At once, as browsers start: the system takes one after the other.
  await Promise.all([setSessionPriority(one, 7), setSessionPriority(two, 7)])
  expect([niceOf(one), niceOf(two)]).toEqual([7, 7])
})

byGroup('the session that we are in keeps its own priority', async () => {
  // The tests themselves may be in a session without a group, as what a container starts is.
  const program = `
    const { setSessionPriority } = await import(${JSON.stringify(new URL('priority.ts', import.meta.url).href)})
    const child = (await import('node:child_process')).spawn('sleep', ['60'])
    await setSessionPriority(child.pid, 7)
    child.kill()
    console.log((await import('node:fs')).readFileSync('/proc/self/autogroup', 'utf8'))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { detached: true })
  ends.push(() => child.kill())
  expect(await text(child.stdout)).toMatch(/^\/autogroup-\d+ nice 0$/m)
})

test('a process that is gone is no fault', async () => {
  const pid = await sleeper(true)
  process.kill(pid)
  while (existsSync(`/proc/${pid}`)) await pause(10)
  await setSessionPriority(pid, 7)
})
