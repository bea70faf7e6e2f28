import { parentPort } from 'node:worker_threads'
import type { ThreadRequest, ThreadReply } from './thread-pool.ts'

// The program of a thread that processes the calls of `runInThread`, one after another.

async function runRequest({ module, name, args }: ThreadRequest): Promise<ThreadReply> {
  try {
    const moduleExports = (await import(module)) as Record<string, (...args: unknown[]) => unknown>
    return { value: moduleExports[name]!(...args) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

parentPort!.on(
  'message',
  (request: ThreadRequest) => void runRequest(request).then((reply) => parentPort!.postMessage(reply, [])),
)
