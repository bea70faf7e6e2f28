import { parentPort, workerData } from 'node:worker_threads'
import { openKeystore } from '@clearway/engine/session/keystore/keystore.ts'
import type { KeystoreAnswer, OpenKeystore } from '../service.ts'

const keystoreResult = openKeystore(workerData as Parameters<OpenKeystore>[0])
const publicResult: KeystoreAnswer =
  keystoreResult.kind === 'opened'
    ? { kind: 'opened', subject: keystoreResult.subject, validTo: keystoreResult.validTo }
    : keystoreResult
// The certificate chain and the key stay in this thread.
parentPort!.postMessage(publicResult, [])
