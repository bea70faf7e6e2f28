import { computeScore, healths, healthScores } from '../../page/model.ts'
import type { Health } from '../../page/schema.ts'
import type { ScoreSample } from './schema.ts'

type PagesByHealth = Readonly<Record<Health, number>>

/** Fewer random pages tell nothing of the others. */
const minSamplePages = 5

const countPages = (pages: PagesByHealth): number => healths.reduce((count, health) => count + pages[health], 0)

/** Variance of the score of a page, above zero even for equal pages: they do not prove that all others are equal. */
function computeVariance(pages: PagesByHealth): number {
  const count = countPages(pages)
  const mean = healths.reduce((sum, health) => sum + pages[health] * healthScores[health], 0) / count
  const squares = healths.reduce((sum, health) => sum + pages[health] * (healthScores[health] - mean) ** 2, 0)
  const unseenShare = 1 / (count + 2)
  return Math.max(squares / Math.max(1, count - 1), unseenShare * (1 - unseenShare))
}

/** Quantile of Student's distribution for a range of 90 %, rounded up. */
const getQuantile = (freedom: number): number => 1.645 + 1.9 / freedom

const roundUp = (share: number): number => Math.min(1, Math.ceil(share * 10_000) / 10_000)

/**
 * Estimates how far the score of a limited run may be from that of the whole site. The random pages stand for those that were left out:
 * the error is their distance from the score of the run, and the error of their own mean, as far as pages were left out.
 * @param pages tested pages of the run by health
 * @param sample the random ones of them; null for a run without
 * @param leftOutCount known URLs that the page limit left out
 * @returns null if nothing was left out, and for too few random pages
 */
export function estimateScoreError(pages: PagesByHealth, sample: PagesByHealth | null, leftOutCount: number): ScoreSample | null {
  if (sample === null || leftOutCount === 0 || countPages(sample) < minSamplePages) return null
  const chosen = Object.fromEntries(
    healths.map((health) => [health, Math.max(0, pages[health] - sample[health])]),
  ) as PagesByHealth
  const [score, sampleScore, chosenScore] = [pages, sample, chosen].map(computeScore)
  if (score == null || sampleScore == null || chosenScore == null) return null
  const [count, sampleCount] = [countPages(pages), countPages(sample)]
  const variance = Math.max(computeVariance(pages), computeVariance(sample))
  const sampleError = getQuantile(sampleCount - 1) * Math.sqrt(variance / sampleCount)
  const leftOutShare = leftOutCount / (leftOutCount + count)
  const error = roundUp(leftOutShare * (Math.abs(sampleScore - score) + sampleError))
  return { pages: sampleCount, score: sampleScore, chosenScore, error }
}
