import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provesAbsence } from '../../packages/contract/src/monitor/page/proof/model.ts'
import {
  computeContainment,
  findRepeatedPages,
  hasWall,
  isUnlikeLastTime,
} from '../../packages/contract/src/monitor/page/wall/model.ts'
import type { PageNotice } from '../../packages/contract/src/monitor/page/schema.ts'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { scan } from '../../packages/engine/src/scan.ts'

type Completed = Extract<PageOutcome, { kind: 'completed' }>
export type VisitedPage = {
  path: string
  outcome: PageOutcome
  /** All notices, with those of the comparison with other pages and with the previous run. */
  notices: PageNotice[]
  /** Share of the words of the previous visit; null without one. */
  retained: number | null
}
export type Visit = Map<string, VisitedPage>

const browser = await findBrowser({
  setting: process.env.CLEARWAY_BROWSER ?? null,
  cacheFolder: join(tmpdir(), 'clearway-bench'),
  sandbox: false,
})
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: 2 })
export const closeBrowser = () => pool.close()

export const isCompleted = (page: VisitedPage | undefined): page is VisitedPage & { outcome: Completed } =>
  page?.outcome.kind === 'completed'
export const isWalled = (page: VisitedPage): boolean => isCompleted(page) && hasWall(page.notices)
export const isProving = (page: VisitedPage, elementKey: string): boolean =>
  isCompleted(page) && provesAbsence(page.notices, elementKey)

/**
 * Visits pages as a run does, and compares them like the server at its end: with each other, and with the previous run.
 * Every page is a start page, so that each is tested for standing in for its whole site.
 */
export async function visitPages(origin: string, paths: readonly string[], previousVisit: Visit | null): Promise<Visit> {
  const visit: Visit = new Map()
  const frontier = openMemoryFrontier({
    pageLimit: paths.length,
    onRecorded: ({ url }, outcome) => {
      const path = url.slice(origin.length)
      const previous = previousVisit?.get(path)
      const evidence = outcome.kind === 'completed' ? outcome.evidence : undefined
      const lastEvidence = isCompleted(previous) && !isWalled(previous) ? previous.outcome.evidence : undefined
      const isUnlike = evidence && lastEvidence && isUnlikeLastTime(evidence, lastEvidence)
      visit.set(path, {
        path,
        outcome,
        notices: [...(outcome.kind === 'completed' ? outcome.notices : []), ...(isUnlike ? (['unlike-last-time'] as const) : [])],
        retained: evidence && lastEvidence ? computeContainment(lastEvidence.words, evidence.words) : null,
      })
    },
  })
  const plan = {
    urls: paths.map((path) => origin + path),
    domains: [new URL(origin).host],
    depth: 0,
    pageLimit: paths.length,
    ruleSet: defaultRuleSet,
    advanced: AdvancedSettings.parse({ savePictures: false, savePageContent: false, closeBanners: true, pagesAtOnce: 2 }),
    allowPrivate: ['all'],
    concurrency: 2,
  }
  await scan({ pool, frontier }, plan, new AbortController().signal)
  markRepeated(visit, previousVisit)
  return visit
}

function markRepeated(visit: Visit, previousVisit: Visit | null): void {
  const repeatablePages = [...visit.values()].filter(isCompleted).flatMap((page) => {
    const { evidence } = page.outcome
    return evidence
      ? [{ page, url: `https://site.test${page.path}`, textHash: evidence.textHash, textLength: evidence.textLength }]
      : []
  })
  for (const { page, textHash } of findRepeatedPages(repeatablePages, repeatablePages.length)) {
    const previous = previousVisit?.get(page.path)
    if (isCompleted(previous) && !isWalled(previous) && previous.outcome.evidence?.textHash === textHash) continue
    page.notices.push('same-as-other-pages')
  }
}
