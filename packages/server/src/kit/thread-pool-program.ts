import { parentPort } from 'node:worker_threads'
import type { Asked, Answer } from './thread-pool.ts'

// The program of a thread that reads for `inThread`, one text after another.

async function answer({ module, name, given }: Asked): Promise<Answer> {
  try {
    const exported = (await import(module)) as Record<string, (...given: unknown[]) => unknown>
    return { value: exported[name]!(...given) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

parentPort!.on(
  'message',
  (asked: Asked) => void answer(asked).then((answered) => parentPort!.postMessage(answered, [])),
)
