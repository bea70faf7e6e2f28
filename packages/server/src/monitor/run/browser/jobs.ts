import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserFacts } from '@clearway/engine/browser/facts.ts'
import { findBrowserApart } from '@clearway/engine/browser/find-apart.ts'
import { createTrustFolder } from '@clearway/engine/browser/trust.ts'
import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import type { Config } from '../../../config.ts'
import type { BrowserSource } from '../execution/service.ts'

export type FoundBrowser = { kind: 'ready'; facts: BrowserFacts } | { kind: 'missing'; detail: string }

const retryMs = 60_000

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

/** Creates a browser search that repeats until it succeeds, at most once a minute. */
export function createBrowserFinder(config: Config): FindBrowser {
  let lastSearchAt = 0
  let searchPromise: Promise<FoundBrowser> | null = null
  return async () => {
    const previousResult = await searchPromise
    if (!searchPromise || (previousResult?.kind === 'missing' && performance.now() - lastSearchAt > retryMs)) {
      lastSearchAt = performance.now()
      searchPromise = findConfiguredBrowser(config).catch((error: unknown) => ({
        kind: 'missing',
        detail: `The search for a browser failed: ${error instanceof Error ? error.message : String(error)}`,
      }))
    }
    return searchPromise
  }
}

/** The worker's own browser pool, opened when a browser is available. */
export function createBrowserSource(config: Config, findBrowser: FindBrowser): BrowserSource {
  let poolPromise: Promise<BrowserPool> | null = null
  return {
    get: async () => {
      const browserSearch = await findBrowser()
      if (browserSearch.kind === 'missing') return browserSearch
      poolPromise ??= openPool(browserSearch.facts, { pages: config.CLEARWAY_WORKER_PAGES })
      return { ...browserSearch, pool: await poolPromise }
    },
    async close() {
      const openedPool = await poolPromise?.catch(() => null)
      await openedPool?.close()
    },
  }
}
