import { Worker } from 'node:worker_threads'
import type { KeystoreAnswer, OpenKeystore } from './service.ts'

const openTimeoutMs = 10_000

function openInThread(keystore: Parameters<OpenKeystore>[0]): Promise<KeystoreAnswer> {
  return new Promise((resolve) => {
    const workerThread = new Worker(new URL('./keystore/jobs.ts', import.meta.url), {
      workerData: keystore,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    const finishThread = (answer: KeystoreAnswer) => {
      clearTimeout(timeoutTimer)
      void workerThread.terminate()
      resolve(answer)
    }
    const timeoutTimer = setTimeout(() => finishThread({ kind: 'unsupported', what: 'more work than is allowed' }), openTimeoutMs)
    workerThread.once('message', finishThread)
    workerThread.once('error', () => finishThread({ kind: 'invalid-format' }))
  })
}

let previousOpening: Promise<unknown> = Promise.resolve()

/** Opens a keystore in a separate thread: the file is untrusted, and slow to open by design. One at a time, on one core. */
export const openKeystore: OpenKeystore = (keystore) => {
  const openingPromise = previousOpening.then(() => openInThread(keystore))
  previousOpening = openingPromise
  return openingPromise
}
