import { defaultQuotas } from '@clearway/contract/monitor/setting/schema.ts'
import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import { reachUrl } from '@clearway/engine/guard/reach.ts'
import { listPageButtons, type PageButtons } from '@clearway/engine/crawl/banner/page-buttons.ts'
import { previewScope, testUrl } from '@clearway/engine/scan-preview.ts'
import { type DryRunResult, dryRun } from '@clearway/engine/script/dry-run.ts'
import type { SignInView } from '@clearway/engine/session/sign-in-state.ts'
import { trySignIn, type SignInTry } from '@clearway/engine/session/try-sign-in.ts'
import type { FindBrowser } from '../browser/jobs.ts'
import type { WorkerDeps } from '../execution/service.ts'
import { createPictureEncoder } from './model.ts'
import type { DryRunEnd, OpenKeystore, PageButtonsEnd, SignInTryEnd, Task, Tasks } from '../task/service.ts'
import { claimNextTask, workOnTask } from '../task-worker/service.ts'

const maxPoolPages = 4
/** Time that an idle browser waits for the next preview before it closes. */
const idleMs = 60_000
/** Concurrent tasks of one worker in addition to its runs: one more than the default quota of a person. */
const maxConcurrentTasks = defaultQuotas.tries + 1
/** Separate limit for URL checks while users type. */
const maxConcurrentReaches = 4

/** A browser pool that stays open while in use, and for a short idle time. */
function createSharedPool(findBrowser: FindBrowser) {
  let openPoolPromise: Promise<BrowserPool> | null = null
  let userCount = 0
  let idleTimer: NodeJS.Timeout | null = null
  const closePool = async (): Promise<void> => {
    if (idleTimer) clearTimeout(idleTimer)
    const lastPool = openPoolPromise
    openPoolPromise = null
    await (await lastPool?.catch(() => null))?.close()
  }
  return {
    close: closePool,
    borrow: async <T>(work: (pool: BrowserPool) => Promise<T>): Promise<T> => {
      const browserSearch = await findBrowser()
      if (browserSearch.kind === 'missing') throw new Error(browserSearch.detail)
      if (idleTimer) clearTimeout(idleTimer)
      userCount += 1
      try {
        openPoolPromise ??= openPool(browserSearch.facts, { pages: maxPoolPages })
        return await work(await openPoolPromise)
      } finally {
        userCount -= 1
        if (userCount === 0) idleTimer = setTimeout(() => void closePool(), idleMs).unref()
      }
    },
  }
}

/** The end of a dry run without its steps, which were already sent. */
function toDryRunEnd(run: DryRunResult): DryRunEnd {
  if (run.kind !== 'ran') return run
  const { end: scriptEnd } = run
  return scriptEnd.kind === 'done' ? { kind: 'done' } : { kind: 'failed', reason: scriptEnd.reason, detail: scriptEnd.detail }
}

function toSignInTryEnd(result: SignInTry, encodePicture: (picture: Uint8Array | null) => string | null): SignInTryEnd {
  const toView = (view: SignInView | null) => view && { ...view, screenshot: encodePicture(view.screenshot) }
  const isOver = result.kind === 'signed-in' || result.kind === 'unproved'
  return {
    end: result.kind,
    detail: 'detail' in result ? result.detail : null,
    signedInAs: isOver ? result.signedInAs : null,
    memberTexts: isOver ? result.memberTexts : [],
    changingRequests: isOver ? result.changingRequests : [],
    visitorPage: result.kind === 'problem' ? null : toView(result.visitorPage),
    memberPage: isOver ? toView(result.memberPage) : result.kind === 'refused' ? toView(result.lastPage) : null,
  }
}

const toPageButtonsEnd = (result: PageButtons, encodePicture: (picture: Uint8Array | null) => string | null): PageButtonsEnd =>
  result.kind === 'problem'
    ? { detail: result.detail, page: null, buttons: [] }
    : {
        detail: null,
        page: { ...result.page, screenshot: encodePicture(result.page.screenshot) },
        buttons: result.buttons,
      }

type TaskWork = (task: Task, report: (value: unknown) => void, signal: AbortSignal) => Promise<unknown>

