import { parseArgs } from 'node:util'
import { runTrials } from '../../fixtures/identity/trial.ts'
import { chromium } from 'playwright-core'
import { matchIssues } from '../../packages/contract/src/monitor/issue/match/model.ts'
import { executablePath } from './scan.ts'

/**
 * Checks that an issue keeps its identity, and no decision lands on another element, when a page made of components changes:
 * items and components are inserted, removed, reordered and wrapped, ids shift, class names get new hashes.
 *
 *   npm run -s identity:edits -- --edits 2000 --seed 1 [--show]
 */
const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
  },
})
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const seeds = Array.from({ length: Number(values.edits) }, (_, index) => Number(values.seed) * 1_000_000 + index)
const startedAt = performance.now()
const tallies = await runTrials(await browser.newPage(), seeds, matchIssues, (text) => values.show && console.log(text))
await browser.close()
const toPercent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`
console.table(
  Object.fromEntries(
    [...tallies].map(([name, tally]) => [
      name,
      {
        ...tally,
        'new or fixed': toPercent(tally.lost, tally.issues),
        'asked again': toPercent(tally.askedAgain, tally.decided),
      },
    ]),
  ),
)
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
const all = tallies.get('all')!
if (all.moved > 0 || all.lost > 0.01 * all.issues) process.exitCode = 1
