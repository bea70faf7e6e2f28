import { expect, it } from 'vitest'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Claim } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import type { Reuse } from '../reuse/reuse.ts'
import { openExtraPages } from './extra-pages.ts'

const completed = { kind: 'completed' } as PageOutcome
const createFailed = (reason: FailureReason) => ({ kind: 'failed', reason }) as PageOutcome

/** Opens the extra pages of a run. `conditions` may change later. */
function openTestPages(conditions: { hasRoom?: boolean; isUnchanged?: boolean } = {}) {
  const isUnchanged = () => conditions.isUnchanged === true
  const reuse = { hasLastMatched: isUnchanged, isLikelyUnchanged: isUnchanged } as unknown as Reuse
  const extraPages = openExtraPages({ hasRoom: () => conditions.hasRoom !== false }, reuse)
  const sharesSlot = () => {
    let isShared = false
    const setIdle = extraPages.shareWhileIdle({} as Claim, [{ setIdle: (isIdle) => void (isShared = isIdle) }])
    setIdle(true)
    const wasShared = isShared
    setIdle(false)
    expect(isShared).toBe(false)
    return wasShared
  }
  return {
    note: (outcome: PageOutcome) => extraPages.noteOutcome(outcome),
    read: () => [extraPages.getMaxVisits(2), sharesSlot()],
  }
}

it('are there after three tested pages, while there is room', () => {
  const conditions = { hasRoom: true }
  const { note, read } = openTestPages(conditions)
  for (const outcome of [completed, createFailed('http-404'), completed]) note(outcome)
  expect(read()).toEqual([2, false])
  note(completed)
  expect(read()).toEqual([3, true])
  conditions.hasRoom = false
  expect(read()).toEqual([2, false])
})

it.each(['timeout-command', 'page-crashed', 'out-of-memory', 'too-many-dialogs'] as const)(
  'are no longer there after a page that may have harmed others: %s',
  (reason) => {
    const { note, read } = openTestPages()
    for (const outcome of [completed, completed, completed, createFailed('connection-failed')]) note(outcome)
    expect(read()).toEqual([3, true])
    for (const outcome of [createFailed(reason), completed, completed, completed]) note(outcome)
    expect(read()).toEqual([2, false])
  },
)

it('are there next to pages that are likely unchanged, in any case', () => {
  const { note, read } = openTestPages({ hasRoom: false, isUnchanged: true })
  note(createFailed('page-crashed'))
  expect(read()).toEqual([3, true])
})
