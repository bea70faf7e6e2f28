import { Worker } from 'node:worker_threads'
import type { KeystoreAnswer, OpenKeystore } from './service.ts'

const timeoutMs = 10_000

function open(keystore: Parameters<OpenKeystore>[0]): Promise<KeystoreAnswer> {
  return new Promise((done) => {
    const thread = new Worker(new URL('./keystore/jobs.ts', import.meta.url), {
      workerData: keystore,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    const end = (answer: KeystoreAnswer) => {
      clearTimeout(timer)
      void thread.terminate()
      done(answer)
    }
    const timer = setTimeout(() => end({ kind: 'unsupported', what: 'more work than is allowed' }), timeoutMs)
    thread.once('message', end)
    thread.once('error', () => end({ kind: 'invalid-format' }))
  })
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Opens a keystore as a run would, in a thread of its own: the file is a stranger's, and opening one is made to take time.
 * One at a time, so that many of them keep one core busy and no more.
 */
export const openKeystore: OpenKeystore = (keystore) => {
  const opened = last.then(() => open(keystore))
  last = opened
  return opened
}
