import { Worker } from 'node:worker_threads'

/** What a thread is asked: a function that a module exports, and what it is called with. */
export type Asked = { module: string; name: string; given: unknown[] }
export type Answer = { value: unknown } | { error: string }

/** What reading took too long for, or more memory than it may have. */
class ReadingError extends Error {
  /** Reported as too large. */
  readonly statusCode = 413
}

/** Read where we stand: a thread costs more than that. Characters; 10 ms at the worst. */
const shortText = 4096
const limitMs = 20_000
const mostThreads = 2
const heapMiB = 512

const idle: Worker[] = []
const waiting: (() => void)[] = []
let busy = 0

async function enter(): Promise<Worker> {
  if (busy >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve))
  else busy += 1
  const program = new URL('./thread-pool-program.ts', import.meta.url)
  return idle.pop() ?? new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapMiB } })
}

function leave(thread: Worker | null): void {
  if (thread) {
    // Nobody is kept from ending by a thread that waits.
    thread.unref()
    idle.push(thread)
  }
  const next = waiting.shift()
  if (next) next()
  else busy -= 1
}

/**
 * Calls a pure function with a text that somebody sent, in a thread of its own, so that nobody waits for the reading of a
 * long one; of a short one here.
 * @param module where the function is exported, under its own name
 * @throws ReadingError after twenty seconds, or for want of memory
 */
export async function inThread<Given extends unknown[], T>(
  read: (text: string, ...given: Given) => T,
  module: string,
  ...[text, ...given]: [text: string, ...given: Given]
): Promise<T> {
  if (text.length <= shortText) return read(text, ...given)
  const thread = await enter()
  thread.ref()
  const asked: Asked = { module, name: read.name, given: [text, ...given] }
  return new Promise<T>((resolve, reject) => {
    const end = (keep: boolean, decide: () => void) => {
      clearTimeout(timer)
      thread.off('message', answered).off('error', broken)
      if (!keep) {
        thread.on('error', () => undefined)
        void thread.terminate()
      }
      leave(keep ? thread : null)
      decide()
    }
    const answered = (answer: Answer) =>
      end(true, () => ('value' in answer ? resolve(answer.value as T) : reject(new Error(answer.error))))
    const broken = (error: unknown) => end(false, () => reject(new ReadingError(String(error))))
    const late = () => reject(new ReadingError(`Reading it took more than ${limitMs} ms`))
    const timer = setTimeout(() => end(false, late), limitMs)
    thread.on('message', answered).on('error', broken)
    thread.postMessage(asked, [])
  })
}
