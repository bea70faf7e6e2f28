import type { BrowserPool } from '../../browser/pool.ts'
import type { Tab } from '../../browser/tab.ts'
import { openScanContext } from '../../scan-open.ts'
import { takeRedactedScreenshot } from '../../script/screenshot.ts'
import { openSecrets, redactDeep } from '../../script/secret.ts'
import { readPageFacts } from '../../session/proof.ts'
import type { SignInView } from '../../session/sign-in-state.ts'
import { listPasswords } from '../../session/try-sign-in.ts'
import { findPlanProblem } from '../../settings-check.ts'
import type { ScanPlan } from '../../settings.ts'
import { openMemoryFrontier } from '../memory-frontier.ts'
import { maxSettleMs } from '../settle/limits.ts'
import { waitUntilIdle } from '../settle/settle.ts'
import { arriveAtUrl } from '../visit/arrive.ts'
import { findBannersInPage, type BannerQuery, type BannerSighting } from './banner-in-page.ts'
import { listButtonsInPage, type ButtonSighting } from './buttons-in-page.ts'
import { evaluateInDocument, openPageDocuments, type PageDocument } from './frames.ts'

/** A button of a page. `box`: null in a frame, whose place in the picture is not known. */
export type PageButton = { selector: string; text: string; box: ButtonSighting['box'] | null }

/** The first start page as it arrives, with its buttons. */
export type PageButtons = { kind: 'seen'; page: SignInView; buttons: PageButton[] } | { kind: 'problem'; detail: string }

const maxStartMs = 30_000
const maxButtons = 100

/** Returns those of some selectors that match a visible element of a document. */
async function findMatching(tab: Tab, document: PageDocument, selectors: readonly string[]): Promise<Set<string>> {
  const query: BannerQuery = { named: selectors, managers: [], words: null, isWhole: false, maxButtons: selectors.length }
  const expression = `${tab.reveal}(${findBannersInPage.toString()})(${JSON.stringify(query)})`
  const sighting = await evaluateInDocument<BannerSighting>(document, expression)
  return new Set(selectors.filter((_, index) => sighting?.hasNamed[index]))
}

/** Lists the buttons of all documents, each with a selector that matches nothing in the others. */
async function listTabButtons(tab: Tab): Promise<PageButton[]> {
  const { documents, close } = await openPageDocuments(tab)
  const expression = `${tab.reveal}(${listButtonsInPage.toString()})(${maxButtons})`
  const buttons: PageButton[] = []
  for (const document of documents) {
    const sightings = (await evaluateInDocument<ButtonSighting[]>(document, expression)) ?? []
    const selectors = sightings.flatMap((sighting) => sighting.selectors)
    const otherDocuments = documents.filter((other) => other !== document)
    const matches = await Promise.all(otherDocuments.map((other) => findMatching(tab, other, selectors)))
    for (const { selectors: ownSelectors, text, box } of sightings) {
      const selector = ownSelectors.find((one) => !matches.some((matching) => matching.has(one)))
      if (selector !== undefined) buttons.push({ selector, text, box: document.isMain ? box : null })
    }
  }
  close()
  return buttons.slice(0, maxButtons)
}

/**
 * Opens the first start page without signing in by form or script, and lists what a person could click on it: to choose the
 * button that closes a banner. Clicks nothing.
 */
export async function listPageButtons({ pool }: { pool: BrowserPool }, plan: ScanPlan): Promise<PageButtons> {
  const planProblem = findPlanProblem(plan)
  const [startUrl] = plan.urls
  if (planProblem !== null || startUrl === undefined) return { kind: 'problem', detail: planProblem ?? 'There is no start URL' }
  // A server that refuses visitors shows no page: its user name and password are sent, and nothing else.
  const { connection = null } = plan.session ?? {}
  const session = connection && { connection, script: null, mark: null }
  const secretValues = listPasswords({ ...plan, session })
  const frontier = openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined })
  const openedScan = await openScanContext({ pool, frontier }, { ...plan, session })
  if (openedScan.kind === 'problem') return { kind: 'problem', detail: openedScan.detail }
  try {
    const { context, guard } = openedScan
    const browsing = await context.sessions.getBrowsing(URL.parse(startUrl))
    if (browsing.kind === 'failed') return { kind: 'problem', detail: browsing.detail }
    const lease = await context.pool.lease(browsing.browsing)
    const { tab } = lease
    try {
      const arrival = await arriveAtUrl(tab, guard, startUrl, maxStartMs, plan.advanced.referrer)
      if (arrival.kind !== 'document') return { kind: 'problem', detail: arrival.detail ?? 'The start page is no document' }
      await waitUntilIdle(tab, { capMs: maxSettleMs.step })
      const buttons = await listTabButtons(tab)
      const facts = await readPageFacts(tab)
      const screenshot = await takeRedactedScreenshot(tab, secretValues)
      const page = { url: facts?.url ?? startUrl, title: facts?.title ?? '', status: arrival.status, screenshot }
      return redactDeep(openSecrets([], secretValues), { kind: 'seen', page, buttons })
    } finally {
      await lease.releaseTab(false)
    }
  } finally {
    await openedScan.close()
  }
}
