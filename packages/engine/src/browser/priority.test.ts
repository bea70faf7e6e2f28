import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { setSessionPriority } from './priority.ts'

// Without session groups, there is nothing to share and nothing to test.
const testWithGroups = test.runIf(existsSync('/proc/self/autogroup'))

const cleanups: (() => void)[] = []
afterEach(() => cleanups.splice(0).forEach((cleanUp) => cleanUp()))

async function startSleeper(detached: boolean): Promise<number> {
  const sleepProcess = spawn('sleep', ['60'], { detached, stdio: 'ignore' })
  await once(sleepProcess, 'spawn')
  cleanups.push(() => sleepProcess.kill())
  return sleepProcess.pid!
}
const readNice = (pid: number) => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))![1])

testWithGroups('sets the priority of a process in its own session', async () => {
  const [firstPid, secondPid] = [await startSleeper(true), await startSleeper(true)]
  // Concurrently, as browsers start: the system accepts one after the other.
  await Promise.all([setSessionPriority(firstPid, 7), setSessionPriority(secondPid, 7)])
  expect([readNice(firstPid), readNice(secondPid)]).toEqual([7, 7])
})

testWithGroups('does not change the priority of the current session', async () => {
  // The tests themselves may run in a session without a group, for example in a container.
  const scriptText = `
    const { setSessionPriority } = await import(${JSON.stringify(new URL('priority.ts', import.meta.url).href)})
    const child = (await import('node:child_process')).spawn('sleep', ['60'])
    await setSessionPriority(child.pid, 7)
    child.kill()
    console.log((await import('node:fs')).readFileSync('/proc/self/autogroup', 'utf8'))`
  const scriptProcess = spawn(process.execPath, ['--input-type=module', '-e', scriptText], { detached: true })
  cleanups.push(() => scriptProcess.kill())
  expect(await text(scriptProcess.stdout)).toMatch(/^\/autogroup-\d+ nice 0$/m)
})

test('ignores a process that has ended', async () => {
  const pid = await startSleeper(true)
  process.kill(pid)
  while (existsSync(`/proc/${pid}`)) await pause(10)
  await setSessionPriority(pid, 7)
})
