import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeMany,
  ticksAcrossPages,
  assignsPreset,
  appliesScript,
  deletesTicked,
  duplicates,
  columnsAndExport,
  groupsAndCounts,
  tagsAndStarts,
  showsRepeats,
} from './walk/list.ts'
import { draftChangedBack, draftContinued, draftKept, withoutDraft } from './walk/draft.ts'
import {
  everyRecurrence,
  faultySchedule,
  keepsRecipients,
  lostPreset,
  signsInByKeystore,
} from './walk/form.ts'
import { choosesScans, makeSummed, partFails, prints, sumsUp } from './walk/rollup.ts'
import {
  cancelsRun,
  comparesRuns,
  deletesScan,
  followsGonePages,
  makeWalked,
  reportsResult,
  sharesScan,
  unavailable,
  watchesRun,
} from './walk/run.ts'
import { suiteOfFile } from './product/suite-of-file.ts'
import {
  byKeyboard,
  errorsOnAnyStep,
  makeTeams,
  conflictMerged,
  scopeFits,
  scopePreviewed,
  scriptTried,
  everyStepAccessible,
} from './walk/wizard.ts'

const suite = suiteOfFile(makeTeams)

describe('the list of scans', () => {
  beforeAll(() => makeMany(suite()))
  it('ticks scans across pages, less some, and makes favorites of them', () => ticksAcrossPages(suite()))
  it('assigns a preset, leaves alone who has one, and tells both in one message', () =>
    assignsPreset(suite()))
  it('applies a shared session script', () => appliesScript(suite()))
  it('deletes ticked scans once their number was typed', () => deletesTicked(suite()))
  it('puts tags on scans, and starts the runs of several', () => tagsAndStarts(suite()))
  it('makes a scan of the settings of another, without its secrets', () => duplicates(suite()))
  it('shows more columns, and exports what is listed', () => columnsAndExport(suite()))
  it('groups the list, and counts pages instead of issues', () => groupsAndCounts(suite()))
  it('shows on the overview what repeats, the runs, and when the next one starts', () =>
    showsRepeats(suite()))
})

describe('the wizard', () => {
  beforeEach(() => withoutDraft(suite()))
  it('makes a scan by the keyboard alone, with every step', () => byKeyboard(suite()))
  it('says what is wrong on any step, and leads there', () => errorsOnAnyStep(suite()))
  it('removes a draft when the form is changed back', () => draftChangedBack(suite()))
  it('keeps a draft over a reload, without secrets, until it is discarded', () => draftKept(suite()))
  it('goes on with a draft in another browser, and without a connection', () => draftContinued(suite()))
  it('loses nothing when somebody else saved meanwhile', () => conflictMerged(suite()))
  it('asks for the scope on two screens at most, and leads to what is wrong in a closed part', () =>
    scopeFits(suite()))
  it('shows what the scope takes in, and why one URL is out', () => scopePreviewed(suite()))
  it('tries a script step by step, with pictures', () => scriptTried(suite()))
  it('has no accessibility fault on any step, light and dark, wide and at 320 px', () =>
    everyStepAccessible(suite()))
})

describe('schedule and sign-in', () => {
  it('sets each recurrence, and shows when runs would start', () => everyRecurrence(suite()))
  it('keeps who gets mail, and offers it to nobody, where no mail is sent', () => keepsRecipients(suite()))
  it('says at its field what a schedule lacks', () => faultySchedule(suite()))
  it('says at its field what only the server knows', () => lostPreset(suite()))
  it('signs in by a certificate from a keystore', () => signsInByKeystore(suite()))
})

describe('a scan and its runs', () => {
  beforeAll(() => makeWalked(suite()))
  it('watches a run, stops watching, and is told of its end', () => watchesRun(suite()))
  it('goes to another run, and compares two', () => comparesRuns(suite()))
  it('leads from the pages of a run to those that it did not test', () => followsGonePages(suite()))
  it('cancels a run, and lists all runs', () => cancelsRun(suite()))
  it('says that a scan or run is not there, and why a run failed', () => unavailable(suite()))
  it('shares a scan by a link that ends when sharing does', () => sharesScan(suite()))
  it('deletes a scan once its name was typed', () => deletesScan(suite()))
  it('offers the report of a scan once there is a result', () => reportsResult(suite()))
})

describe('the board over many scans', () => {
  beforeAll(() => makeSummed(suite()))
  it('shows score, news, faults and worst pages of all scans', () => sumsUp(suite()))
  it('is about the scans and groups that are chosen', () => choosesScans(suite()))
  it('shows the rest when one part fails', () => partFails(suite()))
  it('prints as a report', () => prints(suite()))
})

it('never lost the focus', () => {
  expect(suite().lostFocus).toEqual([])
})

it('left no exception uncaught', () => {
  expect(suite().problems).toEqual([])
})
