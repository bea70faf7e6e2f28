/** Walls of one run in this process. */
export type WallLog = {
  /** Number of marked challenges in a row that did not solve themselves, and of redirects behind which nothing was opened. */
  unsolvedChallenges: number
  /** Number of pages in a row that might have been challenges, and were waited for in vain. */
  vainWaits: number
  unopenedRedirects: number
  /** Origins that do not show a page for an address that cannot exist. */
  exactOrigins: Set<string>
}
export const openWallLog = (): WallLog => ({
  unsolvedChallenges: 0,
  vainWaits: 0,
  unopenedRedirects: 0,
  exactOrigins: new Set(),
})
