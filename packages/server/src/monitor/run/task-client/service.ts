import { setImmediate as nextTurn } from 'node:timers/promises'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { ReachRequest, ReachResult } from '@clearway/engine/guard/reach.ts'
import type { UnmetPage } from '@clearway/engine/frontier.ts'
import type { PreviewedUrl, PreviewResult } from '@clearway/engine/scan-preview.ts'
import type { PlannedScript, ScanPlan } from '@clearway/engine/settings.ts'
import { createId } from '../../../kit/id.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import type { OpenKeystore } from '../../session/service.ts'
import { createTooManyTriesMessage } from '../../setting/model.ts'
import { readCurrentQuotas } from '../../setting/service.ts'
import type { PreviewKind } from '../table.ts'
import {
  type DryRunEnd,
  type DryStep,
  getEventContext,
  getTaskContext,
  sealValue,
  type PageButtonsEnd,
  type SignInTryEnd,
  type TaskDeps,
  TaskError,
  type TaskMessage,
  type Tasks,
  unsealValue,
} from '../task/service.ts'
import { deleteTask, insertTask, listEventsAfter, listLiveWorkers, watchTask } from '../task/store.ts'

/** Runs without stored results, performed by a worker. */
export type Previews = {
  /** Searches for a browser; resolves to the reason if none is available, else to null. */
  missing: () => Promise<string | null>
  preview: (
    plan: ScanPlan,
    options: {
      personId: string
      limitMs: number
      signal: AbortSignal
      previousPages: readonly UnmetPage[]
      onUrl: (found: PreviewedUrl) => void
    },
  ) => Promise<PreviewResult>
  test: (plan: ScanPlan, url: string, personId: string) => Promise<PreviewedUrl>
  /** Checks a URL; resolves to a problem when no worker could do so. */
  reach: (asked: ReachRequest, by: { personId: string; signal: AbortSignal }) => Promise<ReachResult | { problem: string }>
  dryRun: (
    script: PlannedScript & { type: ScriptType },
    plan: ScanPlan,
    options: { personId: string; signal: AbortSignal; onStep: (step: DryStep) => void },
  ) => Promise<DryRunEnd>
  trySignIn: (plan: ScanPlan, by: { personId: string; signal: AbortSignal }) => Promise<SignInTryEnd>
  listButtons: (plan: ScanPlan, by: { personId: string; signal: AbortSignal }) => Promise<PageButtonsEnd>
}

const failSignInTry = (detail: string): SignInTryEnd => ({
  end: 'problem',
  detail,
  signedInAs: null,
  memberTexts: [],
  changingRequests: [],
  visitorPage: null,
  memberPage: null,
})

const failPageButtons = (detail: string): PageButtonsEnd => ({ detail, page: null, buttons: [] })

const pollMs = 1000

/** Creates a signal that resolves on news about a task, or after the poll interval. */
function createTaskSignal(pubSub: PubSub, taskId: string, signal: AbortSignal) {
  let hasNews = false
  let wakeWaiting = () => {}
  const signalNews = () => {
    hasNews = true
    wakeWaiting()
  }
  const unsubscribe = pubSub.subscribe((event) => {
    if (event.kind === 'missed' || (event.kind === 'reported' && event.taskId === taskId)) signalNews()
  })
  signal.addEventListener('abort', signalNews)
  return {
    wait: async (): Promise<void> => {
      if (!hasNews)
        await new Promise<void>((resolve) => {
          const pollTimer = setTimeout(resolve, pollMs)
          wakeWaiting = () => {
            clearTimeout(pollTimer)
            resolve()
          }
        })
      hasNews = false
    },
    close: () => {
      unsubscribe()
      signal.removeEventListener('abort', signalNews)
    },
  }
}

/** Passes on a worker's progress until its result; null when `signal` aborts. @throws TaskError */
async function followTask(
  deps: TaskDeps,
  taskId: string,
  onProgress: (value: unknown) => void,
  signal: AbortSignal,
): Promise<{ answer: unknown } | null> {
  const { wait: waitForNews, close: stopWaiting } = createTaskSignal(deps.pubSub, taskId, signal)
  let lastNumber = 0
  try {
    while (!signal.aborted) {
      const watchedTask = await watchTask(deps, taskId)
      if (!watchedTask) throw new TaskError('This task no longer exists. Try again.')
      const newEvents = await listEventsAfter(deps, taskId, lastNumber)
      for (const { number, sealed } of newEvents) {
        lastNumber = number
        const taskMessage = unsealValue<TaskMessage>(deps.seal, sealed, getEventContext(taskId, number))
        if (taskMessage.kind === 'answer') return { answer: taskMessage.value }
        if (taskMessage.kind === 'failed') throw new TaskError(taskMessage.detail)
        if (signal.aborted) return null
        onProgress(taskMessage.value)
        // Yields, so that the client's connection can send.
        await nextTurn()
      }
      if (newEvents.length > 0) continue
      if (watchedTask.lost) throw new TaskError('The worker ended during this task. Try again.')
      if (watchedTask.unserved) throw new TaskError('All workers are busy. Try again shortly.')
      await waitForNews()
    }
    return null
  } finally {
    stopWaiting()
  }
}

