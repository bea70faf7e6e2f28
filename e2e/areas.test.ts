/** @module-tag slow */
import { chooseColumns, readInbox, searchEverything, reviewByKeyboard, showShortcuts, triageByKeyboard } from './walk/triage.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browseAuditLog, manageGroups, managePresets, importRecording, manageScripts, protectScriptsInUse } from './walk/admin.ts'
import {
  changeInBulk,
  filterIssues,
  useFoldedFilters,
  groupIssues,
  showEmptyList,
  createScanWithResults,
  uploadResults,
} from './walk/issue.ts'
import { browseBranches } from './walk/branch.ts'
import { keepRegister } from './walk/register.ts'
import { workOnIssue } from './walk/issue-detail.ts'
import { keepDrafts, overwriteConflict, surviveExpiredSession, surviveLostConnection } from './walk/loss.ts'
import {
  manageApiKeys,
  showHealth,
  showHelp,
  importAccess,
  makeTeams,
  assignSeveralTeams,
  assignOneTeam,
  changePermissions,
  changeQuotas,
  changeRetention,
  manageWebhooks,
} from './walk/own.ts'
import { useClassicView, explainFailedPage, inspectPage, browsePages } from './walk/page.ts'
import { manageViews, reportFailedViews } from './walk/view.ts'
import { useSuite } from './product/suite-of-file.ts'
import { wideViewport } from './screen/looks.ts'

// Creates teams before the first request: the API caches the list of teams.
const suite = useSuite(makeTeams)
beforeEach(async () => {
  const { page } = suite()
  // A failed test may have left another size.
  await page.setViewportSize(wideViewport)
  await page.evaluate(() => localStorage.removeItem('monitor.columns.issues'))
})

describe('administration', () => {
  it('makes, changes and deletes a scan group', () => manageGroups(suite()))
  it('writes a shared script, with its faults by line', () => manageScripts(suite()))
  it('turns a recording of the browser into a script', () => importRecording(suite()))
  it('keeps a script that a scan uses', () => protectScriptsInUse(suite()))
  it('makes a preset in steps, led back by what the server refuses', () => managePresets(suite()))
  it('sets who may create scans', () => changePermissions(suite()))
  it('sets how long runs stay', () => changeRetention(suite()))
  it('sets how much one person may do', () => changeQuotas(suite()))
  it('tells how the parts of the system do', () => showHealth(suite()))
  it('shows who did what, before and after, narrows it and exports it', () => browseAuditLog(suite()))
  it('says on a screen what it is for', () => showHelp(suite()))
})

describe('team access', () => {
  it('gives one team a role, after a look at what changes', () => assignOneTeam(suite()))
  it('gives several teams a role on several scans', () => assignSeveralTeams(suite()))
  it('imports a CSV file, and lists what is wrong in it to copy', () => importAccess(suite()))
  it('makes a key for programs that works until it is ended', () => manageApiKeys(suite()))
  it('notifies a URL of what happens, and shows what it was sent', () => manageWebhooks(suite()))
})

it('shows what a branch would add, and removes it', () => browseBranches(suite()))

describe('issues and pages', () => {
  beforeAll(() => createScanWithResults(suite()))
  it('narrows the issues by every kind of filter, in the URL', () => filterIssues(suite()))
  it('folds the filters on a small screen', () => useFoldedFilters(suite()))
  it('remembers which columns are shown', () => chooseColumns(suite()))
  it('keeps filters and order as a view that a team shares', () => manageViews(suite()))
  it('says when saved views could not be loaded, and asks again', () => reportFailedViews(suite()))
  it('works on many issues at once, and exports them', () => changeInBulk(suite()))
  it('sums issues up by rule, page and component, and changes a group', () => groupIssues(suite()))
  it('keeps a register of ignored issues, with reasons and ends', () => keepRegister(suite()))
  it('says when nothing is left to do, and shows what was done', () => showEmptyList(suite()))
  it('says why an upload is not taken, and takes one', () => uploadResults(suite()))
  it('shows one issue whole, and what people do with it', () => workOnIssue(suite()))
  it('narrows the pages, and exports those that are ticked', () => browsePages(suite()))
  it('explains why a page failed', () => explainFailedPage(suite()))
  it('shows one page whole, and checks it again', () => inspectPage(suite()))
  it('goes through issues by single keys', () => triageByKeyboard(suite()))
  it('answers 20 results that need review with 22 keys', () => reviewByKeyboard(suite()))
  it('finds in the inbox what ended, and marks it as read', () => readInbox(suite()))
  it('finds everything from everywhere', () => searchEverything(suite()))
  it('lists the shortcuts, and turns them off', () => showShortcuts(suite()))
  it('opens a detail in place of its list in the classic view', () => useClassicView(suite()))
})

describe('input is never lost', () => {
  it('when another user saved in the meantime', () => overwriteConflict(suite()))
  it('when the connection is gone', () => surviveLostConnection(suite()))
  it('when the session is over', () => surviveExpiredSession(suite()))
  it('when a page with unsent text reloads', () => keepDrafts(suite()))
})

it('never loses the focus', () => {
  expect(suite().lostFocus).toEqual([])
})

it('leaves no exception uncaught', () => {
  expect(suite().problems).toEqual([])
})
