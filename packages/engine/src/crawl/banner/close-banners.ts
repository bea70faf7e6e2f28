import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { sleep } from '../../browser/deadline.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'
import {
  clickBannerInPage,
  findBannersInPage,
  isBannerGoneInPage,
  type BannerButton,
  type BannerQuery,
} from './banner-in-page.ts'
import type { BannerLog } from './banner-log.ts'
import { evaluateInDocument, evaluateWithRoots, openPageDocuments, type PageDocument } from './frames.ts'
import { consentManagers } from './managers.ts'
import { buttonWords, consentWords } from './words.ts'

/** Maximum number of clicks on one page: two banners with two layers each, and some without effect. */
const maxClicks = 8
const maxButtons = 200
/** Maximum wait until a click shows an effect. Banners fade out, or store the choice first. */
const effectWaitMs = 2000
/** Maximum wait for a button that opens a layer, or that had no effect on the pages before. */
const shortWaitMs = 500
const effectPollMs = 50

export type BannerSettings = Pick<AdvancedSettings, 'closeBanners' | 'acceptBanners' | 'bannerSelectors'>

/** A button in one of the documents of a page. `index`: its number there. */
export type FoundButton = BannerButton & { document: PageDocument; index: number }

/** A click on a banner. `effect`: what the page did then. */
export type BannerClick = {
  button: FoundButton
  effect: 'closed' | 'changed' | 'navigated' | 'none'
}

export type BannerReport = {
  clicks: BannerClick[]
  /** Buttons of banners that are still shown. */
  remaining: FoundButton[]
  /** True for each of the scan's own selectors that matched a button. */
  hasNamed: boolean[]
}

export type BannerOptions = {
  /** Recognize banners of unknown managers by their words. */
  byWords: boolean
  /** The page may be a banner as a whole. */
  isWholePage: boolean
  maxMs: number
  log: Pick<BannerLog, 'noteClick' | 'isStubborn'>
  /** Called before a click with the banners that are shown; not for second layers. */
  onBanners?: (buttons: readonly FoundButton[]) => Promise<void>
}

type Look = { buttons: FoundButton[]; hasNamed: boolean[] }

/** Finds the buttons of all banners on a page. */
async function lookForBanners(
  tab: Tab,
  settings: BannerSettings,
  options: BannerOptions,
): Promise<{ look: Look; close: () => void }> {
  const { documents, close } = await openPageDocuments(tab)
  const look: Look = { buttons: [], hasNamed: settings.bannerSelectors.map(() => false) }
  for (const document of documents) {
    const query: BannerQuery = {
      named: settings.bannerSelectors,
      managers: settings.closeBanners ? consentManagers : [],
      words: settings.closeBanners && options.byWords ? { buttons: buttonWords, consent: consentWords } : null,
      isWhole: options.isWholePage || !document.isMain,
      maxButtons,
    }
    const sighting = await evaluateWithRoots(tab, document, findBannersInPage, query)
    sighting?.hasNamed.forEach((isFound, index) => (look.hasNamed[index] ||= isFound))
    look.buttons.push(...(sighting?.buttons ?? []).map((button, index) => ({ ...button, document, index })))
  }
  return { look, close }
}

const getBannerKey = ({ document, container, manager }: FoundButton) => `${document.frameId} ${container} ${manager}`
/** Identifies a button on all pages of a site. */
const getSiteKey = ({ manager, effect, selector, text }: FoundButton) => [manager, effect, selector, text].join(' ').slice(0, 500)
const getButtonKey = (button: FoundButton) => `${getBannerKey(button)} ${button.effect} ${button.selector} ${button.text}`

