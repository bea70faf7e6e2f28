import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { isRunning, type ProcessIdentity, thisProcess } from './running-process.ts'

/** How often the holder says that it lives. */
const beatMs = 1000
/** A holder elsewhere that is silent for so long is gone. */
const silenceMs = 10_000
/** Before another look while somebody else removes a lock, which takes two steps. */
const rightMs = 10

/** The content of the lock; `beat` is another at each sign of life. It calls the machine `place`, as earlier versions did. */
const Content = z.object({
  id: z.string(),
  pid: z.number(),
  began: z.string(),
  place: z.string(),
  beat: z.string(),
})
type Holder = Own & { beat: string }
type Own = ProcessIdentity & { id: string }
/** Always as long: written over itself, it is whole at any moment. */
const textOf = ({ machine, ...own }: Own, beats: number): string =>
  JSON.stringify({
    ...own,
    place: machine,
    beat: String(beats).padStart(12, '0'),
  } satisfies z.output<typeof Content>)

/**
 * Makes a folder with those above it. Step by step: Node's own way never ends where the system refuses a folder for not
 * being there, as in /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(folder)
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error
    await makeFolder(parent)
    await mkdir(folder)
  }
}
const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false

export type DataLock =
  | { taken: true; release: () => Promise<void> }
  /** `elsewhere`: in another container or on another machine, where its number means something else. */
  | { taken: false; pid: number; elsewhere: boolean }

/** What to do about a folder that another process has locked. */
export const lockedMessage = (
  folder: string,
  { pid, elsewhere }: Extract<DataLock, { taken: false }>,
): string =>
  `Clearway runs on ${folder} already (process ${pid}${elsewhere ? ' of another container or machine' : ''}). ` +
  'Stop it first, or set CLEARWAY_DATA to another folder for a second one.'

type LockOptions = {
  /** Called when somebody else has taken the folder although this process lives: it was stopped for too long. */
  onLost?: () => void
  /** Called when the lock's holder can only be judged by its silence, which takes a while. */
  onWait?: (seconds: number) => void
}

/** Whose lock a file is: null where it does not say, undefined where there is none. */
async function readHolder(file: string): Promise<Holder | null | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : '',
  )
  if (text === undefined) return undefined
  try {
    const { data } = z.safeParse(Content, JSON.parse(text))
    if (!data) return null
    const { place: machine, ...holder } = data
    return { ...holder, machine }
  } catch {
    // An earlier version wrote a number and a beginning: no machine, so that only silence would show.
    const [pid = '', began = ''] = text.trim().split(' ')
    return Number(pid)
      ? { id: text, pid: Number(pid), began, machine: thisProcess().machine, beat: '' }
      : null
  }
}

/** Whether a holder lives: by its process where that can be seen, else by its signs of life. */
async function lives(file: string, holder: Holder, { onWait }: LockOptions): Promise<boolean> {
  const known = isRunning(holder)
  if (known !== null) return known
  onWait?.(silenceMs / 1000)
  for (const until = performance.now() + silenceMs; performance.now() < until;) {
    await sleep(beatMs / 4)
    const now = await readHolder(file)
    if (now?.id !== holder.id) return now ? lives(file, now, {}) : false
    if (now.beat !== holder.beat) return true
  }
  return false
}

/** The file of the right to remove the lock `file` of one that is gone. */
const rightTo = (file: string, gone: Holder | null): string =>
  `${file}.${createHash('sha256')
    .update(gone?.id ?? '')
    .digest('hex')}.gone`

/**
 * Removes the lock of one that is gone. Several may judge so at once, and the first may hold the folder before the last has looked: so nobody removes it
 * but who has made the file of that right, which the gone one has for itself. Who was killed with the right is gone in turn.
 */
async function removeStale(file: string, judged: Holder | null, mine: string): Promise<void> {
  const right = rightTo(file, judged)
  try {
    await link(mine, right)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const other = await readHolder(right)
    if (other === undefined || (other && (await lives(right, other, {})))) return sleep(rightMs)
    return removeStale(right, other, mine)
  }
  const now = await readHolder(file)
  if (now !== undefined && now?.id === judged?.id) await rm(file, { force: true })
  await rm(right, { force: true })
}

/** Renews the lock again and again, and checks that it is still ours. `first` is the lock's file. */
function keepBeating(file: string, own: Own, first: FileHandle, onLost: () => void): () => Promise<void> {
  let beating = Promise.resolve()
  let beats = 0
  let handle = first
  const look = async () => {
    const now = await readHolder(file)
    if (now && now.id !== own.id) {
      clearInterval(timer)
      return onLost()
    }
    // Into the file that is ours, whatever its name leads to by now.
    await handle.write(textOf(own, ++beats), 0)
    if (now) return
    // Somebody deleted it.
    const again = await open(file, 'wx+')
    await again.write(textOf(own, beats), 0)
    await handle.close()
    handle = again
  }
  const timer = setInterval(() => {
    // A full disk is said by those who need one.
    beating = beating.then(look).catch(() => undefined)
  }, beatMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await beating
    await handle.close()
    if ((await readHolder(file))?.id === own.id) await rm(file, { force: true })
  }
}

/**
 * Takes a data folder for this process, so that two do not share an embedded database by mistake, also from two containers
 * or machines. A lock that a killed process left is taken over: at once where its process can be looked for, else after ten
 * seconds without a sign of life.
 */
export async function lockData(folder: string, options: LockOptions = {}): Promise<DataLock> {
  await makeFolder(folder)
  const file = join(folder, 'clearway.lock')
  const own: Own = { ...thisProcess(), id: randomUUID() }
  const mine = `${file}.${own.id}`
  await writeFile(mine, textOf(own, 0))
  try {
    for (;;) {
      try {
        // A link is made or not made, never half: two that start at once cannot both have it.
        await link(mine, file)
        const handle = await open(mine, 'r+')
        return { taken: true, release: keepBeating(file, own, handle, options.onLost ?? (() => undefined)) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = await readHolder(file)
      if (holder === undefined) continue
      if (holder && (await lives(file, holder, options)))
        return { taken: false, pid: holder.pid, elsewhere: isRunning(holder) === null }
      await removeStale(file, holder, mine)
    }
  } finally {
    await rm(mine, { force: true })
  }
}
