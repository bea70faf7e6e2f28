/** The banners of one run in this process: each is tested once, as it arrives. */
export type BannerLog = {
  /** Returns true for the first page that shows the banner. */
  claim(key: string): boolean
  /** Lets another page test the banner. */
  release(key: string): void
  /** True for each of the scan's own selectors that matched a button on any page. */
  hasNamed: boolean[]
}

export function openBannerLog(): BannerLog {
  const claimedKeys = new Set<string>()
  return {
    claim(key) {
      if (claimedKeys.has(key)) return false
      claimedKeys.add(key)
      return true
    },
    release: (key) => void claimedKeys.delete(key),
    hasNamed: [],
  }
}
