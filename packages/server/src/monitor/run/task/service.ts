import { setImmediate as nextTurn } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { ReachRequest, ReachResult } from '@clearway/engine/guard/reach.ts'
import type { PreviewedUrl, PreviewResult } from '@clearway/engine/scan-preview.ts'
import type { PlannedScript, ScanPlan } from '@clearway/engine/settings.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { newId } from '../../../kit/id.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import type { Seal } from '../../../kit/seal.ts'
import type { MonitorDb } from '../../database.ts'
import { tooManyTries } from '../../setting/model.ts'
import { quotasNow } from '../../setting/service.ts'
import type { KeystoreAnswer, OpenKeystore } from '../../session/service.ts'
import type { PreviewKind } from '../table.ts'
import type { DryRunEnd, DryStep, Previews } from '../preview/service.ts'
import {
  claimTask,
  deleteTask,
  deleteUnwatched,
  eventsAfter,
  insertEvents,
  insertTask,
  liveWorkers,
  renewTask,
  type TaskClaim,
  watchTask,
} from './store.ts'

export type TaskDeps = { db: MonitorDb; pubSub: PubSub; seal: Seal }

/** What can be asked of a worker: with what, its progress, and what it answers at the end. */
export type Tasks = {
  preview: { asked: { plan: ScanPlan; limitMs: number }; progress: PreviewedUrl; answer: PreviewResult }
  test: { asked: { plan: ScanPlan; url: string }; progress: never; answer: PreviewedUrl }
  reach: { asked: ReachRequest; progress: never; answer: ReachResult }
  'dry-run': {
    asked: { script: PlannedScript & { type: ScriptType }; plan: ScanPlan }
    progress: DryStep
    answer: DryRunEnd
  }
  keystore: { asked: Parameters<OpenKeystore>[0]; progress: never; answer: KeystoreAnswer }
}
export type { OpenKeystore }
export type Task = { [K in PreviewKind]: { kind: K; asked: Tasks[K]['asked'] } }[PreviewKind]

/** A task that came to no answer; the message is for people. */
class TaskError extends Error {}

type Message = { kind: 'progress' | 'answer'; value: unknown } | { kind: 'failed'; detail: string }

/** Both sides are this program, and the seal proves that nobody else wrote it. Bytes stay bytes. */
const close = (seal: Seal, value: unknown, context: string): Buffer =>
  seal.close(serialize(value).toString('base64'), context)
function open<T>(seal: Seal, sealed: Buffer, context: string): T {
  const text = seal.open(sealed, context)
  if (text === null)
    throw new TaskError('The worker has another secret key. Give all processes the same CLEARWAY_SECRET_KEY.')
  return deserialize(Buffer.from(text, 'base64')) as T
}
const taskContext = (id: string) => `preview ${id}`
const eventContext = (id: string, number: number) => `preview ${id} ${number}`

const pollMs = 1000

/** Resolves when something may have happened to a task, or after a while. */
function bell(pubSub: PubSub, taskId: string, signal: AbortSignal) {
  let rung = false
  let wake = () => {}
  const ring = () => {
    rung = true
    wake()
  }
  const unsubscribe = pubSub.subscribe((event) => {
    if (event.kind === 'missed' || (event.kind === 'reported' && event.taskId === taskId)) ring()
  })
  signal.addEventListener('abort', ring)
  return {
    wait: async (): Promise<void> => {
      if (!rung)
        await new Promise<void>((done) => {
          const timer = setTimeout(done, pollMs)
          wake = () => {
            clearTimeout(timer)
            done()
          }
        })
      rung = false
    },
    close: () => {
      unsubscribe()
      signal.removeEventListener('abort', ring)
    },
  }
}

