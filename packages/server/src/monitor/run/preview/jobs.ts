import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import { previewScope, testUrl } from '@clearway/engine/scan-preview.ts'
import { dryRun } from '@clearway/engine/script/dry-run.ts'
import type { Config } from '../../../config.ts'
import { browserFinder } from '../browser/jobs.ts'
import type { Previews } from './service.ts'

const pages = 4
/** How long a browser waits for the next preview before it ends. */
const idleMs = 60_000

/** A pool that is open while somebody uses it, and a little longer. */
function sharedPool(config: Config) {
  const find = browserFinder(config)
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
    find,
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

/** Previews in a browser of this process, which starts with the first and ends a minute after the last. */
export function openPreviews(config: Config): Previews & { close: () => Promise<void> } {
  const { find, borrow, close } = sharedPool(config)
  return {
    async missing() {
      const found = await find()
      return found.kind === 'missing' ? found.detail : null
    },
    preview: (plan, { onUrl, ...options }) => borrow((pool) => previewScope({ pool, onUrl }, plan, options)),
    test: (plan, address) => borrow((pool) => testUrl({ pool }, plan, address)),
    dryRun: (script, plan, { onStep, signal }) =>
      borrow((pool) => dryRun({ pool, onStep }, script, plan, signal)),
    close,
  }
}
