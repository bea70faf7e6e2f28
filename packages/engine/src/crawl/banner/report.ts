import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { BannerClick, BannerReport, BannerSettings, FoundButton } from './close-banners.ts'

const effectVerbs: Readonly<Record<FoundButton['effect'], string>> = {
  named: 'named by the scan',
  refuse: 'refuses',
  dismiss: 'dismisses',
  save: 'saves without consent',
  open: 'opens the settings',
  accept: 'accepts',
}
const clickResults: Readonly<Record<BannerClick['effect'], string>> = {
  closed: '',
  changed: '',
  navigated: ', and the page moved on',
  none: ', without any effect',
}

const nameBanner = ({ manager }: FoundButton): string => (manager === null ? 'Banner' : `Banner of ${manager}`)
const nameButton = ({ text, selector }: FoundButton): string => (text === '' ? `the button ${selector ?? ''}` : `“${text}”`)

const describeClick = ({ button, effect }: BannerClick): string =>
  `${nameBanner(button)}: clicked ${nameButton(button)} (${effectVerbs[button.effect]})${clickResults[effect]}`

/** Returns the button for each banner that still asks for a choice. */
function listOpenBanners({ remaining }: BannerReport): FoundButton[] {
  const openBanners = new Map<string, FoundButton>()
  for (const button of remaining) {
    const bannerKey = `${button.document.frameId} ${button.container}`
    if (button.effect !== 'named' && button.hasChoice && !openBanners.has(bannerKey)) openBanners.set(bannerKey, button)
  }
  return [...openBanners.values()]
}

/** Describes what was done to the banners of a page, one line each, in English. */
export function describeBanners(report: BannerReport, settings: BannerSettings, hasMatched: readonly boolean[]): string[] {
  const openBanners = listOpenBanners(report).map((button) => {
    const choices = report.remaining.filter(({ effect, container }) => effect === 'accept' && container === button.container)
    const accepts = choices.length === 0 ? '' : `; ${choices.map(nameButton).join(', ')} would accept`
    return `${nameBanner(button)}: still open, nothing that refuses closed it${settings.acceptBanners ? '' : accepts}`
  })
  const missingSelectors = settings.bannerSelectors.filter((_, index) => !hasMatched[index])
  return [
    ...report.clicks.map(describeClick),
    ...openBanners,
    ...missingSelectors.map((selector) => `No visible button matches ${selector}`),
  ]
}

/** Returns the notices of a page whose banners stayed, or on which no button of the scan's own was found. */
export const listBannerNotices = (
  report: BannerReport,
  settings: BannerSettings,
  hasMatched: readonly boolean[],
): PageNotice[] => [
  ...(listOpenBanners(report).length > 0 ? (['banner-not-closed'] as const) : []),
  ...(settings.bannerSelectors.some((_, index) => !hasMatched[index]) ? (['banner-button-not-found'] as const) : []),
]
