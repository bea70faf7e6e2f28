import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockData } from './data-lock.ts'
import { thisProcess } from './running-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-lock-'))
const children: ChildProcess[] = []
afterAll(() => {
  // One that a failed test leaves behind would keep the test process from ending.
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const lockFile = (data: string) => join(data, 'clearway.lock')
/** For several who begin in the same moment: resolves for each when the last of them waits. */
function together(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  return () => {
    if (++waiting === count) resolve()
    return promise
  }
}
/**
 * Another process that tries to take a folder once `begin` resolves, says what became of it, and keeps it. `wrap` runs it
 * elsewhere.
 */
async function another(data: string, wrap: readonly string[] = [], begin = together(1)) {
  const program = `
    const { lockData } = await import(${JSON.stringify(new URL('./data-lock.ts', import.meta.url).href)})
    console.log('"ready"')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    const lock = await lockData(${JSON.stringify(data)}, { onLost: () => { console.log('lost'); process.exit(7) } })
    console.log(JSON.stringify(lock.taken ? 'taken' : lock))
    setInterval(() => {}, 1000)`
  const [command, ...args] = [...wrap, process.execPath, '--input-type=module', '-e', program]
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  await begin()
  child.stdin.write('begin')
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    said: JSON.parse(chunk.toString()) as unknown,
    child,
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
/** A container's view of processes: a namespace of its own, whose first process ends with the command. */
const inNamespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = spawnSync(inNamespace[0]!, [...inNamespace.slice(1), 'true']).status === 0
if (!canUnshare)
  process.stderr.write('NOT SHOWN here: two containers on one data folder. It needs root and `unshare`.\n')

it('makes the folder with those above it, and locks it once', async () => {
  const deep = join(folder, 'a', 'b')
  const first = await lockData(deep)
  expect(first.taken).toBe(true)
  expect(await lockData(deep)).toEqual({ taken: false, pid: process.pid, elsewhere: false })
  if (first.taken) await first.release()
  const second = await lockData(deep)
  expect(second.taken).toBe(true)
  if (second.taken) await second.release()
  expect(readdirSync(deep)).toEqual([])
})

it.skipIf(process.platform !== 'linux')('says at once where no folder can be made', async () => {
  await expect(lockData('/proc/clearway')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(lockData('/proc/clearway/data')).rejects.toMatchObject({ code: 'ENOENT' })
})

it('says so when a file is there', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(lockData(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(lockData(join(folder, 'file', 'data'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it('is taken by one of several that start at once after a holder was killed', async () => {
  const data = join(folder, 'several')
  await (await another(data)).kill()
  for (let round = 0; round < 8; round++) {
    const began = performance.now()
    const begin = together(6)
    const all = await Promise.all(Array.from({ length: 6 }, () => another(data, [], begin)))
    const takers = all.filter(({ said }) => said === 'taken')
    expect(takers).toHaveLength(1)
    for (const { said } of all.filter((one) => !takers.includes(one)))
      expect(said).toEqual({ taken: false, pid: takers[0]!.child.pid, elsewhere: false })
    // Its process is gone for all to see: nobody waits for a sign of life.
    expect(performance.now() - began).toBeLessThan(9000)
    for (const { kill } of all) await kill()
  }
})

it('is taken by one of many that find it stale in the same moment, also where one was killed at removing it', async () => {
  const data = join(folder, 'moment')
  mkdirSync(data)
  const { machine: place, ...own } = thisProcess()
  const gone = (id: string) =>
    JSON.stringify({ ...own, place, id, began: 'another boot', beat: '000000000000' })
  const rightTo = (id: string) => `${lockFile(data)}.${createHash('sha256').update(id).digest('hex')}.gone`
  for (let round = 0; round < 50; round++) {
    const id = `gone ${round}`
    writeFileSync(lockFile(data), round % 5 === 4 ? '' : gone(id))
    if (round % 2 === 1) writeFileSync(rightTo(id), round % 3 === 0 ? '' : gone('gone, too'))
    const locks = await Promise.all(Array.from({ length: 8 }, () => lockData(data)))
    const taken = locks.filter((lock) => lock.taken)
    expect(taken).toHaveLength(1)
    for (const { release } of taken) await release()
    rmSync(rightTo(id), { force: true })
    expect(readdirSync(data)).toEqual([])
  }
})

it.runIf(canUnshare)(
  'is not taken by a second container, however the numbers of processes look',
  async () => {
    const data = join(folder, 'containers')
    const first = await another(data, inNamespace)
    expect(first.said).toBe('taken')
    // The number of the first means something else there, or nothing.
    const holder = JSON.parse(readFileSync(lockFile(data), 'utf8')) as { pid: number }
    const second = await another(data, inNamespace)
    expect(second.said).toEqual({ taken: false, pid: holder.pid, elsewhere: true })
    await second.kill()
    await first.kill()
    // Its silence shows it, and the next one needs no hand.
    const third = await another(data, inNamespace)
    expect(third.said).toBe('taken')
    await third.kill()
  },
)

it('is given up by a holder who was stopped so long that another has taken it', async () => {
  const data = join(folder, 'stopped')
  const first = await another(data)
  const ended = once(first.child, 'exit')
  first.child.kill('SIGSTOP')
  const { machine: place, ...own } = thisProcess()
  const theirs = { ...own, place, id: 'another', beat: '000000000000' }
  // As one takes it: by another file of this name. The sign of life that was under way goes into the first.
  writeFileSync(`${lockFile(data)}.theirs`, JSON.stringify(theirs))
  renameSync(`${lockFile(data)}.theirs`, lockFile(data))
  first.child.kill('SIGCONT')
  expect(await ended).toEqual([7, null])
  expect(JSON.parse(readFileSync(lockFile(data), 'utf8'))).toEqual(theirs)
})
