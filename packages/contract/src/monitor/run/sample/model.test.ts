import { expect, it } from 'vitest'
import { countByHealth as count, healthScores } from '../../page/model.ts'
import type { Health } from '../../page/schema.ts'
import { estimateScoreError } from './model.ts'

const repeat = (number: number, health: Health) => Array.from({ length: number }, () => health)

it('says nothing without random pages, with few of them, and if nothing was left out', () => {
  const pages = count(repeat(100, 'good'))
  expect(estimateScoreError(pages, null, 900)).toBeNull()
  expect(estimateScoreError(pages, count(repeat(4, 'good')), 900)).toBeNull()
  expect(estimateScoreError(pages, count(repeat(10, 'good')), 0)).toBeNull()
  expect(estimateScoreError(count(repeat(10, 'good')), count(repeat(10, 'good')), 900)).toBeNull()
})

it('grows with the distance of the random pages, with few of them, and with what was left out', () => {
  const pages = count([...repeat(75, 'good'), ...repeat(25, 'critical')])
  const alike = count([...repeat(8, 'good'), ...repeat(2, 'critical')])
  const worse = count([...repeat(2, 'good'), ...repeat(8, 'critical')])
  const error = estimateScoreError(pages, alike, 900)!.error
  expect(estimateScoreError(pages, worse, 900)).toMatchObject({ pages: 10, score: 0.2, chosenScore: 0.8111 })
  expect(estimateScoreError(pages, worse, 900)!.error).toBeGreaterThan(error + 0.3)
  expect(estimateScoreError(pages, count([...repeat(4, 'good'), ...repeat(1, 'critical')]), 900)!.error).toBeGreaterThan(error)
  expect(estimateScoreError(pages, alike, 25)!.error).toBeLessThan(error / 3)
  // A hundred pages without an issue do not prove the same of a thousand.
  expect(estimateScoreError(count(repeat(100, 'good')), count(repeat(10, 'good')), 900)!.error).toBeGreaterThan(0.03)
})

/** Numbers between 0 and 1, the same in each run of the test. */
function openRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

it.each([0, 0.3, 0.6])(
  'holds the score of the whole site in nine of ten cases, with a preference of %d for good pages',
  (bias) => {
    const random = openRandom(7)
    let holdCount = 0
    for (let round = 0; round < 400; round++) {
      const badShare = random()
      const site = Array.from({ length: 1000 }, (): Health =>
        random() < badShare ? (random() < 0.5 ? 'critical' : 'serious') : 'good',
      )
      const isChosen = (health: Health) => random() > bias || health === 'good'
      const chosen = site.filter(isChosen).slice(0, 90)
      const others = site.slice(500).map((health) => ({ health, place: random() }))
      const sample = others
        .toSorted((first, second) => first.place - second.place)
        .slice(0, 10)
        .map(({ health }) => health)
      const estimate = estimateScoreError(count([...chosen, ...sample]), count(sample), 900)!
      const getMean = (pages: readonly Health[]) => pages.reduce((sum, health) => sum + healthScores[health], 0) / pages.length
      if (Math.abs(getMean([...chosen, ...sample]) - getMean(site)) <= estimate.error) holdCount += 1
    }
    expect(holdCount / 400).toBeGreaterThanOrEqual(0.9)
  },
)
