/** @module-tag slow */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lockDataFolder } from './data-lock.ts'
import { getProcessIdentity } from './running-process.ts'

const testFolder = mkdtempSync(join(tmpdir(), 'clearway-lock-'))
const children: ChildProcess[] = []
afterAll(() => {
  // A child that a failed test leaves behind would keep the test process alive.
  for (const child of children) child.kill('SIGKILL')
  rmSync(testFolder, { recursive: true })
})

const getLockPath = (dataFolder: string) => join(dataFolder, 'clearway.lock')
/** A barrier: all callers continue when the last of them arrives. */
function createBarrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waitingCount = 0
  return () => {
    if (++waitingCount === count) resolve()
    return promise
  }
}
/**
 * Starts another process that tries to lock a folder once `begin` resolves, reports the result, and keeps the lock.
 * `wrap` is a command that runs it elsewhere.
 */
async function startContender(dataFolder: string, wrap: readonly string[] = [], begin = createBarrier(1)) {
  const programText = `
    const { lockDataFolder } = await import(${JSON.stringify(new URL('./data-lock.ts', import.meta.url).href)})
    console.log('"ready"')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    const lock = await lockDataFolder(${JSON.stringify(dataFolder)}, { onLost: () => { console.log('lost'); process.exit(7) } })
    console.log(JSON.stringify(lock.taken ? 'taken' : lock))
    setInterval(() => {}, 1000)`
  const [command, ...commandArgs] = [...wrap, process.execPath, '--input-type=module', '-e', programText]
  const childProcess = spawn(command!, commandArgs, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(childProcess)
  await once(childProcess.stdout, 'data')
  await begin()
  childProcess.stdin.write('begin')
  const [outputChunk] = (await once(childProcess.stdout, 'data')) as [Buffer]
  return {
    said: JSON.parse(outputChunk.toString()) as unknown,
    child: childProcess,
    kill: async () => {
      const exited = once(childProcess, 'exit')
      childProcess.kill('SIGKILL')
      await exited
    },
  }
}
/** A container's view of processes: a separate namespace, whose first process ends with the command. */
const namespaceCommand = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = spawnSync(namespaceCommand[0]!, [...namespaceCommand.slice(1), 'true']).status === 0
if (!canUnshare) process.stderr.write('SKIPPED: two containers on one data folder. Requires root and `unshare`.\n')

it('creates the folder with its parents, and locks it once', async () => {
  const nestedFolder = join(testFolder, 'a', 'b')
  const firstLock = await lockDataFolder(nestedFolder)
  expect(firstLock.taken).toBe(true)
  expect(await lockDataFolder(nestedFolder)).toEqual({ taken: false, pid: process.pid, elsewhere: false })
  if (firstLock.taken) await firstLock.release()
  const secondLock = await lockDataFolder(nestedFolder)
  expect(secondLock.taken).toBe(true)
  if (secondLock.taken) await secondLock.release()
  expect(readdirSync(nestedFolder)).toEqual([])
})

it.skipIf(process.platform !== 'linux')('fails immediately where no folder can be created', async () => {
  await expect(lockDataFolder('/proc/clearway')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(lockDataFolder('/proc/clearway/data')).rejects.toMatchObject({ code: 'ENOENT' })
})

it('fails if a file has that name', async () => {
  writeFileSync(join(testFolder, 'file'), '')
  await expect(lockDataFolder(join(testFolder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(lockDataFolder(join(testFolder, 'file', 'data'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it('is acquired by one of several concurrent starts after its holder was killed', async () => {
  const dataFolder = join(testFolder, 'several')
  await (await startContender(dataFolder)).kill()
  for (let round = 0; round < 8; round++) {
    const startedAt = performance.now()
    const barrier = createBarrier(6)
    const contenders = await Promise.all(Array.from({ length: 6 }, () => startContender(dataFolder, [], barrier)))
    const lockHolders = contenders.filter(({ said }) => said === 'taken')
    expect(lockHolders).toHaveLength(1)
    for (const { said } of contenders.filter((contender) => !lockHolders.includes(contender)))
      expect(said).toEqual({ taken: false, pid: lockHolders[0]!.child.pid, elsewhere: false })
    // All contenders can see that the process is gone, so none waits for a heartbeat.
    expect(performance.now() - startedAt).toBeLessThan(9000)
    for (const { kill } of contenders) await kill()
  }
})

it('is acquired by one of many that find it stale at once, even if one was killed while removing it', async () => {
  const dataFolder = join(testFolder, 'moment')
  mkdirSync(dataFolder)
  const { machine: place, ...processIdentity } = getProcessIdentity()
  const buildStaleLock = (id: string) =>
    JSON.stringify({ ...processIdentity, place, id, began: 'another boot', beat: '000000000000' })
  const getRemovalPath = (id: string) => `${getLockPath(dataFolder)}.${createHash('sha256').update(id).digest('hex')}.gone`
  for (let round = 0; round < 50; round++) {
    const id = `gone ${round}`
    writeFileSync(getLockPath(dataFolder), round % 5 === 4 ? '' : buildStaleLock(id))
    if (round % 2 === 1) writeFileSync(getRemovalPath(id), round % 3 === 0 ? '' : buildStaleLock('gone, too'))
    const lockResults = await Promise.all(Array.from({ length: 8 }, () => lockDataFolder(dataFolder)))
    const takenLocks = lockResults.filter((lock) => lock.taken)
    expect(takenLocks).toHaveLength(1)
    for (const { release } of takenLocks) await release()
    rmSync(getRemovalPath(id), { force: true })
    expect(readdirSync(dataFolder)).toEqual([])
  }
})

it.runIf(canUnshare)('is not acquired by a second container, regardless of process ids', async () => {
  const dataFolder = join(testFolder, 'containers')
  const firstContainer = await startContender(dataFolder, namespaceCommand)
  expect(firstContainer.said).toBe('taken')
  // The first process id has another meaning in the second container, or none.
  const lockHolder = JSON.parse(readFileSync(getLockPath(dataFolder), 'utf8')) as { pid: number }
  const secondContainer = await startContender(dataFolder, namespaceCommand)
  expect(secondContainer.said).toEqual({ taken: false, pid: lockHolder.pid, elsewhere: true })
  await secondContainer.kill()
  await firstContainer.kill()
  // The missing heartbeat reveals the end, so that no manual cleanup is needed.
  const thirdContainer = await startContender(dataFolder, namespaceCommand)
  expect(thirdContainer.said).toBe('taken')
  await thirdContainer.kill()
})

it('is given up by a holder that was suspended until another process took it', async () => {
  const dataFolder = join(testFolder, 'stopped')
  const firstProcess = await startContender(dataFolder)
  const exited = once(firstProcess.child, 'exit')
  firstProcess.child.kill('SIGSTOP')
  const { machine: place, ...processIdentity } = getProcessIdentity()
  const otherLock = { ...processIdentity, place, id: 'another', beat: '000000000000' }
  // Taken as another process would: by a new file of this name. A pending heartbeat goes into the first file.
  writeFileSync(`${getLockPath(dataFolder)}.theirs`, JSON.stringify(otherLock))
  renameSync(`${getLockPath(dataFolder)}.theirs`, getLockPath(dataFolder))
  firstProcess.child.kill('SIGCONT')
  expect(await exited).toEqual([7, null])
  expect(JSON.parse(readFileSync(getLockPath(dataFolder), 'utf8'))).toEqual(otherLock)
})
