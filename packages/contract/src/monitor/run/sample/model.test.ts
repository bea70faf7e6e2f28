import { expect, it } from 'vitest'
import { countByHealth as count, healthScores } from '../../page/model.ts'
import type { Health } from '../../page/schema.ts'
import { estimateScoreError, sumWeights } from './model.ts'

const repeat = (number: number, health: Health) => Array.from({ length: number }, () => health)
/** Weights of pages of which each stands for `weight` known ones. */
const weigh = (pages: readonly Health[], weight: number) => sumWeights(pages.map((health) => ({ health, weight })))

it('says nothing without random pages, with few of them, and if nothing was left out', () => {
  const pages = repeat(100, 'good')
  expect(estimateScoreError(count(pages), null, weigh(pages, 10))).toBeNull()
  expect(estimateScoreError(count(pages), count(repeat(4, 'good')), weigh(pages, 10))).toBeNull()
  expect(estimateScoreError(count(pages), count(repeat(10, 'good')), weigh(pages, 1))).toBeNull()
  expect(estimateScoreError(count(pages), count(repeat(10, 'good')), null)).toBeNull()
})

it('compares random pages with the others, and adds the distance of the weighted score', () => {
  const pages = [...repeat(50, 'good'), ...repeat(50, 'critical')]
  const sample = count([...repeat(2, 'good'), ...repeat(8, 'critical')])
  const readEstimate = (goodWeight: number) => {
    const weights = sumWeights(pages.map((health) => ({ health, weight: health === 'good' ? goodWeight : 3 })))
    return estimateScoreError(count(pages), sample, weights)!
  }
  expect(readEstimate(3)).toMatchObject({ pages: 10, score: 0.2, chosenScore: 0.5333 })
  // A site of three quarters of good pages.
  expect(readEstimate(9).error - readEstimate(3).error).toBeGreaterThan(0.2)
})

it('has an error that grows with what was left out and with few pages that stand for many', () => {
  const pages = [...repeat(75, 'good'), ...repeat(25, 'critical')]
  const sample = count([...repeat(8, 'good'), ...repeat(2, 'critical')])
  const readError = (weights: ReturnType<typeof weigh>) => estimateScoreError(count(pages), sample, weights)!.error
  expect(readError(weigh(pages, 1.1))).toBeLessThan(readError(weigh(pages, 10)) / 3)
  const few = sumWeights(pages.map((health, index) => ({ health, weight: index % 10 === 0 ? 91 : 1 })))
  expect(readError(few)).toBeGreaterThan(2 * readError(weigh(pages, 10)))
  // A hundred pages without an issue do not prove the same of a thousand.
  const good = repeat(100, 'good')
  expect(estimateScoreError(count(good), sample, weigh(good, 10))!.error).toBeGreaterThan(0.01)
})

/** Numbers between 0 and 1, the same in each run of the test. */
function openRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

it('holds the score of the whole site in nine of ten cases, for groups with scores of their own', () => {
  const random = openRandom(7)
  let holdCount = 0
  for (let round = 0; round < 400; round++) {
    const groups = [600, 300, 100].map((size) => {
      const badShare = random()
      const draw = (): Health => (random() < badShare ? (random() < 0.5 ? 'critical' : 'serious') : 'good')
      return Array.from({ length: size }, draw)
    })
    // The order prefers small groups.
    const tested = groups.map((pages) => pages.slice(0, 33))
    const weights = sumWeights(
      tested.flatMap((pages, index) => pages.map((health) => ({ health, weight: groups[index]!.length / pages.length }))),
    )
    const estimate = estimateScoreError(count(tested.flat()), count(tested[0]!.slice(0, 10)), weights)!
    const site = groups.flat()
    const siteScore = site.reduce((sum, health) => sum + healthScores[health], 0) / site.length
    const tests = tested.flat()
    const score = tests.reduce((sum, health) => sum + healthScores[health], 0) / tests.length
    if (Math.abs(score - siteScore) <= estimate.error) holdCount += 1
  }
  expect(holdCount / 400).toBeGreaterThanOrEqual(0.9)
})
