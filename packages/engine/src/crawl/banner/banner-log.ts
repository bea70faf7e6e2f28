/** Number of clicks in vain after which a button is expected to stay. */
const maxVainClicks = 2

/** The banners of one run in this process: each is tested once, as it arrives. */
export type BannerLog = {
  /** Returns true for the first page that shows the banner. */
  claim(key: string): boolean
  /** Lets another page test the banner. */
  release(key: string): void
  /** True for each of the scan's own selectors that matched a button on any page. */
  hasNamed: boolean[]
  /** Records whether a click on a button had an effect. */
  noteClick(buttonKey: string, hasEffect: boolean): void
  /** Returns true for a button whose last clicks were all in vain, so that a long wait for an effect is not worth its time. */
  isStubborn(buttonKey: string): boolean
}

export function openBannerLog(): BannerLog {
  const claimedKeys = new Set<string>()
  const vainClicks = new Map<string, number>()
  return {
    claim(key) {
      if (claimedKeys.has(key)) return false
      claimedKeys.add(key)
      return true
    },
    release: (key) => void claimedKeys.delete(key),
    hasNamed: [],
    noteClick(buttonKey, hasEffect) {
      if (hasEffect) vainClicks.delete(buttonKey)
      // Bounded: a page may give its button a new name on every visit.
      else if (vainClicks.has(buttonKey) || vainClicks.size < 1000)
        vainClicks.set(buttonKey, (vainClicks.get(buttonKey) ?? 0) + 1)
    },
    isStubborn: (buttonKey) => (vainClicks.get(buttonKey) ?? 0) >= maxVainClicks,
  }
}
