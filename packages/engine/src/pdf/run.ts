import { Worker } from 'node:worker_threads'
import type { PdfTrouble } from './object/value.ts'
import type { PdfReport, PdfScope } from './report.ts'
import type { PdfTask } from './worker.ts'

/** What became of a file. `crashed` is a fault of ours, told so that it can be fixed. */
export type PdfOutcome =
  | { kind: 'checked'; report: PdfReport }
  | { kind: 'failed'; trouble: PdfTrouble | 'timeout' | 'crashed'; detail: string }

export type PdfOptions = {
  scope: PdfScope
  /** Pages are drawn for the findings on them. */ withPictures: boolean
  /** Milliseconds. */ timeoutMs?: number
  signal?: AbortSignal
}

/** Memory that one file may take, MiB; buffers are bounded by the reader itself. */
const heapLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

/** At most this many files are checked at once in a process: each may fill a core. */
const mostThreads = 2
let busy = 0
const waiting: (() => void)[] = []

async function enter(): Promise<void> {
  if (busy >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve))
  else busy += 1
}

function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else busy -= 1
}

/** Checks a PDF in a thread of its own that ends with it, whatever the file does. Never rejects. */
export async function checkPdf(bytes: Uint8Array, options: PdfOptions): Promise<PdfOutcome> {
  await enter()
  try {
    return await inThread(bytes, options)
  } finally {
    leave()
  }
}

function inThread(
  bytes: Uint8Array,
  { scope, withPictures, timeoutMs = 60_000, signal }: PdfOptions,
): Promise<PdfOutcome> {
  const task: PdfTask = { bytes, scope, withPictures }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: heapLimits,
  })
  return new Promise((resolve) => {
    const finish = (outcome: PdfOutcome) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(outcome)
      void worker.terminate()
    }
    const stop = () => finish({ kind: 'failed', trouble: 'timeout', detail: 'The check was stopped' })
    const timer = setTimeout(
      () =>
        finish({ kind: 'failed', trouble: 'timeout', detail: `The check took longer than ${timeoutMs} ms` }),
      timeoutMs,
    )
    signal?.addEventListener('abort', stop, { once: true })
    worker.once('message', (outcome: PdfOutcome) => finish(outcome))
    worker.once('error', (error: NodeJS.ErrnoException) =>
      finish(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { kind: 'failed', trouble: 'limit', detail: 'The check needed more memory than it may take' }
          : { kind: 'failed', trouble: 'crashed', detail: error.message.split('\n')[0]! },
      ),
    )
    worker.once('exit', (code) =>
      finish({ kind: 'failed', trouble: 'crashed', detail: `The check ended by itself with code ${code}` }),
    )
  })
}
