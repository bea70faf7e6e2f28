import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeMany,
  ticksAcrossPages,
  assignsPreset,
  appliesScript,
  deletesTicked,
  groupsAndCounts,
  showsRepeats,
} from './list-walk.ts'
import { startSuite, type Suite } from './suite.ts'
import {
  byKeyboard,
  errorsOnAnyStep,
  draftKept,
  conflictMerged,
  scopePreviewed,
  scriptTried,
  everyStepAccessible,
} from './wizard-walk.ts'

let started: Suite | null = null
const suite = (): Suite => {
  if (!started) throw new Error('The product did not start')
  return started
}

beforeAll(async () => {
  started = await startSuite()
})
afterAll(() => started?.close())

describe('the list of scans', () => {
  beforeAll(() => makeMany(suite()))
  it('ticks scans across pages, less some, and makes favourites of them', () => ticksAcrossPages(suite()))
  it('assigns a preset, leaves alone who has one, and tells both in one message', () =>
    assignsPreset(suite()))
  it('applies a shared session script', () => appliesScript(suite()))
  it('deletes ticked scans once their number was typed', () => deletesTicked(suite()))
  it('groups the list, and counts pages instead of issues', () => groupsAndCounts(suite()))
  it('shows on the overview what repeats, the runs, and when the next one starts', () =>
    showsRepeats(suite()))
})

describe('the wizard', () => {
  beforeEach(() => suite().page.evaluate(() => localStorage.clear()))
  it('makes a scan by the keyboard alone, with every step', () => byKeyboard(suite()))
  it('says what is wrong on any step, and leads there', () => errorsOnAnyStep(suite()))
  it('keeps a draft over a reload, without secrets, until it is discarded', () => draftKept(suite()))
  it('loses nothing when somebody else saved meanwhile', () => conflictMerged(suite()))
  it('shows what the scope takes in, and why one address is out', () => scopePreviewed(suite()))
  it('tries a script step by step, with pictures', () => scriptTried(suite()))
  it('has no accessibility fault on any step, light and dark, wide and at 320 px', () =>
    everyStepAccessible(suite()))
})

it('left no exception uncaught', () => {
  expect(suite().problems).toEqual([])
})
