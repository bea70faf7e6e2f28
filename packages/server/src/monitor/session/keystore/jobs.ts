import { parentPort, workerData } from 'node:worker_threads'
import { openKeystore } from '@clearway/engine/session/keystore/keystore.ts'
import type { KeystoreAnswer, OpenKeystore } from '../service.ts'

const answer = openKeystore(workerData as Parameters<OpenKeystore>[0])
const shown: KeystoreAnswer =
  answer.kind === 'opened' ? { kind: 'opened', subject: answer.subject, validTo: answer.validTo } : answer
// Chain and key stay in this thread, and end with it.
parentPort!.postMessage(shown, [])
