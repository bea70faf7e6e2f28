import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserFacts } from '@clearway/engine/browser/facts.ts'
import { findBrowser } from '@clearway/engine/browser/find.ts'
import type { Config } from '../../../config.ts'

export type FoundBrowser = { kind: 'ready'; facts: BrowserFacts } | { kind: 'missing'; detail: string }

const retryMs = 60_000

async function look(config: Config): Promise<FoundBrowser> {
  const sandbox = ({ auto: true, on: 'always', off: false } as const)[config.CLEARWAY_SANDBOX]
  const cacheFolder = join(config.CLEARWAY_DATA, 'browser')
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  const found = await findBrowser({
    setting: config.CLEARWAY_BROWSER,
    cacheFolder,
    sandbox,
    ...(config.CLEARWAY_GUARD_HOST === null ? {} : { guardHost: config.CLEARWAY_GUARD_HOST }),
  })
  if (found.found) return { kind: 'ready', facts: found.facts }
  const tried = found.tried.map(({ what, why }) => `${what}: ${why}`).join('; ')
  return { kind: 'missing', detail: `${tried}. ${found.remedy}` }
}

export type FindBrowser = () => Promise<FoundBrowser>

/** Looks for a browser until there is one; asked again at most once a minute. */
export function browserFinder(config: Config): FindBrowser {
  let asked = 0
  let answer: Promise<FoundBrowser> | null = null
  return async () => {
    const known = await answer
    if (!answer || (known?.kind === 'missing' && performance.now() - asked > retryMs)) {
      asked = performance.now()
      answer = look(config)
    }
    return answer
  }
}
