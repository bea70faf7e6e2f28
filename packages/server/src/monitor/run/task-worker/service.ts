import type { PreviewKind } from '../table.ts'
import {
  getEventContext,
  getTaskContext,
  sealValue,
  type Task,
  type TaskDeps,
  TaskError,
  type TaskMessage,
  unsealValue,
} from '../task/service.ts'
import { claimTask, insertEvents, renewTask, type TaskClaim } from '../task/store.ts'

export const claimNextTask = (deps: TaskDeps, kinds: readonly PreviewKind[]): Promise<TaskClaim | null> => claimTask(deps, kinds)

/** Maximum numbers of events and bytes of one task: a preview has a thousand URLs, a dry run some pictures. */
const maxTaskEvents = 5000
const maxTaskBytes = 64 * 1024 * 1024
const renewalIntervalMs = 2000

/** Performs a task while a client listens; its signal aborts when the client leaves, it reports too much, or by `stopSignal`. */
export async function workOnTask(
  deps: TaskDeps,
  claim: TaskClaim,
  stopSignal: AbortSignal,
  work: (task: Task, report: (value: unknown) => void, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const abortController = new AbortController()
  let lastNumber = 0
  let sentBytes = 0
  let writePromise: Promise<void> = Promise.resolve()
  let pendingEvents: { number: number; sealed: Buffer }[] = []
  let hasLostMessages = false
  const flushEvents = async (): Promise<void> => {
    const eventBatch = pendingEvents
    if (eventBatch.length === 0) return
    pendingEvents = []
    await insertEvents(deps, claim, eventBatch)
    await deps.pubSub.publish({ kind: 'reported', taskId: claim.id })
  }
  const writeMessage = (message: TaskMessage): void => {
    // A previous message was lost: a result after it would look complete.
    if (hasLostMessages) return
    lastNumber += 1
    const sealedMessage = sealValue(deps.seal, message, getEventContext(claim.id, lastNumber))
    sentBytes += sealedMessage.length
    pendingEvents.push({ number: lastNumber, sealed: sealedMessage })
    // Messages during a write go into the next batch. Without the database, the task ends.
    writePromise = writePromise.then(flushEvents).catch(() => {
      hasLostMessages = true
      pendingEvents = []
      abortController.abort()
    })
  }
  const reportProgress = (value: unknown): void => {
    if (lastNumber < maxTaskEvents && sentBytes < maxTaskBytes) writeMessage({ kind: 'progress', value })
    else abortController.abort()
  }
  const renewLease = async (): Promise<void> => {
    if (!(await renewTask(deps, claim).catch(() => true))) abortController.abort()
  }
  const renewalTimer = setInterval(() => void renewLease(), renewalIntervalMs)
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'left' && event.taskId === claim.id) abortController.abort()
    if (event.kind === 'missed') void renewLease()
  })
  try {
    const request = unsealValue<never>(deps.seal, claim.sealed, getTaskContext(claim.id))
    const signal = AbortSignal.any([abortController.signal, stopSignal])
    const workResult = await work({ kind: claim.kind, asked: request } as Task, reportProgress, signal)
    if (stopSignal.aborted) writeMessage({ kind: 'failed', detail: 'The worker was stopped. Try again.' })
    else writeMessage({ kind: 'answer', value: workResult })
  } catch (error) {
    const errorDetail = error instanceof TaskError ? error.message : 'It failed; see the log of the worker.'
    writeMessage({ kind: 'failed', detail: errorDetail })
    throw error
  } finally {
    unsubscribe()
    clearInterval(renewalTimer)
    await writePromise
  }
}
