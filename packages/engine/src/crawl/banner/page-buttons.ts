import type { BrowserPool } from '../../browser/pool.ts'
import type { Tab } from '../../browser/tab.ts'
import { openSecrets, redactDeep } from '../../script/secret.ts'
import type { SignInView } from '../../session/sign-in-state.ts'
import { listPasswords, viewStartPage } from '../../session/start-page.ts'
import { findPlanProblem } from '../../settings-check.ts'
import type { ScanPlan } from '../../settings.ts'
import { findBannersInPage, type BannerQuery } from './banner-in-page.ts'
import { listButtonsInPage, type ButtonSighting } from './buttons-in-page.ts'
import { evaluateWithRoots, openPageDocuments, type PageDocument } from './frames.ts'

/** A button of a page. `box`: null in a frame, whose place in the picture is not known. */
export type PageButton = { selector: string; text: string; box: ButtonSighting['box'] | null }

/** The first start page as it arrives, with its buttons. */
export type PageButtons = { kind: 'seen'; page: SignInView; buttons: PageButton[] } | { kind: 'problem'; detail: string }

const maxButtons = 100

/** Returns those of some selectors that match a visible element of a document. */
async function findMatching(tab: Tab, document: PageDocument, selectors: readonly string[]): Promise<Set<string>> {
  const query: BannerQuery = { named: selectors, managers: [], words: null, isWhole: false, maxButtons: selectors.length }
  const sighting = await evaluateWithRoots(tab, document, findBannersInPage, query)
  return new Set(selectors.filter((_, index) => sighting?.hasNamed[index]))
}

/** Lists the buttons of all documents, each with a selector that matches nothing in the others. */
async function listTabButtons(tab: Tab): Promise<PageButton[]> {
  const { documents, close } = await openPageDocuments(tab)
  const buttons: PageButton[] = []
  for (const document of documents) {
    const sightings = (await evaluateWithRoots(tab, document, listButtonsInPage, maxButtons)) ?? []
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
  const visitorPlan = { ...plan, session: connection && { connection, script: null, mark: null } }
  const startPage = await viewStartPage(pool, visitorPlan, startUrl, listTabButtons)
  if (!('view' in startPage)) return { kind: 'problem', detail: startPage.failure }
  const { view, content, failure } = startPage
  if (content === null) return { kind: 'problem', detail: failure ?? 'The start page is no document' }
  return redactDeep(openSecrets([], listPasswords(visitorPlan)), { kind: 'seen', page: view, buttons: content })
}
