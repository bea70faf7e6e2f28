import { Worker } from 'node:worker_threads'
import { createBoundedQueue } from './bounded-queue.ts'

/** A call for a thread: an exported function of a module, with its arguments. */
export type ThreadRequest = { module: string; name: string; args: unknown[] }
export type ThreadReply = { value: unknown } | { error: string }

/** The call took too long, or too much memory. */
class ThreadLimitError extends Error {
  /** Reported as too large. */
  readonly statusCode = 413
}

/** Shorter texts, in characters, are processed directly: a thread costs more than the 10 ms they take at most. */
const maxDirectLength = 4096
const callTimeoutMs = 20_000
const maxThreads = 2
const maxHeapMiB = 512

const idleThreads: Worker[] = []
const threadQueue = createBoundedQueue({ maxConcurrent: maxThreads, maxWaiting: Infinity })

function acquireThread(): Worker {
  const programUrl = new URL('./thread-pool-program.ts', import.meta.url)
  return idleThreads.pop() ?? new Worker(programUrl, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } })
}

function keepThread(thread: Worker): void {
  // An idle thread must not keep the process alive.
  thread.unref()
  idleThreads.push(thread)
}

/**
 * Calls a pure function with a received text; for long texts in a separate thread, so that the main thread stays responsive.
 * @param module the module that exports the function, under its own name
 * @throws ThreadLimitError after twenty seconds, or if memory is exhausted
 */
export async function runInThread<Args extends unknown[], T>(
  run: (text: string, ...args: Args) => T,
  module: string,
  ...[text, ...args]: [text: string, ...args: Args]
): Promise<T> {
  if (text.length <= maxDirectLength) return run(text, ...args)
  return threadQueue.run(() => callThread<T>({ module, name: run.name, args: [text, ...args] }))
}

function callThread<T>(request: ThreadRequest): Promise<T> {
  const workerThread = acquireThread()
  workerThread.ref()
  return new Promise<T>((resolve, reject) => {
    const finish = (shouldKeep: boolean, settle: () => void) => {
      clearTimeout(timeoutTimer)
      workerThread.off('message', handleReply).off('error', handleError)
      if (shouldKeep) keepThread(workerThread)
      else {
        workerThread.on('error', () => undefined)
        void workerThread.terminate()
      }
      settle()
    }
    const handleReply = (reply: ThreadReply) =>
      finish(true, () => ('value' in reply ? resolve(reply.value as T) : reject(new Error(reply.error))))
    const handleError = (error: unknown) => finish(false, () => reject(new ThreadLimitError(String(error))))
    const rejectLate = () => reject(new ThreadLimitError(`Reading it took more than ${callTimeoutMs} ms`))
    const timeoutTimer = setTimeout(() => finish(false, rejectLate), callTimeoutMs)
    workerThread.on('message', handleReply).on('error', handleError)
    workerThread.postMessage(request, [])
  })
}
