import type { KeywordRules } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { toComparablePattern, toComparableUrl, toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import type { SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import { sleep } from '../../browser/deadline.ts'
import type { Tab } from '../../browser/tab.ts'
import { callInWorld, openWorld } from '../../browser/isolated-world.ts'
import { openPressGuard } from '../action/press-guard.ts'
import { analyzeBanners } from '../banner/analyze-banner.ts'
import { closeBanners } from '../banner/close-banners.ts'
import { describeBanners, listBannerNotices } from '../banner/report.ts'
import { getRemainingMs, type VisitContext } from './context.ts'
import { pressMoreInPage } from './load-more-in-page.ts'
import { findInPage, scrollInPage, textInPage } from './prepare-in-page.ts'

const callTimeoutMs = 2000
const maxTextCharacters = 2_000_000

const buildFindSource = (findSource: string) => `const find = ${findSource};`

async function evaluateInPage<T>(tab: Tab, expression: string, timeoutMs: number): Promise<T | null> {
  const watchWorld = await openWorld(tab.cdp, tab.mainFrameId, 'watch', callTimeoutMs)
  const callResult = watchWorld ? await callInWorld<T>(watchWorld, expression, timeoutMs) : null
  return callResult?.kind === 'value' ? callResult.value : null
}

const maxBannerMs = 15_000

/** Closes the banners of a page. Returns true if something was clicked. */
async function prepareBanners(context: VisitContext): Promise<boolean> {
  const { tab, deps, preparation } = context
  const settings = deps.plan.advanced
  if (!settings.closeBanners && settings.bannerSelectors.length === 0) return false
  const bannerReport = await closeBanners(tab, settings, {
    // A script may open a dialog to test it.
    byWords: context.isReusable === true,
    isWholePage: false,
    maxMs: Math.min(maxBannerMs, getRemainingMs(context, Infinity) / 3),
    log: deps.banners,
    onBanners: async (buttons) => {
      if (context.isReusable && settings.closeBanners) preparation.states.push(...(await analyzeBanners(context, buttons)))
    },
  })
  // A banner that was closed on one page is not on the next one.
  bannerReport.hasNamed.forEach((isFound, index) => (deps.banners.hasNamed[index] ||= isFound))
  const { hasNamed } = deps.banners
  preparation.details.push(...describeBanners(bannerReport, settings, hasNamed))
  preparation.notices.push(...listBannerNotices(bannerReport, settings, hasNamed))
  return bannerReport.clicks.length > 0
}

/** Opens a wall: a whole page that asks for a choice. Returns true if a click had an effect. */
export async function openWallByBanner(context: VisitContext): Promise<boolean> {
  const { tab, deps, preparation } = context
  const settings = deps.plan.advanced
  const bannerReport = await closeBanners(tab, settings, {
    byWords: true,
    isWholePage: true,
    maxMs: Math.min(maxBannerMs, getRemainingMs(context, Infinity) / 3),
    log: deps.banners,
    onBanners: async (buttons) => {
      if (deps.analyze && settings.closeBanners) preparation.states.push(...(await analyzeBanners(context, buttons)))
    },
  })
  bannerReport.hasNamed.forEach((isFound, index) => (deps.banners.hasNamed[index] ||= isFound))
  preparation.wallDetails.push(...describeBanners({ ...bannerReport, remaining: [] }, { ...settings, bannerSelectors: [] }, []))
  return bannerReport.clicks.some(({ effect }) => effect !== 'none')
}

const maxPresses = 5
const maxPressMs = 15_000

/** Presses the buttons that load more, under a guard. Returns true if one was pressed; presses nothing without the guard. */
async function loadMore(context: VisitContext): Promise<boolean> {
  const pressMs = Math.max(0, Math.min(getRemainingMs(context, Infinity) / 3, maxPressMs))
  const guard = await openPressGuard(context.tab)
  if (!guard) return false
  try {
    if (!(await guard.arm())) return false
    const expression = `(${pressMoreInPage.toString()})(${maxPresses}, ${pressMs})`
    return ((await evaluateInPage<number>(context.tab, expression, pressMs + 3000)) ?? 0) > 0
  } finally {
    await guard.disarm()
    await guard.close()
  }
}

/**
 * Prepares a page for its test according to the settings: closes banners, scrolls and presses to load more. Returns true if
 * the page was changed, so that it must become idle again. Never fails the page.
 */
export async function preparePage(context: VisitContext): Promise<boolean> {
  let wasChanged = await prepareBanners(context)
  if (context.deps.plan.advanced.scrollPages) {
    const scrollMs = Math.max(0, Math.min(getRemainingMs(context, Infinity) / 3, 10_000))
    await evaluateInPage(context.tab, `(${scrollInPage.toString()})(${scrollMs})`, scrollMs + 1000)
    wasChanged = true
  }
  if (context.deps.plan.advanced.loadMore && (await loadMore(context))) wasChanged = true
  return wasChanged
}

const pollIntervalMs = 150
/** Result of waiting for elements: whether all are present, and whether a wait was necessary. */
export type AwaitedElements = { arePresent: boolean; hasWaited: boolean }

/** Waits until every selector matches an element, for at most `maxWaitMs`. */
export async function awaitElements(tab: Tab, selectors: readonly string[], maxWaitMs: number): Promise<AwaitedElements> {
  const existsExpression = `(() => { ${buildFindSource(findInPage.toString())} return ${JSON.stringify(selectors)}.every((one) => find(one) !== null) })()`
  const deadlineAt = performance.now() + maxWaitMs
  for (let hasWaited = false; selectors.length > 0; hasWaited = true) {
    if ((await evaluateInPage<boolean>(tab, existsExpression, callTimeoutMs)) === true) return { arePresent: true, hasWaited }
    const remainingMs = deadlineAt - performance.now()
    if (remainingMs <= 0) return { arePresent: false, hasWaited: true }
    await sleep(Math.min(pollIntervalMs, remainingMs))
  }
  return { arePresent: true, hasWaited: false }
}

/** Returns the keyword rule that excludes a page, in English; null if none does. @param pageText lower case, with the URL */
function findKeywordReason(rules: KeywordRules, pageText: string): string | null {
  const hasWord = (keyword: string) => pageText.includes(keyword.normalize('NFC').toLowerCase())
  const forbiddenWord = rules.mustNotHaveAny.find(hasWord)
  if (forbiddenWord !== undefined) return `It has “${forbiddenWord}”`
  const missingWord = rules.mustHaveAll.find((keyword) => !hasWord(keyword))
  if (missingWord !== undefined) return `It has no “${missingWord}”`
  if (rules.mustHaveAny.length > 0 && !rules.mustHaveAny.some(hasWord))
    return `It has none of ${rules.mustHaveAny.map((keyword) => `“${keyword}”`).join(', ')}`
  return null
}

/** Checks the tab's page against the keyword rules; null if it is accepted. */
export async function judgeKeywords(tab: Tab, url: string, rules: KeywordRules): Promise<string | null> {
  const { mustHaveAll, mustHaveAny, mustNotHaveAny } = rules
  if (mustHaveAll.length + mustHaveAny.length + mustNotHaveAny.length === 0) return null
  const pageText = await evaluateInPage<string>(tab, `(${textInPage.toString()})(${maxTextCharacters})`, 5000)
  // People write keywords as they read the URL; an encoded one may be copied.
  const searchedText = `${url}\n${toReadableUrl(url)}\n${pageText ?? ''}`
  return findKeywordReason(rules, searchedText.normalize('NFC').toLowerCase())
}

/** Returns true if the tab's page is signed in; null if it does not respond. */
export async function isSignedIn(tab: Tab, mark: SignInMark): Promise<boolean | null> {
  if (mark.kind === 'url') {
    const href = await evaluateInPage<string>(tab, 'location.href', 5000)
    const isAtMark = href?.includes(mark.value) || toComparableUrl(href ?? '').includes(toComparablePattern(mark.value))
    return href === null ? null : isAtMark === (mark.means === 'signed-in')
  }
  const markValue = JSON.stringify(mark.value)
  const markExpressions: Record<Exclude<SignInMark['kind'], 'url'>, string> = {
    selector: `(${findInPage.toString()})(${markValue}) !== null`,
    text: `(${textInPage.toString()})(${maxTextCharacters}).includes(${markValue}.toLowerCase())`,
  }
  const hasMark = await evaluateInPage<boolean>(tab, markExpressions[mark.kind], 5000)
  return hasMark === null ? null : hasMark === (mark.means === 'signed-in')
}
