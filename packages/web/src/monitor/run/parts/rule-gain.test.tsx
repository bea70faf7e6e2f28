import type { ScanId } from '@clearway/contract/kit/id.ts'
import { expect, it } from 'vitest'
import type { MonitorApi } from '../../user/model.ts'
import { RuleGainLine } from './rule-gain.tsx'
import { renderPart } from '../../../../test/show.tsx'

const api = {
  runViolations: async () => ({
    content: [
      { rule: 'button-name', scoreGain: 0.0351 },
      { rule: 'label', scoreGain: 0.011 },
      { rule: 'region', scoreGain: 0.004 },
    ],
  }),
} as unknown as MonitorApi

it.each([
  ['button-name', 'Fixing this rule: +4 points'],
  ['label', 'Fixing this rule: +1 point'],
  ['region', ''],
  ['list', ''],
])('tells what fixing %s adds to the score', async (rule, words) => {
  const readLines = () => [...document.querySelectorAll('[data-line]')].slice(-2).map(({ textContent }) => textContent)
  await renderPart(
    () =>
      // The second line says when the gains are known.
      [rule, 'button-name'].map((shownRule, index) => (
        <p key={index} data-line>
          <RuleGainLine scanId={'s' as ScanId} run={3} rule={shownRule} />
        </p>
      )),
    api,
    640,
  )
  await expect.poll(readLines).toEqual([words, 'Fixing this rule: +4 points'])
})
