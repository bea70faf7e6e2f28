import { fork, type ChildProcess } from 'node:child_process'
import { readProcessMemory } from '../browser/process-tree.ts'
import type { PdfTrouble } from './object/value.ts'
import type { PdfScope } from './report.ts'
import type { PdfOutcome, PdfTask } from './task.ts'

export type PdfOptions = {
  scope: PdfScope
  /** Pages are drawn for the findings on them. */ withPictures: boolean
  /** Milliseconds. */ timeoutMs?: number
  signal?: AbortSignal
}

/** At most this many files are checked at once for one process of ours: each may fill a core. */
const mostProcesses = 2
/** Files after which a process is replaced: what they leave behind in it is returned by nothing else. */
const filesPerProcess = 200
/** Memory that one file may take, heap and buffers together; the heap alone has its own, lower limit. */
const mostBytes = 1024 ** 3
const heapMiB = 512
/** A process that died with this much was on its way to a limit. */
const heavyBytes = 384 * 1024 ** 2
const watchMs = 200

type Checker = { child: ChildProcess; files: number }

const idle: Checker[] = []
const children = new Set<ChildProcess>()
let busy = 0
type Waiting = { enter: () => void }
const waiting: Waiting[] = []

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function startChecker(): Checker {
  // No threads: V8 has ended processes in which threads compiled and dropped WebAssembly again and again. Nothing of
  // our environment is for a stranger's file to see.
  const child = fork(new URL('./process.ts', import.meta.url), [], {
    execArgv: [
      `--max-old-space-size=${heapMiB}`,
      '--stack-size=3000',
      '--no-warnings',
      // Plain JavaScript starts as plain JavaScript.
      ...(process.features.typescript ? [] : ['--no-strip-types']),
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  children.add(child)
  child.on('error', () => {})
  child.once('exit', () => {
    children.delete(child)
    const at = idle.findIndex((checker) => checker.child === child)
    if (at >= 0) idle.splice(at, 1)
  })
  return { child, files: 0 }
}

/** An idle process keeps nobody from ending. */
function rest(checker: Checker): void {
  checker.child.unref()
  checker.child.channel?.unref()
  idle.push(checker)
}

function wake(checker: Checker): void {
  checker.child.ref()
  checker.child.channel?.ref()
}

/** Waits for a process; false when the time is up before there is one. */
async function enter(limitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return false
  if (busy < mostProcesses) {
    busy += 1
    return true
  }
  return new Promise<boolean>((resolve) => {
    const end = (entered: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      const at = waiting.indexOf(mine)
      if (at >= 0) waiting.splice(at, 1)
      resolve(entered)
    }
    const giveUp = () => end(false)
    const mine: Waiting = { enter: () => end(true) }
    const timer = setTimeout(giveUp, limitMs)
    signal?.addEventListener('abort', giveUp, { once: true })
    waiting.push(mine)
  })
}

function leave(): void {
  const next = waiting.shift()
  if (next) next.enter()
  else busy -= 1
}

const failed = (trouble: PdfTrouble | 'timeout' | 'crashed', detail: string): PdfOutcome => ({
  kind: 'failed',
  trouble,
  detail,
})

/** What one process made of a file; `died` is neither the file's time nor its memory. */
type Attempt = { kind: 'outcome'; outcome: PdfOutcome } | { kind: 'died'; how: string }

function attempt(
  checker: Checker,
  task: PdfTask,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const { child } = checker
  wake(checker)
  return new Promise((resolve) => {
    let peak = 0
    const end = (result: Attempt, isFit = false) => {
      clearTimeout(timer)
      clearInterval(watch)
      signal?.removeEventListener('abort', stop)
      child.off('message', answered).off('exit', exited)
      checker.files += 1
      if (isFit && checker.files < filesPerProcess && peak < heavyBytes) rest(checker)
      else if (isFit) child.disconnect()
      else child.kill('SIGKILL')
      resolve(result)
    }
    const fail = (...why: Parameters<typeof failed>) => end({ kind: 'outcome', outcome: failed(...why) })
    const answered = (outcome: PdfOutcome) => end({ kind: 'outcome', outcome }, true)
    const exited = (code: number | null, signalName: string | null) =>
      peak > heavyBytes
        ? fail('limit', 'The check needed more memory than it may take')
        : end({ kind: 'died', how: signalName ?? `code ${code}` })
    const stop = () => fail('timeout', 'The check was stopped')
    const timer = setTimeout(() => fail('timeout', `The check took longer than ${limitMs} ms`), limitMs)
    const watch = setInterval(() => {
      peak = Math.max(peak, child.pid === undefined ? 0 : readProcessMemory(child.pid))
      if (peak > mostBytes) fail('limit', 'The check needed more memory than it may take')
    }, watchMs)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) return stop()
    child.on('message', answered).on('exit', exited)
    child.send(task, (error) => {
      if (error) end({ kind: 'died', how: error.message })
    })
  })
}

/**
 * Checks a PDF in a process of its own kind, which may have checked others before. Whatever the file does, at the worst
 * that process ends, and the file has failed for it: by its time (60 s when `timeoutMs` is left out, waiting for a process among them), by its memory,
 * or after a second process has died of it, too. Never rejects.
 */
export async function checkPdf(
  bytes: Uint8Array,
  { scope, withPictures, timeoutMs = 60_000, signal }: PdfOptions,
): Promise<PdfOutcome> {
  const until = performance.now() + timeoutMs
  const left = () => Math.max(1, until - performance.now())
  if (!(await enter(timeoutMs, signal)))
    return failed('timeout', `No process was free to check it within ${timeoutMs} ms`)
  try {
    const task: PdfTask = { bytes, scope, withPictures }
    const first = await attempt(idle.pop() ?? startChecker(), task, left(), signal)
    if (first.kind === 'outcome') return first.outcome
    // A new one: whatever ended the first may have ended those that wait as well.
    const second = await attempt(startChecker(), task, left(), signal)
    if (second.kind === 'outcome') return second.outcome
    return failed('crashed', `The process that checks PDFs died of it twice (${first.how}, ${second.how})`)
  } finally {
    leave()
  }
}

/** The processes that check PDFs now. */
export const pdfProcesses = (): number[] =>
  [...children].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
