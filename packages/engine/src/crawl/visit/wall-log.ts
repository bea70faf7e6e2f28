/** Walls of one run in this process. */
export type WallLog = {
  /** Number of challenges in a row that did not solve themselves, and of redirects behind which nothing was opened. */
  unsolvedChallenges: number
  unopenedRedirects: number
}
export const openWallLog = (): WallLog => ({ unsolvedChallenges: 0, unopenedRedirects: 0 })
