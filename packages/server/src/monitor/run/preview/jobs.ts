import { defaultQuotas } from '@clearway/contract/monitor/setting/schema.ts'
import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import { reachUrl } from '@clearway/engine/guard/reach.ts'
import { previewScope, testUrl } from '@clearway/engine/scan-preview.ts'
import { type DryRunResult, dryRun } from '@clearway/engine/script/dry-run.ts'
import type { FindBrowser } from '../browser/jobs.ts'
import type { WorkerDeps } from '../worker/service.ts'
import { pictureTaker } from './model.ts'
import type { DryRunEnd } from './service.ts'
import { nextTask, type OpenKeystore, type Task, type Tasks, workOnTask } from '../task/service.ts'

const pages = 4
/** How long a browser waits for the next preview before it ends. */
const idleMs = 60_000
/** Tasks that one worker does at once, beside its runs: one more than one person may have. */
const atOnce = defaultQuotas.tries + 1
/** What is asked while people type takes no slot of those. */
const reachesAtOnce = 4

/** A pool that is open while somebody uses it, and a little longer. */
function sharedPool(find: FindBrowser) {
  let pool: Promise<BrowserPool> | null = null
  let users = 0
  let timer: NodeJS.Timeout | null = null
  const close = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    const last = pool
    pool = null
    await (await last?.catch(() => null))?.close()
  }
  return {
    close,
    borrow: async <T>(work: (pool: BrowserPool) => Promise<T>): Promise<T> => {
      const found = await find()
      if (found.kind === 'missing') throw new Error(found.detail)
      if (timer) clearTimeout(timer)
      users += 1
      try {
        pool ??= openPool(found.facts, { pages })
        return await work(await pool)
      } finally {
        users -= 1
        if (users === 0) timer = setTimeout(() => void close(), idleMs).unref()
      }
    },
  }
}

/** What came of a dry run, without the steps: those have been sent. */
function endOf(run: DryRunResult): DryRunEnd {
  if (run.kind !== 'ran') return run
  const { end } = run
  return end.kind === 'done' ? { kind: 'done' } : { kind: 'failed', reason: end.reason, detail: end.detail }
}

type Do = (task: Task, report: (value: unknown) => void, signal: AbortSignal) => Promise<unknown>

/** How each task is done. */
const doer =
  ({ borrow }: ReturnType<typeof sharedPool>, openKeystore: OpenKeystore): Do =>
  (task, report, signal) => {
    if (task.kind === 'keystore') return openKeystore(task.asked)
    if (task.kind === 'reach') return reachUrl(task.asked, signal)
    if (task.kind === 'test') return borrow((pool) => testUrl({ pool }, task.asked.plan, task.asked.url))
    if (task.kind === 'preview') {
      const { plan, limitMs } = task.asked
      return borrow((pool) => previewScope({ pool, onUrl: report }, plan, { limitMs, signal }))
    }
    const pictureOf = pictureTaker()
    const onStep = (
      step: Omit<Tasks['dry-run']['progress'], 'screenshot'> & { screenshot: Uint8Array | null },
    ) => report({ ...step, screenshot: pictureOf(step.screenshot) })
    return borrow(async (pool) =>
      endOf(await dryRun({ pool, onStep }, task.asked.script, task.asked.plan, signal)),
    )
  }

/**
 * Does what people ask for while they wait, in a browser of its own, which starts with the first and ends a minute after the
 * last. `take` looks for more; whoever has asked is heard at once.
 */
export function openPreviewWork(
  deps: WorkerDeps & { openKeystore: OpenKeystore; find: FindBrowser },
  stopping: AbortSignal,
) {
  const shared = sharedPool(deps.find)
  const work = doer(shared, deps.openKeystore)
  const working = new Set<Promise<void>>()
  const reaching = new Set<Promise<void>>()
  let hasBrowser = false
  const one = async (): Promise<boolean> => {
    const kinds: Task['kind'][] = reaching.size < reachesAtOnce ? ['reach'] : []
    if (working.size < atOnce) kinds.push(...(hasBrowser ? withBrowser : withoutBrowser))
    if (kinds.length === 0) return false
    const claim = await nextTask(deps, kinds)
    if (!claim) return false
    const slots = claim.kind === 'reach' ? reaching : working
    const doing = workOnTask(deps, claim, stopping, work)
      .catch((error: unknown) => deps.log('error', `${claim.kind}: ${String(error)}`))
      .finally(() => {
        slots.delete(doing)
        void take()
      })
    slots.add(doing)
    return true
  }
  const warn = (error: unknown) => deps.log('warn', String(error))
  let looking: Promise<void> = Promise.resolve()
  // One look at a time, so that no more than a few are in work.
  const takeWaiting = (): Promise<void> => {
    looking = looking
      .then(async () => {
        while (!stopping.aborted && (await one()));
      })
      .catch(warn)
    return looking
  }
  // To look for a browser is to start one, which takes a while on a busy machine: what needs none does not wait for it.
  const lookForBrowser = async (): Promise<void> => {
    const had = hasBrowser
    hasBrowser = (await deps.find()).kind === 'ready'
    if (hasBrowser && !had) await takeWaiting()
  }
  const take = (): Promise<void> => {
    if (!hasBrowser) lookForBrowser().catch(warn)
    return takeWaiting()
  }
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'asked' || event.kind === 'missed') void take()
  })
  return {
    take,
    close: async (): Promise<void> => {
      unsubscribe()
      await looking
      await Promise.all([...working, ...reaching])
      await shared.close()
    },
  }
}

const withBrowser = ['preview', 'test', 'dry-run', 'keystore'] as const
const withoutBrowser = ['keystore'] as const
