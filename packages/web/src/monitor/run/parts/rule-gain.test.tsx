import type { ScanId } from '@clearway/contract/kit/id.ts'
import { expect, it } from 'vitest'
import type { MonitorApi } from '../../user/model.ts'
import { RuleGainLine } from './rule-gain.tsx'
import { renderPart } from '../../../../test/show.tsx'

const completedRun = { number: 3, status: 'completed', pages: { completed: 40, failed: 0, notReached: 0 } }
const buildApi = (lastRun: object) =>
  ({
    readScan: async () => ({ lastRun, recentScores: [{ number: 3, score: 0.5 }] }),
    runViolations: async () => ({
      content: [
        { rule: 'button-name', scoreGain: 0.0351 },
        { rule: 'label', scoreGain: 0.011 },
        { rule: 'region', scoreGain: 0.004 },
      ],
    }),
  }) as unknown as MonitorApi

/** Reads the last lines: those of previous tests are still in the document. */
const readLines = (count: number) =>
  [...document.querySelectorAll('[data-line]')].slice(-count).map(({ textContent }) => textContent)

it.each([
  ['button-name', 'Fixing this rule: +4 points'],
  ['label', 'Fixing this rule: +1 point'],
  ['region', ''],
  ['list', ''],
])('tells what fixing %s adds to the score', async (rule, words) => {
  await renderPart(
    () =>
      // The second line says when the gains are known.
      [rule, 'button-name'].map((shownRule, index) => (
        <p key={index} data-line>
          <RuleGainLine scanId={'s' as ScanId} run={3} rule={shownRule} />
        </p>
      )),
    buildApi(completedRun),
    640,
  )
  await expect.poll(() => readLines(2)).toEqual([words, 'Fixing this rule: +4 points'])
})

it('shows no gain for a run with results of too few pages or one that is not known yet, but for a previous run', async () => {
  const earlyRun = { number: 4, status: 'running', pages: { completed: 2, failed: 0, notReached: 98 } }
  await renderPart(
    () =>
      [5, 4, 3].map((run) => (
        <p key={run} data-line>
          <RuleGainLine scanId={'s' as ScanId} run={run} rule="label" />
        </p>
      )),
    buildApi(earlyRun),
    640,
  )
  await expect.poll(() => readLines(3)).toEqual(['', '', 'Fixing this rule: +1 point'])
})
