import { computeScore, healths, healthScores } from '../../page/model.ts'
import type { Health } from '../../page/schema.ts'
import type { ScoreSample } from './schema.ts'

type PagesByHealth = Readonly<Record<Health, number>>

/** Sums over the pages of a score: how many known URLs each stands for, and the squares of those that were not tested. */
export type SiteWeights = { byHealth: PagesByHealth; squares: number }

/** Fewer random pages tell nothing of the others. */
const minSamplePages = 5

const countPages = (pages: PagesByHealth): number => healths.reduce((count, health) => count + pages[health], 0)

/** @param pages pages of a score with the number of known URLs that each stands for */
export function sumWeights(pages: readonly { health: Health; weight: number }[]): SiteWeights {
  const sumOf = (health: Health) => pages.reduce((sum, page) => (page.health === health ? sum + page.weight : sum), 0)
  return {
    byHealth: Object.fromEntries(healths.map((health) => [health, sumOf(health)])) as PagesByHealth,
    squares: pages.reduce((sum, { weight }) => sum + (weight - 1) ** 2, 0),
  }
}

/** Variance of the score of a page, above zero even for equal pages: they do not prove that all others are equal. */
function computeVariance(pages: PagesByHealth, score: number, pageCount: number): number {
  const squares = healths.reduce((sum, health) => sum + pages[health] * (healthScores[health] - score) ** 2, 0)
  const unseenShare = 1 / (pageCount + 2)
  return Math.max(squares / countPages(pages), unseenShare * (1 - unseenShare))
}

/** More than the 1.65 standard errors of a range of 90 %: some URLs of a site are not known. */
const errorRange = 2.3

const roundUp = (share: number): number => Math.min(1, Math.ceil(share * 10_000) / 10_000)

/**
 * Estimates how far the score of a limited run may be from that of the whole site: its distance from the score in which each page
 * stands for the known URLs that are most like it, and the error of that.
 * @param pages tested pages of the run by health
 * @param sample the random ones of them, which are compared with the others; null for a run without
 * @param weights of the same pages; null if nothing was left out
 * @returns null if nothing was left out, and for too few random pages
 */
export function estimateScoreError(
  pages: PagesByHealth,
  sample: PagesByHealth | null,
  weights: SiteWeights | null,
): ScoreSample | null {
  if (sample === null || weights === null || weights.squares === 0 || countPages(sample) < minSamplePages) return null
  const chosen = Object.fromEntries(
    healths.map((health) => [health, Math.max(0, pages[health] - sample[health])]),
  ) as PagesByHealth
  const [score, sampleScore, chosenScore, weightedScore] = [pages, sample, chosen, weights.byHealth].map(computeScore)
  if (score == null || sampleScore == null || chosenScore == null || weightedScore == null) return null
  const variance = computeVariance(weights.byHealth, weightedScore, countPages(pages))
  const standardError = Math.sqrt(variance * weights.squares) / countPages(weights.byHealth)
  const error = roundUp(Math.abs(weightedScore - score) + errorRange * standardError)
  return { pages: countPages(sample), score: sampleScore, chosenScore, error }
}
