import { fork, type ChildProcess } from 'node:child_process'
import { readProcessMemory } from '../browser/process-tree.ts'
import type { PdfTrouble } from './object/value.ts'
import type { PdfScope } from './report.ts'
import type { PdfOutcome, PdfTask } from './task.ts'

export type PdfOptions = {
  scope: PdfScope
  /** Render the pages with findings. */
  withPictures: boolean
  /** Milliseconds. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** Maximum number of concurrent checks per process of ours: each may use a full core. */
const maxProcesses = 2
/** Files after which a process is replaced: only a restart returns leaked memory. */
const maxFilesPerProcess = 200
/** Maximum memory of one file, heap and buffers together; the heap has a lower limit. */
const maxMemoryBytes = 1024 ** 3
const maxHeapMiB = 512
/** Memory above which a death is attributed to the memory limit. */
const heavyMemoryBytes = 384 * 1024 ** 2
const memoryCheckMs = 200

type CheckerProcess = { child: ChildProcess; fileCount: number }

const idleCheckers: CheckerProcess[] = []
const childProcesses = new Set<ChildProcess>()
let busyCount = 0
type WaitingCheck = { admit: () => void }
const waitingChecks: WaitingCheck[] = []

process.once('exit', () => {
  for (const childProcess of childProcesses) childProcess.kill('SIGKILL')
})

function startChecker(): CheckerProcess {
  // No threads: V8 crashed processes in which threads repeatedly compiled and dropped WebAssembly. Untrusted files must
  // not see our environment.
  const childProcess = fork(new URL('./process.ts', import.meta.url), [String(process.pid)], {
    execArgv: [
      `--max-old-space-size=${maxHeapMiB}`,
      '--stack-size=3000',
      '--no-warnings',
      // Plain JavaScript runs without type stripping.
      ...(process.features.typescript === false ? ['--no-strip-types'] : []),
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  childProcesses.add(childProcess)
  childProcess.on('error', () => {})
  childProcess.once('exit', () => {
    childProcesses.delete(childProcess)
    const idleIndex = idleCheckers.findIndex((idleChecker) => idleChecker.child === childProcess)
    if (idleIndex >= 0) idleCheckers.splice(idleIndex, 1)
  })
  return { child: childProcess, fileCount: 0 }
}

/** Parks an idle process, which must not keep ours alive. */
function parkChecker(checker: CheckerProcess): void {
  checker.child.unref()
  checker.child.channel?.unref()
  idleCheckers.push(checker)
}

function unparkChecker(checker: CheckerProcess): void {
  checker.child.ref()
  checker.child.channel?.ref()
}

/** Waits for a free process; false if the time limit is reached first. */
async function acquireSlot(limitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return false
  if (busyCount < maxProcesses) {
    busyCount += 1
    return true
  }
  return new Promise<boolean>((resolve) => {
    const finishWait = (wasEntered: boolean) => {
      clearTimeout(waitTimer)
      signal?.removeEventListener('abort', cancelWait)
      const waitingIndex = waitingChecks.indexOf(ownEntry)
      if (waitingIndex >= 0) waitingChecks.splice(waitingIndex, 1)
      resolve(wasEntered)
    }
    const cancelWait = () => finishWait(false)
    const ownEntry: WaitingCheck = { admit: () => finishWait(true) }
    const waitTimer = setTimeout(cancelWait, limitMs)
    signal?.addEventListener('abort', cancelWait, { once: true })
    waitingChecks.push(ownEntry)
  })
}

function releaseSlot(): void {
  const nextCheck = waitingChecks.shift()
  if (nextCheck) nextCheck.admit()
  else busyCount -= 1
}

const createFailure = (trouble: PdfTrouble | 'timeout' | 'crashed', detail: string): PdfOutcome => ({
  kind: 'failed',
  trouble,
  detail,
})

/** Result of one process for a file; `died` is caused neither by the time limit nor by memory. */
type CheckAttempt = { kind: 'outcome'; outcome: PdfOutcome } | { kind: 'died'; how: string }

function attemptCheck(
  checker: CheckerProcess,
  task: PdfTask,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<CheckAttempt> {
  const { child } = checker
  unparkChecker(checker)
  return new Promise((resolve) => {
    let peakBytes = 0
    const finishAttempt = (attemptResult: CheckAttempt, isFit = false) => {
      clearTimeout(attemptTimer)
      clearInterval(memoryTimer)
      signal?.removeEventListener('abort', stopCheck)
      child.off('message', handleMessage).off('exit', handleExit)
      checker.fileCount += 1
      if (isFit && checker.fileCount < maxFilesPerProcess && peakBytes < heavyMemoryBytes) parkChecker(checker)
      else if (isFit) child.disconnect()
      else child.kill('SIGKILL')
      resolve(attemptResult)
    }
    const failAttempt = (...failureArgs: Parameters<typeof createFailure>) =>
      finishAttempt({ kind: 'outcome', outcome: createFailure(...failureArgs) })
    const handleMessage = (outcome: PdfOutcome) => finishAttempt({ kind: 'outcome', outcome }, true)
    const handleExit = (code: number | null, signalName: string | null) =>
      peakBytes > heavyMemoryBytes
        ? failAttempt('limit', 'The check needed more memory than it may take')
        : finishAttempt({ kind: 'died', how: signalName ?? `code ${code}` })
    const stopCheck = () => failAttempt('timeout', 'The check was stopped')
    const attemptTimer = setTimeout(() => failAttempt('timeout', `The check took longer than ${limitMs} ms`), limitMs)
    const memoryTimer = setInterval(() => {
      peakBytes = Math.max(peakBytes, child.pid === undefined ? 0 : readProcessMemory(child.pid))
      if (peakBytes > maxMemoryBytes) failAttempt('limit', 'The check needed more memory than it may take')
    }, memoryCheckMs)
    signal?.addEventListener('abort', stopCheck, { once: true })
    if (signal?.aborted) return stopCheck()
    child.on('message', handleMessage).on('exit', handleExit)
    child.send(task, (error) => {
      if (error) finishAttempt({ kind: 'died', how: error.message })
    })
  })
}

/**
 * Checks a PDF in a separate process, which may have checked others before. In the worst case, that process dies and
 * the file fails: because of its time limit (60 s if `timeoutMs` is omitted, including the wait for a process), its
 * memory, or a second crash. Never rejects.
 */
export async function checkPdf(
  bytes: Uint8Array,
  { scope, withPictures, timeoutMs = 60_000, signal }: PdfOptions,
): Promise<PdfOutcome> {
  const deadlineAt = performance.now() + timeoutMs
  const getRemainingMs = () => Math.max(1, deadlineAt - performance.now())
  if (!(await acquireSlot(timeoutMs, signal)))
    return createFailure('timeout', `No process was free to check it within ${timeoutMs} ms`)
  try {
    const pdfTask: PdfTask = { bytes, scope, withPictures }
    const firstAttempt = await attemptCheck(idleCheckers.pop() ?? startChecker(), pdfTask, getRemainingMs(), signal)
    if (firstAttempt.kind === 'outcome') return firstAttempt.outcome
    // A new process: the cause of the crash may have affected the waiting ones, too.
    const secondAttempt = await attemptCheck(startChecker(), pdfTask, getRemainingMs(), signal)
    if (secondAttempt.kind === 'outcome') return secondAttempt.outcome
    return createFailure('crashed', `The process that checks PDFs died of it twice (${firstAttempt.how}, ${secondAttempt.how})`)
  } finally {
    releaseSlot()
  }
}

/** Ids of the running checker processes. */
export const listPdfProcesses = (): number[] => [...childProcesses].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