/** Maximum time to wait for a task, by kind. A script may take half an hour. */
const maxWaitMs: Readonly<Record<PreviewKind, number>> = {
  preview: 2 * 60_000,
  test: 60_000,
  reach: 15_000,
  'dry-run': defaultLimits.scriptTimeoutMs + 2 * 60_000,
  'sign-in': defaultLimits.scriptTimeoutMs + 2 * 60_000,
  buttons: 2 * 60_000,
  keystore: 30_000,
}

/**
 * Runs a task on a worker and passes on its progress; null when `signal` aborts, which stops it. Deletes the task's rows.
 * @throws TaskError
 */
async function runOnWorker<K extends PreviewKind>(
  deps: TaskDeps,
  kind: K,
  request: Tasks[K]['asked'],
  options: { personId: string; onProgress?: (value: Tasks[K]['progress']) => void; signal?: AbortSignal | undefined },
): Promise<Tasks[K]['answer'] | null> {
  const taskId = createId()
  const { tries: maxTries } = await readCurrentQuotas(deps)
  const sealedTask = { id: taskId, kind, sealed: sealValue(deps.seal, request, getTaskContext(taskId)) }
  if (!(await insertTask(deps, sealedTask, { personId: options.personId, maxTasks: maxTries })))
    throw new TaskError(createTooManyTriesMessage(maxTries))
  const timeoutSignal = AbortSignal.timeout(maxWaitMs[kind])
  try {
    await deps.pubSub.publish({ kind: 'asked', taskId })
    const reportProgress = (options.onProgress ?? (() => undefined)) as (value: unknown) => void
    const taskEnd = await followTask(
      deps,
      taskId,
      reportProgress,
      options.signal ? AbortSignal.any([options.signal, timeoutSignal]) : timeoutSignal,
    )
    return taskEnd && (taskEnd.answer as Tasks[K]['answer'])
  } finally {
    await deleteTask(deps, taskId)
    await deps.pubSub.publish({ kind: 'left', taskId })
  }
}

const noWorkerDetail = 'No worker is running'
const timeoutDetail = 'The worker did not respond in time. Try again.'
/** The reason for a missing result, for the user. Rethrows unexpected errors. */
const getTaskErrorDetail = (error: unknown): string => {
  if (error instanceof TaskError) return error.message
  throw error
}

/** The answer of a worker, or one that says why there is none. */
async function answerOrFail<K extends PreviewKind>(
  deps: TaskDeps,
  { kind, asked }: { kind: K; asked: Tasks[K]['asked'] },
  options: Parameters<typeof runOnWorker<K>>[3],
  buildFailure: (detail: string) => Tasks[K]['answer'],
): Promise<Tasks[K]['answer']> {
  try {
    return (await runOnWorker(deps, kind, asked, options)) ?? buildFailure('It was stopped')
  } catch (error) {
    return buildFailure(getTaskErrorDetail(error))
  }
}

/** Previews performed by workers of any process. */
export const createWorkerPreviews = (deps: TaskDeps): Previews => ({
  async missing() {
    const currentWorkers = await listLiveWorkers(deps)
    if (currentWorkers.length === 0) return noWorkerDetail
    return currentWorkers.some(({ browser, problem }) => browser !== null || problem === null) ? null : currentWorkers[0]!.problem
  },
  async preview(plan, { personId, limitMs, signal, previousPages, onUrl }) {
    try {
      const request = { plan, limitMs, previousPages }
      const previewEnd = await runOnWorker(deps, 'preview', request, { personId, signal, onProgress: onUrl })
      return previewEnd ?? { kind: 'stopped' }
    } catch (error) {
      return { kind: 'problem', detail: getTaskErrorDetail(error) }
    }
  },
  async test(plan, url, personId) {
    try {
      const previewedUrl = await runOnWorker(deps, 'test', { plan, url }, { personId })
      if (previewedUrl === null) throw new TaskError(timeoutDetail)
      return previewedUrl
    } catch (error) {
      const errorDetail = getTaskErrorDetail(error)
      return { url, depth: 0, foundOn: null, verdict: 'failed', reason: 'browser-cluster', detail: errorDetail }
    }
  },
  async reach(asked, by) {
    try {
      if ((await listLiveWorkers(deps)).length === 0) return { problem: noWorkerDetail }
      return (await runOnWorker(deps, 'reach', asked, by)) ?? { problem: timeoutDetail }
    } catch (error) {
      return { problem: getTaskErrorDetail(error) }
    }
  },
  trySignIn: (plan, by) => answerOrFail(deps, { kind: 'sign-in', asked: { plan } }, by, failSignInTry),
  listButtons: (plan, by) => answerOrFail(deps, { kind: 'buttons', asked: { plan } }, by, failPageButtons),
  dryRun: (script, plan, { personId, signal, onStep }) =>
    answerOrFail(
      deps,
      { kind: 'dry-run', asked: { script, plan } },
      { personId, signal, onProgress: onStep },
      (detail): DryRunEnd => ({ kind: 'problem', detail }),
    ),
})

/** Opens keystores in a worker, because the file is untrusted. */
export const createWorkerKeystores =
  (deps: TaskDeps): OpenKeystore =>
  async (keystore, by) => {
    if (by === undefined) throw new Error('A keystore needs a person who waits for it')
    if ((await listLiveWorkers(deps)).length === 0) return { kind: 'not-checked', why: noWorkerDetail }
    try {
      return (await runOnWorker(deps, 'keystore', keystore, by)) ?? { kind: 'not-checked', why: timeoutDetail }
    } catch (error) {
      return { kind: 'not-checked', why: getTaskErrorDetail(error) }
    }
  }
