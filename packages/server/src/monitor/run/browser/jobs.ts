import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { BrowserFacts } from '@clearway/engine/browser/facts.ts'
import { findBrowserApart } from '@clearway/engine/browser/find-apart.ts'
import { createTrustFolder } from '@clearway/engine/browser/trust.ts'
import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import type { Config } from '../../../config.ts'
import type { BrowserSource } from '../execution/service.ts'

export type FoundBrowser = { kind: 'ready'; facts: BrowserFacts } | { kind: 'missing'; detail: string }

const minRetryDelayMs = 5000
const maxRetryDelayMs = 60_000

async function findConfiguredBrowser(config: Config): Promise<FoundBrowser> {
  const sandboxMode = ({ auto: true, on: 'always', off: false } as const)[config.CLEARWAY_SANDBOX]
  const cacheFolder = join(config.CLEARWAY_DATA, 'browser')
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  // A browser on another machine has the authorities of that machine.
  const isRemote = /^wss?:/.test(config.CLEARWAY_BROWSER ?? '')
  const trust =
    config.CLEARWAY_CA_FILE && !isRemote
      ? await createTrustFolder({ caFile: config.CLEARWAY_CA_FILE, folder: join(cacheFolder, 'trust') })
      : { env: {} }
  if ('problem' in trust) return { kind: 'missing', detail: `${trust.problem}.` }
  const searchResult = await findBrowserApart({
    env: trust.env,
    setting: config.CLEARWAY_BROWSER,
    cacheFolder,
    sandbox: sandboxMode,
    ...(config.CLEARWAY_GUARD_HOST === null ? {} : { guardHost: config.CLEARWAY_GUARD_HOST }),
  })
  if (searchResult.found) return { kind: 'ready', facts: searchResult.facts }
  const attemptTexts = searchResult.tried.map(({ what, why }) => `${what}: ${why}`).join('; ')
  return { kind: 'missing', detail: `${attemptTexts}. ${searchResult.remedy}` }
}

export type FindBrowser = () => Promise<FoundBrowser>

/**
 * Creates a browser search that repeats, with a growing delay, until it succeeds. Only the first search is awaited.
 * @returns `recheck` searches again, for a browser that was found and does not start
 */
export function createBrowserFinder(config: Config): { find: FindBrowser; recheck: () => void } {
  let lastResult: FoundBrowser | null = null
  let currentSearch: Promise<FoundBrowser> | null = null
  let lastSearchAt = -Infinity
  let retryDelayMs = minRetryDelayMs
  const startSearch = (): Promise<FoundBrowser> => {
    lastSearchAt = performance.now()
    const search = findConfiguredBrowser(config)
      .catch((error: unknown) => ({
        kind: 'missing' as const,
        detail: `The search for a browser failed: ${error instanceof Error ? error.message : String(error)}`,
      }))
      .then((result) => {
        retryDelayMs = result.kind === 'missing' ? Math.min(maxRetryDelayMs, retryDelayMs * 2) : minRetryDelayMs
        lastResult = result
        currentSearch = null
        return result
      })
    currentSearch = search
    return search
  }
  return {
    find: () => {
      const isDue = lastResult?.kind === 'missing' && performance.now() - lastSearchAt > retryDelayMs
      const search = currentSearch ?? (lastResult === null || isDue ? startSearch() : null)
      return lastResult === null ? search! : Promise.resolve(lastResult)
    },
    recheck: () => {
      if (!currentSearch) void startSearch()
    },
  }
}

/** The worker's own browser pool, opened when a browser is available, and again when another one is found. */
export function createBrowserSource(config: Config, finder: ReturnType<typeof createBrowserFinder>): BrowserSource {
  let opened: { facts: BrowserFacts; pool: Promise<BrowserPool> } | null = null
  const closePool = async (): Promise<void> => {
    const openedPool = await opened?.pool.catch(() => null)
    opened = null
    await openedPool?.close()
  }
  /** True for a pool of a browser that is no longer the one found, and that runs no process. */
  const isOutdated = async (facts: BrowserFacts): Promise<boolean> =>
    opened !== null && !isDeepStrictEqual(opened.facts, facts) && (await opened.pool).processes().length === 0
  return {
    get: async () => {
      const browserSearch = await finder.find()
      if (browserSearch.kind === 'missing') return browserSearch
      const { facts } = browserSearch
      if (await isOutdated(facts)) await closePool()
      opened ??= { facts, pool: openPool(facts, { pages: config.CLEARWAY_WORKER_PAGES }) }
      return { kind: 'ready', facts: opened.facts, pool: await opened.pool }
    },
    recheck: finder.recheck,
    close: closePool,
  }
}
