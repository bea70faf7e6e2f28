import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { isRunning, type ProcessIdentity, getProcessIdentity } from './running-process.ts'

const heartbeatMs = 1000
/** A holder elsewhere without a heartbeat for this time counts as dead. */
const maxSilenceMs = 10_000
/** Delay before the next check while another process removes a lock, which takes two steps. */
const removalRetryMs = 10

/** The content of the lock; `beat` changes with each heartbeat. `place` is the machine, named so by earlier versions. */
const LockContent = z.object({ id: z.string(), pid: z.number(), began: z.string(), place: z.string(), beat: z.string() })
type LockHolder = OwnIdentity & { beat: string }
type OwnIdentity = ProcessIdentity & { id: string }
/** Constant length: an overwrite in place is complete at any moment. */
const formatLockContent = ({ machine, ...identity }: OwnIdentity, beatCount: number): string =>
  JSON.stringify({
    ...identity,
    place: machine,
    beat: String(beatCount).padStart(12, '0'),
  } satisfies z.output<typeof LockContent>)

/** Creates a folder with its parents one by one: Node's recursive mkdir never ends where ENOENT is a refusal, as in /proc. */
async function createFolder(folder: string): Promise<void> {
  // Readable only by its owner.
  const createPrivate = () => mkdir(folder, { mode: 0o700 })
  try {
    await createPrivate()
  } catch (error) {
    const { code: errorCode } = error as NodeJS.ErrnoException
    const parentFolder = dirname(folder)
    if (errorCode === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (errorCode !== 'ENOENT' || parentFolder === folder || (await isFolder(parentFolder))) throw error
    await createFolder(parentFolder)
    await createPrivate()
  }
}
const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false

export type DataLock =
  | { taken: true; release: () => Promise<void> }
  /** `elsewhere`: the holder runs in another container or on another machine, where its pid has another meaning. */
  | { taken: false; pid: number; elsewhere: boolean }

export const buildLockedMessage = (folder: string, { pid, elsewhere }: Extract<DataLock, { taken: false }>): string =>
  `Clearway runs on ${folder} already (process ${pid}${elsewhere ? ' of another container or machine' : ''}). ` +
  'Stop it first, or set CLEARWAY_DATA to another folder for a second one.'

type LockOptions = {
  /** Called if another process has taken the folder although this one is alive, because it was suspended for too long. */
  onLost?: () => void
  /** Called if the holder can only be judged by missing heartbeats, which takes a while. */
  onWait?: (seconds: number) => void
}

/** Reads the holder of a lock file: null if it is unreadable, undefined if the file does not exist. */
async function readHolder(lockPath: string): Promise<LockHolder | null | undefined> {
  const lockText = await readFile(lockPath, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : '',
  )
  if (lockText === undefined) return undefined
  try {
    const { data: lockContent } = z.safeParse(LockContent, JSON.parse(lockText))
    if (!lockContent) return null
    const { place: machine, ...holderFields } = lockContent
    return { ...holderFields, machine }
  } catch {
    // Earlier versions wrote only a pid and a start time. Without a machine, only silence would show the end.
    const [pid = '', startTime = ''] = lockText.trim().split(' ')
    return Number(pid)
      ? { id: lockText, pid: Number(pid), began: startTime, machine: getProcessIdentity().machine, beat: '' }
      : null
  }
}

/** True if a holder is alive: judged by its process if visible, else by its heartbeats. */
async function isHolderAlive(lockPath: string, lockHolder: LockHolder, { onWait }: LockOptions): Promise<boolean> {
  const isProcessRunning = isRunning(lockHolder)
  if (isProcessRunning !== null) return isProcessRunning
  onWait?.(maxSilenceMs / 1000)
  for (const deadline = performance.now() + maxSilenceMs; performance.now() < deadline;) {
    await sleep(heartbeatMs / 4)
    const currentHolder = await readHolder(lockPath)
    if (currentHolder?.id !== lockHolder.id) return currentHolder ? isHolderAlive(lockPath, currentHolder, {}) : false
    if (currentHolder.beat !== lockHolder.beat) return true
  }
  return false
}

/** The path of the file that grants the right to remove a stale lock. */
const getRemovalPath = (lockPath: string, deadHolder: LockHolder | null): string =>
  `${lockPath}.${createHash('sha256')
    .update(deadHolder?.id ?? '')
    .digest('hex')}.gone`

/**
 * Removes the lock of a dead holder. Several processes may find it stale at once, and the first may hold the folder
 * before the last has checked. So only the process that creates the removal file, named after the dead holder, removes
 * the lock. A removal file of a killed process is stale in turn.
 */
async function removeStale(lockPath: string, deadHolder: LockHolder | null, ownPath: string): Promise<void> {
  const removalPath = getRemovalPath(lockPath, deadHolder)
  try {
    await link(ownPath, removalPath)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const removalHolder = await readHolder(removalPath)
    if (removalHolder === undefined || (removalHolder && (await isHolderAlive(removalPath, removalHolder, {}))))
      return sleep(removalRetryMs)
    return removeStale(removalPath, removalHolder, ownPath)
  }
  const currentHolder = await readHolder(lockPath)
  if (currentHolder !== undefined && currentHolder?.id === deadHolder?.id) await rm(lockPath, { force: true })
  await rm(removalPath, { force: true })
}

/** Renews the lock periodically and checks that it is still ours. `firstHandle` is the open lock file. */
function startHeartbeat(
  lockPath: string,
  identity: OwnIdentity,
  firstHandle: FileHandle,
  onLost: () => void,
): () => Promise<void> {
  let pendingBeat = Promise.resolve()
  let beatCount = 0
  let lockHandle = firstHandle
  const renewLock = async () => {
    const currentHolder = await readHolder(lockPath)
    if (currentHolder && currentHolder.id !== identity.id) {
      clearInterval(heartbeatTimer)
      return onLost()
    }
    // Writes to our own file, even if its name leads to another one by now.
    await lockHandle.write(formatLockContent(identity, ++beatCount), 0)
    if (currentHolder) return
    // The lock file was deleted.
    const newHandle = await open(lockPath, 'wx+')
    await newHandle.write(formatLockContent(identity, beatCount), 0)
    await lockHandle.close()
    lockHandle = newHandle
  }
  const heartbeatTimer = setInterval(() => {
    // A full disk is reported where it matters.
    pendingBeat = pendingBeat.then(renewLock).catch(() => undefined)
  }, heartbeatMs)
  heartbeatTimer.unref()
  return async () => {
    clearInterval(heartbeatTimer)
    await pendingBeat
    await lockHandle.close()
    if ((await readHolder(lockPath))?.id === identity.id) await rm(lockPath, { force: true })
  }
}

/**
 * Locks a data folder for this process, across containers and machines, so that two do not share an embedded database. The lock
 * of a killed process is taken over: at once if its process is visible, else after ten seconds without a heartbeat.
 */
export async function lockDataFolder(folder: string, options: LockOptions = {}): Promise<DataLock> {
  await createFolder(folder)
  const lockPath = join(folder, 'clearway.lock')
  const identity: OwnIdentity = { ...getProcessIdentity(), id: randomUUID() }
  const ownPath = `${lockPath}.${identity.id}`
  await writeFile(ownPath, formatLockContent(identity, 0), { mode: 0o600 })
  try {
    for (;;) {
      try {
        // Creating a link is atomic: of two concurrent starts, only one succeeds.
        await link(ownPath, lockPath)
        const lockHandle = await open(ownPath, 'r+')
        return { taken: true, release: startHeartbeat(lockPath, identity, lockHandle, options.onLost ?? (() => undefined)) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const lockHolder = await readHolder(lockPath)
      if (lockHolder === undefined) continue
      if (lockHolder && (await isHolderAlive(lockPath, lockHolder, options)))
        return { taken: false, pid: lockHolder.pid, elsewhere: isRunning(lockHolder) === null }
      await removeStale(lockPath, lockHolder, ownPath)
    }
  } finally {
    await rm(ownPath, { force: true })
  }
}