/** Hands on the progress of a worker, until it answers; null when `signal` aborts. @throws TaskError */
async function follow(
  deps: TaskDeps,
  id: string,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<{ answer: unknown } | null> {
  const { wait, close: leave } = bell(deps.pubSub, id, signal)
  let last = 0
  try {
    while (!signal.aborted) {
      const task = await watchTask(deps, id)
      if (!task) throw new TaskError('Nobody works on this any more. Try again.')
      const events = await eventsAfter(deps, id, last)
      for (const { number, sealed } of events) {
        last = number
        const message = open<Message>(deps.seal, sealed, eventContext(id, number))
        if (message.kind === 'answer') return { answer: message.value }
        if (message.kind === 'failed') throw new TaskError(message.detail)
        if (signal.aborted) return null
        onProgress(message.value)
        // The connection that it goes out by gets its turn.
        await nextTurn()
      }
      if (events.length > 0) continue
      if (task.lost) throw new TaskError('The worker ended in the middle of this. Try again.')
      if (task.unserved) throw new TaskError('No worker has room just now. Try again shortly.')
      await wait()
    }
    return null
  } finally {
    leave()
  }
}

/** How long somebody waits at the most, whatever a worker makes of it. A script may take half an hour. */
const limitsMs: Readonly<Record<PreviewKind, number>> = {
  preview: 2 * 60_000,
  test: 60_000,
  reach: 15_000,
  'dry-run': defaultLimits.scriptTimeoutMs + 2 * 60_000,
  keystore: 30_000,
}

/**
 * Asks a worker, and passes on its progress. When `signal` aborts the worker is stopped, and the answer is null. All
 * rows of the task are deleted at the end.
 * @throws TaskError
 */
async function ask<K extends PreviewKind>(
  deps: TaskDeps,
  kind: K,
  asked: Tasks[K]['asked'],
  how: {
    personId: string
    onProgress?: (value: Tasks[K]['progress']) => void
    signal?: AbortSignal | undefined
  },
): Promise<Tasks[K]['answer'] | null> {
  const id = newId()
  const { tries: most } = await quotasNow(deps)
  const task = { id, kind, sealed: close(deps.seal, asked, taskContext(id)) }
  if (!(await insertTask(deps, task, { personId: how.personId, most })))
    throw new TaskError(tooManyTries(most))
  const limit = AbortSignal.timeout(limitsMs[kind])
  try {
    await deps.pubSub.publish({ kind: 'asked', taskId: id })
    const onProgress = (how.onProgress ?? (() => undefined)) as (value: unknown) => void
    const end = await follow(deps, id, onProgress, how.signal ? AbortSignal.any([how.signal, limit]) : limit)
    return end && (end.answer as Tasks[K]['answer'])
  } finally {
    await deleteTask(deps, id)
    await deps.pubSub.publish({ kind: 'left', taskId: id })
  }
}

const noWorker = 'No worker is running'
const tooLong = 'The worker did not answer in time. Try again.'
/** Why a task has no answer, for whoever asked. Other errors are ours. */
const detailOf = (error: unknown): string => {
  if (error instanceof TaskError) return error.message
  throw error
}

/** Previews by the workers, wherever they are. */
export const previewsByWorkers = (deps: TaskDeps): Previews => ({
  async missing() {
    const workers = await liveWorkers(deps)
    if (workers.length === 0) return noWorker
    return workers.some(({ browser, problem }) => browser !== null || problem === null)
      ? null
      : workers[0]!.problem
  },
  async preview(plan, { personId, limitMs, signal, onUrl }) {
    try {
      const end = await ask(deps, 'preview', { plan, limitMs }, { personId, signal, onProgress: onUrl })
      return end ?? { kind: 'stopped' }
    } catch (error) {
      return { kind: 'problem', detail: detailOf(error) }
    }
  },
  async test(plan, url, personId) {
    try {
      const answer = await ask(deps, 'test', { plan, url }, { personId })
      if (answer === null) throw new TaskError(tooLong)
      return answer
    } catch (error) {
      const detail = detailOf(error)
      return { url, depth: 0, foundOn: null, verdict: 'failed', reason: 'browser-cluster', detail }
    }
  },
  async reach(asked, by) {
    try {
      if ((await liveWorkers(deps)).length === 0) return { problem: noWorker }
      return (await ask(deps, 'reach', asked, by)) ?? { problem: tooLong }
    } catch (error) {
      return { problem: detailOf(error) }
    }
  },
  async dryRun(script, plan, { personId, signal, onStep }) {
    try {
      const end = await ask(deps, 'dry-run', { script, plan }, { personId, signal, onProgress: onStep })
      return end ?? { kind: 'problem', detail: 'It was stopped' }
    } catch (error) {
      return { kind: 'problem', detail: detailOf(error) }
    }
  },
})

/** Opens keystores in a worker: the file is a stranger's. */
export const keystoresByWorkers =
  (deps: TaskDeps): OpenKeystore =>
  async (keystore, by) => {
    if (by === undefined) throw new Error('A keystore is opened for somebody')
    if ((await liveWorkers(deps)).length === 0) return { kind: 'not-checked', why: noWorker }
    try {
      return (await ask(deps, 'keystore', keystore, by)) ?? { kind: 'not-checked', why: tooLong }
    } catch (error) {
      return { kind: 'not-checked', why: detailOf(error) }
    }
  }

/** Forgets what nobody watches: the process that did ended in the middle. */
export const forgetUnwatched = (deps: { db: MonitorDb }): Promise<void> => deleteUnwatched(deps)

/** The next task for a worker; null when none waits. */
export const nextTask = (deps: TaskDeps, kinds: readonly PreviewKind[]): Promise<TaskClaim | null> =>
  claimTask(deps, kinds)

/** What is written at most for one task: a preview has a thousand URLs, a dry run some pictures. */
const mostEvents = 5000
const mostBytes = 64 * 1024 * 1024
const renewMs = 2000

/**
 * Works on a task while somebody watches: `work` reports its progress and answers. Its signal aborts when nobody watches any
 * more, when it has reported too much, or with `stopping`.
 */
export async function workOnTask(
  deps: TaskDeps,
  claim: TaskClaim,
  stopping: AbortSignal,
  work: (task: Task, report: (value: unknown) => void, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const gone = new AbortController()
  let number = 0
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  let queue: { number: number; sealed: Buffer }[] = []
  let lost = false
  const flush = async (): Promise<void> => {
    const events = queue
    if (events.length === 0) return
    queue = []
    await insertEvents(deps, claim, events)
    await deps.pubSub.publish({ kind: 'reported', taskId: claim.id })
  }
  const write = (message: Message): void => {
    // A message before it is lost: an answer after it would be taken for the whole.
    if (lost) return
    number += 1
    const sealed = close(deps.seal, message, eventContext(claim.id, number))
    bytes += sealed.length
    queue.push({ number, sealed })
    // What comes while one batch is written goes with the next. Without its database a task ends.
    writing = writing.then(flush).catch(() => {
      lost = true
      queue = []
      gone.abort()
    })
  }
  const report = (value: unknown): void => {
    if (number < mostEvents && bytes < mostBytes) write({ kind: 'progress', value })
    else gone.abort()
  }
  const renew = async (): Promise<void> => {
    if (!(await renewTask(deps, claim).catch(() => true))) gone.abort()
  }
  const timer = setInterval(() => void renew(), renewMs)
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'left' && event.taskId === claim.id) gone.abort()
    if (event.kind === 'missed') void renew()
  })
  try {
    const asked = open<never>(deps.seal, claim.sealed, taskContext(claim.id))
    const signal = AbortSignal.any([gone.signal, stopping])
    const value = await work({ kind: claim.kind, asked } as Task, report, signal)
    if (stopping.aborted) write({ kind: 'failed', detail: 'The worker was stopped. Try again.' })
    else write({ kind: 'answer', value })
  } catch (error) {
    const detail = error instanceof TaskError ? error.message : 'It failed; see the log of the worker.'
    write({ kind: 'failed', detail })
    throw error
  } finally {
    unsubscribe()
    clearInterval(timer)
    await writing
  }
}
