/** @module-tag slow */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createManyScans,
  selectAcrossPages,
  assignPreset,
  applyScript,
  deleteSelected,
  duplicateScan,
  chooseColumnsAndExport,
  groupAndCount,
  tagAndStart,
  showOverview,
} from './walk/list.ts'
import { revertDraft, continueDraft, keepDraft, deleteDraft } from './walk/draft.ts'
import {
  setEachRecurrence,
  rejectFaultySchedule,
  keepRecipients,
  keepScheduleTimeout,
  reportDeletedPreset,
  signInByKeystore,
} from './walk/form.ts'
import { chooseScans, createRollupScans, failOnePart, printReport, showRollup } from './walk/rollup.ts'
import {
  cancelRun,
  compareRuns,
  deleteScan,
  followGonePages,
  createWatchedScan,
  offerReport,
  shareScan,
  showUnavailable,
  watchRun,
} from './walk/run.ts'
import { signInByForm } from './walk/sign-in.ts'
import { useSuite } from './product/suite-of-file.ts'
import {
  createByKeyboard,
  reportErrors,
  makeTeams,
  mergeConflict,
  fitScope,
  previewScope,
  tryScript,
  checkEveryStep,
} from './walk/wizard.ts'

const suite = useSuite(makeTeams)

describe('the list of scans', () => {
  beforeAll(() => createManyScans(suite()))
  it('ticks scans across pages, less some, and makes favorites of them', () => selectAcrossPages(suite()))
  it('assigns a preset, leaves alone who has one, and tells both in one message', () => assignPreset(suite()))
  it('applies a shared session script', () => applyScript(suite()))
  it('deletes ticked scans once their number was typed', () => deleteSelected(suite()))
  it('puts tags on scans, and starts the runs of several', () => tagAndStart(suite()))
  it('makes a scan of the settings of another, without its secrets', () => duplicateScan(suite()))
  it('shows more columns, and exports what is listed', () => chooseColumnsAndExport(suite()))
  it('groups the list, and counts pages instead of issues', () => groupAndCount(suite()))
  it('shows on the overview what repeats, the runs, and when the next one starts', () => showOverview(suite()))
})

describe('the wizard', () => {
  beforeEach(() => deleteDraft(suite()))
  it('makes a scan by the keyboard alone, with every step', () => createByKeyboard(suite()))
  it('says what is wrong on any step, and leads there', () => reportErrors(suite()))
  it('removes a draft when the form is changed back', () => revertDraft(suite()))
  it('keeps a draft over a reload, without secrets, until it is discarded', () => keepDraft(suite()))
  it('goes on with a draft in another browser, and without a connection', () => continueDraft(suite()))
  it('loses nothing when another user saved in the meantime', () => mergeConflict(suite()))
  it('asks for the scope on two screens at most, and leads to what is wrong in a closed part', () => fitScope(suite()))
  it('shows what the scope takes in, and why one URL is out', () => previewScope(suite()))
  it('tries a script step by step, with pictures', () => tryScript(suite()))
  it('has no accessibility fault on any step, light and dark, wide and at 320 px', () => checkEveryStep(suite()))
})

describe('schedule and sign-in', () => {
  it('sets each recurrence, and shows when runs would start', () => setEachRecurrence(suite()))
  it('keeps the time that only scheduled runs have, until it is cleared', () => keepScheduleTimeout(suite()))
  it('keeps mail recipients, and offers mail to no one, where no mail is sent', () => keepRecipients(suite()))
  it('says at its field what a schedule lacks', () => rejectFaultySchedule(suite()))
  it('says at its field what only the server knows', () => reportDeletedPreset(suite()))
  it('signs in by the form of a page, and shows what the product sees', () => signInByForm(suite()))
  it('signs in by a certificate from a keystore', () => signInByKeystore(suite()))
})

describe('a scan and its runs', () => {
  beforeAll(() => createWatchedScan(suite()))
  it('watches a run, stops watching, and is told of its end', () => watchRun(suite()))
  it('goes to another run, and compares two', () => compareRuns(suite()))
  it('leads from the pages of a run to those that it did not test', () => followGonePages(suite()))
  it('cancels a run, and lists all runs', () => cancelRun(suite()))
  it('says that a scan or run is not there, and why a run failed', () => showUnavailable(suite()))
  it('shares a scan by a link that ends when sharing does', () => shareScan(suite()))
  it('deletes a scan once its name was typed', () => deleteScan(suite()))
  it('offers the report of a scan once there is a result', () => offerReport(suite()))
})

describe('the board over many scans', () => {
  beforeAll(() => createRollupScans(suite()))
  it('shows score, news, faults and lowest-scoring pages of all scans', () => showRollup(suite()))
  it('is about the scans and groups that are chosen', () => chooseScans(suite()))
  it('shows the rest when one part fails', () => failOnePart(suite()))
  it('prints as a report', () => printReport(suite()))
})

it('never loses the focus', () => {
  expect(suite().lostFocus).toEqual([])
})

it('leaves no exception uncaught', () => {
  expect(suite().problems).toEqual([])
})