const createTaskWork =
  ({ borrow }: ReturnType<typeof createSharedPool>, openKeystore: OpenKeystore): TaskWork =>
  (task, report, signal) => {
    if (task.kind === 'keystore') return openKeystore(task.asked)
    if (task.kind === 'reach') return reachUrl(task.asked, signal)
    if (task.kind === 'test') return borrow((pool) => testUrl({ pool }, task.asked.plan, task.asked.url))
    if (task.kind === 'preview') {
      const { plan: scanPlan, ...options } = task.asked
      return borrow((pool) => previewScope({ pool, onUrl: report }, scanPlan, { ...options, signal }))
    }
    const takePicture = createPictureEncoder()
    if (task.kind === 'sign-in')
      return borrow(async (pool) => toSignInTryEnd(await trySignIn({ pool }, task.asked.plan, signal), takePicture))
    if (task.kind === 'buttons')
      return borrow(async (pool) => toPageButtonsEnd(await listPageButtons({ pool }, task.asked.plan), takePicture))
    const onStep = (step: Omit<Tasks['dry-run']['progress'], 'screenshot'> & { screenshot: Uint8Array | null }) =>
      report({ ...step, screenshot: takePicture(step.screenshot) })
    return borrow(async (pool) => toDryRunEnd(await dryRun({ pool, onStep }, task.asked.script, task.asked.plan, signal)))
  }

/** Performs interactive tasks in a browser that starts with the first and closes a minute after the last. `take` polls. */
export function openPreviewWork(deps: WorkerDeps & { openKeystore: OpenKeystore; find: FindBrowser }, stopSignal: AbortSignal) {
  const sharedPool = createSharedPool(deps.find)
  const taskWork = createTaskWork(sharedPool, deps.openKeystore)
  const activeTasks = new Set<Promise<void>>()
  const activeReaches = new Set<Promise<void>>()
  let hasBrowser = false
  const startNextTask = async (): Promise<boolean> => {
    const allowedKinds: Task['kind'][] = activeReaches.size < maxConcurrentReaches ? ['reach'] : []
    if (activeTasks.size < maxConcurrentTasks) allowedKinds.push(...(hasBrowser ? browserTaskKinds : browserlessTaskKinds))
    if (allowedKinds.length === 0) return false
    const taskClaim = await claimNextTask(deps, allowedKinds)
    if (!taskClaim) return false
    const activeSet = taskClaim.kind === 'reach' ? activeReaches : activeTasks
    const taskPromise = workOnTask(deps, taskClaim, stopSignal, taskWork)
      .catch((error: unknown) => deps.log('error', `${taskClaim.kind}: ${String(error)}`))
      .finally(() => {
        activeSet.delete(taskPromise)
        void takeTasks()
      })
    activeSet.add(taskPromise)
    return true
  }
  const logWarning = (error: unknown) => deps.log('warn', String(error))
  let pollPromise: Promise<void> = Promise.resolve()
  // Polls are serialized, so that the limits hold.
  const takeWaitingTasks = (): Promise<void> => {
    pollPromise = pollPromise
      .then(async () => {
        while (!stopSignal.aborted && (await startNextTask()));
      })
      .catch(logWarning)
    return pollPromise
  }
  // Finding a browser starts one, which is slow on a busy machine; tasks without a browser do not wait for it.
  const lookForBrowser = async (): Promise<void> => {
    const hadBrowser = hasBrowser
    hasBrowser = (await deps.find()).kind === 'ready'
    if (hasBrowser && !hadBrowser) await takeWaitingTasks()
  }
  const takeTasks = (): Promise<void> => {
    if (!hasBrowser) lookForBrowser().catch(logWarning)
    return takeWaitingTasks()
  }
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'asked' || event.kind === 'missed') void takeTasks()
  })
  return {
    take: takeTasks,
    isBusy: () => activeTasks.size + activeReaches.size > 0,
    close: async (): Promise<void> => {
      unsubscribe()
      await pollPromise
      await Promise.all([...activeTasks, ...activeReaches])
      await sharedPool.close()
    },
  }
}

const browserTaskKinds = ['preview', 'test', 'dry-run', 'sign-in', 'buttons', 'keystore'] as const
const browserlessTaskKinds = ['keystore'] as const
