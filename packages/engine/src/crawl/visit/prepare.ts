import type { KeywordRules } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import { sleep } from '../../browser/deadline.ts'
import type { Tab } from '../../browser/tab.ts'
import { callInWorld, openWorld } from '../../browser/world.ts'
import { closeInPage, findInPage, scrollInPage, textInPage } from './prepare-in-page.ts'

/** Buttons of the usual cookie banners, those that refuse before those that accept. */
const bannerButtons: readonly string[] = [
  '#onetrust-reject-all-handler',
  '#onetrust-accept-btn-handler',
  '#CybotCookiebotDialogBodyButtonDecline',
  '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll',
  '[data-testid="uc-deny-all-button"]',
  '[data-testid="uc-accept-all-button"]',
  '#didomi-notice-disagree-button',
  '#didomi-notice-agree-button',
  '.qc-cmp2-summary-buttons button[mode="secondary"]',
  '#truste-consent-required',
  '#truste-consent-button',
  '.klaro .cm-btn-decline',
  '.klaro .cm-btn-success',
  '.cc-window .cc-deny',
  '.cc-window .cc-dismiss',
  '._brlbs-refuse-btn a, .brlbs-btn-accept-only-essential',
  '.cmplz-cookiebanner .cmplz-deny',
  '.iubenda-cs-reject-btn',
  '.iubenda-cs-accept-btn',
  '#tarteaucitronAllDenied2',
  '.osano-cm-denyAll',
  '.fc-consent-root .fc-cta-do-not-consent',
]

const watchMs = 2000
const mostText = 2_000_000

const source = (find: string) => `const find = ${find};`

async function inPage<T>(tab: Tab, expression: string, ms: number): Promise<T | null> {
  const world = await openWorld(tab.cdp, tab.mainFrameId, 'watch', watchMs)
  const answer = world ? await callInWorld<T>(world, expression, ms) : null
  return answer?.kind === 'value' ? answer.value : null
}

/**
 * Brings a page into the state in which it is tested: banner closed, lazy content scrolled in, as far as the scan asks.
 * Answers whether anything was done, so that the page has to come to rest again. Never fails the page.
 */
export async function prepare(tab: Tab, settings: AdvancedSettings, ms: number): Promise<boolean> {
  let acted = false
  const buttons = [...settings.bannerSelectors, ...(settings.closeBanners ? bannerButtons : [])]
  if (buttons.length > 0) {
    const program = `(() => { ${source(findInPage.toString())} return (${closeInPage.toString()})(find, ${JSON.stringify(buttons)}) })()`
    acted = (await inPage<boolean>(tab, program, watchMs)) ?? false
  }
  if (settings.scrollPages) {
    const most = Math.max(0, Math.min(ms, 10_000))
    await inPage(tab, `(${scrollInPage.toString()})(${most})`, most + 1000)
    acted = true
  }
  return acted
}

const pollMs = 150
/** What came of a wait for elements: whether they are there, and whether they came while somebody waited. */
export type Awaited = { there: boolean; waited: boolean }

/** Waits until every selector names an element of the page, `ms` at the most. */
export async function awaitElements(tab: Tab, selectors: readonly string[], ms: number): Promise<Awaited> {
  const program = `(() => { ${source(findInPage.toString())} return ${JSON.stringify(selectors)}.every((one) => find(one) !== null) })()`
  const end = performance.now() + ms
  for (let waited = false; selectors.length > 0; waited = true) {
    if ((await inPage<boolean>(tab, program, watchMs)) === true) return { there: true, waited }
    const rest = end - performance.now()
    if (rest <= 0) return { there: false, waited: true }
    await sleep(Math.min(pollMs, rest))
  }
  return { there: true, waited: false }
}

/** Which keyword rule leaves a page out, in English; null when none does. @param text lower case, with the URL */
function keywordReason(rules: KeywordRules, text: string): string | null {
  const has = (word: string) => text.includes(word.toLowerCase())
  const forbidden = rules.mustNotHaveAny.find(has)
  if (forbidden !== undefined) return `It has “${forbidden}”`
  const missing = rules.mustHaveAll.find((word) => !has(word))
  if (missing !== undefined) return `It has no “${missing}”`
  if (rules.mustHaveAny.length > 0 && !rules.mustHaveAny.some(has))
    return `It has none of ${rules.mustHaveAny.map((word) => `“${word}”`).join(', ')}`
  return null
}

/** Judges the page that a tab shows by the keyword rules; null when it stays in. */
export async function judgeKeywords(tab: Tab, url: string, rules: KeywordRules): Promise<string | null> {
  const { mustHaveAll, mustHaveAny, mustNotHaveAny } = rules
  if (mustHaveAll.length + mustHaveAny.length + mustNotHaveAny.length === 0) return null
  const text = await inPage<string>(tab, `(${textInPage.toString()})(${mostText})`, 5000)
  return keywordReason(rules, `${url.toLowerCase()}\n${text ?? ''}`)
}

/** Whether the page that a tab shows is seen signed in; null when it does not answer. */
export async function isSignedIn(tab: Tab, mark: SignInMark): Promise<boolean | null> {
  const value = JSON.stringify(mark.value)
  const programs: Record<SignInMark['kind'], string> = {
    url: `location.href.includes(${value})`,
    selector: `(${findInPage.toString()})(${value}) !== null`,
    text: `(${textInPage.toString()})(${mostText}).includes(${value}.toLowerCase())`,
  }
  const seen = await inPage<boolean>(tab, programs[mark.kind], 5000)
  return seen === null ? null : seen === (mark.means === 'signed-in')
}
