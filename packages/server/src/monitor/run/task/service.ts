import { deserialize, serialize } from 'node:v8'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { PageButtonsEvent, SignInTryEvent } from '@clearway/contract/monitor/run/preview/schema.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { ReachRequest, ReachResult } from '@clearway/engine/guard/reach.ts'
import type { UnmetPage } from '@clearway/engine/frontier.ts'
import type { PreviewedUrl, PreviewResult } from '@clearway/engine/scan-preview.ts'
import type { DryRunResult } from '@clearway/engine/script/dry-run.ts'
import type { StepResult } from '@clearway/engine/script/run.ts'
import type { PlannedScript, ScanPlan } from '@clearway/engine/settings.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import type { KeystoreAnswer, OpenKeystore } from '../../session/service.ts'
import type { PreviewKind } from '../table.ts'

// Interactive tasks, as the process of the client (task-client) and the worker (task-worker) exchange them.

export type TaskDeps = { db: MonitorDb; pubSub: PubSub; seal: Seal }

/** A script step with its picture in base64. */
export type DryStep = Omit<StepResult, 'screenshot'> & { screenshot: string | null }
export type DryRunEnd =
  | Exclude<DryRunResult, { kind: 'ran' }>
  | { kind: 'done' }
  | { kind: 'failed'; reason: FailureReason; detail: string }

export type SignInTryEnd = Omit<SignInTryEvent, 'type'>
export type PageButtonsEnd = Omit<PageButtonsEvent, 'type'>

/** Interactive tasks for workers: the request, its progress, and the final result. */
export type Tasks = {
  preview: {
    asked: { plan: ScanPlan; limitMs: number; previousPages: readonly UnmetPage[] }
    progress: PreviewedUrl
    answer: PreviewResult
  }
  test: { asked: { plan: ScanPlan; url: string }; progress: never; answer: PreviewedUrl }
  reach: { asked: ReachRequest; progress: never; answer: ReachResult }
  'dry-run': { asked: { script: PlannedScript & { type: ScriptType }; plan: ScanPlan }; progress: DryStep; answer: DryRunEnd }
  'sign-in': { asked: { plan: ScanPlan }; progress: never; answer: SignInTryEnd }
  buttons: { asked: { plan: ScanPlan }; progress: never; answer: PageButtonsEnd }
  keystore: { asked: Parameters<OpenKeystore>[0]; progress: never; answer: KeystoreAnswer }
}
export type { OpenKeystore }
export type Task = { [K in PreviewKind]: { kind: K; asked: Tasks[K]['asked'] } }[PreviewKind]

/** A task without a result; the message is shown to users. */
export class TaskError extends Error {}

export type TaskMessage = { kind: 'progress' | 'answer'; value: unknown } | { kind: 'failed'; detail: string }

/** Seals a value. Both sides run this program, and the seal proves the origin. Binary data is preserved. */
export const sealValue = (seal: Seal, value: unknown, context: string): Buffer =>
  seal.close(serialize(value).toString('base64'), context)
export function unsealValue<T>(seal: Seal, sealed: Buffer, context: string): T {
  const serializedText = seal.open(sealed, context)
  if (serializedText === null)
    throw new TaskError('The worker has another secret key. Give all processes the same CLEARWAY_SECRET_KEY.')
  return deserialize(Buffer.from(serializedText, 'base64')) as T
}
export const getTaskContext = (id: string) => `preview ${id}`
export const getEventContext = (id: string, number: number) => `preview ${id} ${number}`