/** Chooses the next click: the scan's own buttons, then what refuses. Returns null if nothing may be clicked. */
function chooseButton(
  buttons: readonly FoundButton[],
  settings: BannerSettings,
  triedKeys: ReadonlySet<string>,
  openedKeys: ReadonlySet<string>,
): FoundButton | null {
  const untriedButtons = buttons.filter((button) => !triedKeys.has(getButtonKey(button)))
  const findEffect = (effect: BannerButton['effect'], isAllowed: (button: FoundButton) => boolean = () => true) =>
    untriedButtons.find((button) => button.effect === effect && isAllowed(button))
  // Without a choice, it is the button that shows the settings again later.
  const isLayer = (button: FoundButton) => button.hasChoice || openedKeys.size > 0
  return (
    findEffect('named') ??
    findEffect('refuse') ??
    findEffect('save', (button) => button.isNeutral && isLayer(button)) ??
    findEffect('open', (button) => button.hasChoice) ??
    findEffect('dismiss', ({ manager }) => manager === null || openedKeys.size > 0) ??
    (settings.acceptBanners ? findEffect('accept', ({ hasChoice }) => hasChoice) : undefined) ??
    null
  )
}

/** A layer opened if the next look finds buttons that were not there, even if the first layer stays. */
function noteOpened(lastClick: BannerClick | undefined, buttons: readonly FoundButton[], knownKeys: Set<string>): void {
  if (lastClick?.effect === 'none' && buttons.some((button) => !knownKeys.has(getButtonKey(button)))) lastClick.effect = 'changed'
}

/** Clicks a button, and waits until it is gone, or the page navigates. */
async function clickButton(tab: Tab, { document, index }: FoundButton, maxWaitMs: number): Promise<BannerClick['effect']> {
  const documentBefore = await readCurrentDocument(tab)
  await evaluateInDocument(document, `(${clickBannerInPage.toString()})(${index})`)
  const waitUntil = performance.now() + maxWaitMs
  do {
    const isGone = await evaluateInDocument<boolean>(document, `(${isBannerGoneInPage.toString()})(${index})`)
    if (isGone) return 'closed'
    // The document is gone: the page or the frame navigated, or the frame was removed.
    if (isGone === null) return (await readCurrentDocument(tab))?.loaderId === documentBefore?.loaderId ? 'closed' : 'navigated'
    await sleep(effectPollMs)
  } while (performance.now() < waitUntil)
  return 'none'
}

/**
 * Closes the banners of a page, click by click, until none is left that may be clicked. A click counts by its effect: a
 * button that stays is not clicked again.
 */
export async function closeBanners(tab: Tab, settings: BannerSettings, options: BannerOptions): Promise<BannerReport> {
  const deadlineAt = performance.now() + options.maxMs
  const report: BannerReport = { clicks: [], remaining: [], hasNamed: settings.bannerSelectors.map(() => false) }
  const triedKeys = new Set<string>()
  const seenKeys = new Set<string>()
  const openedKeys = new Set<string>()
  for (;;) {
    const { look, close } = await lookForBanners(tab, settings, options)
    look.hasNamed.forEach((isFound, index) => (report.hasNamed[index] ||= isFound))
    report.remaining = look.buttons
    noteOpened(report.clicks.at(-1), look.buttons, seenKeys)
    for (const button of look.buttons) seenKeys.add(getButtonKey(button))
    const canContinue = report.clicks.length < maxClicks && performance.now() < deadlineAt
    const button = canContinue ? chooseButton(look.buttons, settings, triedKeys, openedKeys) : null
    if (!button) {
      close()
      return report
    }
    if (openedKeys.size === 0) await options.onBanners?.(look.buttons)
    triedKeys.add(getButtonKey(button))
    const siteKey = getSiteKey(button)
    const isShortWait = button.effect === 'open' || options.log.isStubborn(siteKey)
    const remainingMs = deadlineAt - performance.now()
    const effect = await clickButton(tab, button, Math.min(isShortWait ? shortWaitMs : effectWaitMs, remainingMs))
    close()
    if (button.effect !== 'open') options.log.noteClick(siteKey, effect !== 'none')
    report.clicks.push({ button, effect })
    if (button.effect === 'open') openedKeys.add(getBannerKey(button))
    // The wait for the new page is not up to the clicks.
    if (effect === 'navigated') return { ...report, remaining: [] }
  }
}
