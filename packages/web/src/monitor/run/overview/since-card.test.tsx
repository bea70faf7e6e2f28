import type { ScanId } from '@clearway/contract/kit/id.ts'
import { expect, it } from 'vitest'
import type { MonitorApi } from '../../user/model.ts'
import { renderPart } from '../../../../test/show.tsx'
import { SinceCard } from './since-card.tsx'

it.each([
  ['no page', 0, 0, null],
  ['pages of both kinds', 3, 2, '+3 / −2'],
  ['pages that are gone', 0, 2, '0 / −2'],
])('counts %s that a run added or lost', async (_, pagesAdded, pagesGone, expectedText) => {
  const change = {
    previousNumber: 4,
    previousEndedAt: null,
    fixed: 0,
    new: 0,
    newCritical: 0,
    back: 0,
    stillOpen: 4,
    ignored: 0,
    newlyIgnored: 0,
    dismissed: 0,
    notRechecked: 0,
    issuesGone: 0,
    pagesAdded,
    pagesGone,
    pagesNotTested: 0,
    pagesCompared: null,
  } as never
  await renderPart(() => <SinceCard change={change} scanId={'s' as ScanId} run={5} />, {} as MonitorApi)
  await expect.poll(() => document.querySelector('#since')?.textContent).toBe('Since run 4')
  const cardText = document.querySelector('section[aria-labelledby=since]')!.textContent
  if (expectedText === null) expect(cardText).not.toMatch(/pages/)
  else expect(cardText).toContain(expectedText)
})
