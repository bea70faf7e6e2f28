import { columns, inbox, searchEverything, shortcutHelp, triageByKeyboard } from './walk/triage.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit, groups, presets, recorder, scripts, scriptsInUse } from './walk/admin.ts'
import {
  bulk,
  filters,
  foldedFilters,
  groupsOfIssues,
  nothingLeft,
  scanWithResults,
  upload,
} from './walk/issue.ts'
import { detail } from './walk/issue-detail.ts'
import { conflict, expiredSession, lostConnection } from './walk/loss.ts'
import {
  apiKeys,
  health,
  helps,
  imports,
  makeTeams,
  manyTeams,
  oneTeam,
  permissions,
  quotas,
  retention,
  webhooks,
} from './walk/own.ts'
import { classicView, failedPage, pageDetail, pageList } from './walk/page.ts'
import { savedViews, viewsNotLoaded } from './walk/view.ts'
import { suiteOfFile } from './product/suite-of-file.ts'

// Before anybody asks: the API remembers for a while which teams there are.
const suite = suiteOfFile(makeTeams)
beforeEach(() => suite().page.evaluate(() => localStorage.removeItem('monitor.columns.issues')))

describe('administration', () => {
  it('makes, changes and deletes a scan group', () => groups(suite()))
  it('writes a shared script, with its faults by line', () => scripts(suite()))
  it('turns a recording of the browser into a script', () => recorder(suite()))
  it('keeps a script that a scan uses', () => scriptsInUse(suite()))
  it('makes a preset in steps, led back by what the server refuses', () => presets(suite()))
  it('sets who may create scans', () => permissions(suite()))
  it('sets how long runs stay', () => retention(suite()))
  it('sets how much one person may do', () => quotas(suite()))
  it('tells how the parts of the system do', () => health(suite()))
  it('shows who did what, before and after, narrows it and exports it', () => audit(suite()))
  it('says on a screen what it is for', () => helps(suite()))
})

describe('team access', () => {
  it('gives one team a role, after a look at what changes', () => oneTeam(suite()))
  it('gives several teams a role on several scans', () => manyTeams(suite()))
  it('imports a CSV file, and lists what is wrong in it to copy', () => imports(suite()))
  it('makes a key for programs that works until it is ended', () => apiKeys(suite()))
  it('notifies a URL of what happens, and shows what it was sent', () => webhooks(suite()))
})

describe('issues and pages', () => {
  beforeAll(() => scanWithResults(suite()))
  it('narrows the issues by every kind of filter, in the URL', () => filters(suite()))
  it('folds the filters on a small screen', () => foldedFilters(suite()))
  it('remembers which columns are shown', () => columns(suite()))
  it('keeps filters and order as a view that a team shares', () => savedViews(suite()))
  it('says when saved views could not be loaded, and asks again', () => viewsNotLoaded(suite()))
  it('works on many issues at once, and exports them', () => bulk(suite()))
  it('sums issues up by rule, page and component, and changes a group', () => groupsOfIssues(suite()))
  it('says when nothing is left to do, and shows what was done', () => nothingLeft(suite()))
  it('says why an upload is not taken, and takes one', () => upload(suite()))
  it('shows one issue whole, and what people do with it', () => detail(suite()))
  it('narrows the pages, and exports those that are ticked', () => pageList(suite()))
  it('explains why a page failed', () => failedPage(suite()))
  it('shows one page whole, and checks it again', () => pageDetail(suite()))
  it('goes through issues by single keys', () => triageByKeyboard(suite()))
  it('finds in the inbox what ended, and marks it as read', () => inbox(suite()))
  it('finds everything from everywhere', () => searchEverything(suite()))
  it('lists the shortcuts, and turns them off', () => shortcutHelp(suite()))
  it('opens a detail in place of its list in the classic view', () => classicView(suite()))
})

describe('nothing that was typed is lost', () => {
  it('when somebody else saved meanwhile', () => conflict(suite()))
  it('when the connection is gone', () => lostConnection(suite()))
  it('when the session is over', () => expiredSession(suite()))
})

it('never lost the focus', () => {
  expect(suite().lostFocus).toEqual([])
})

it('left no exception uncaught', () => {
  expect(suite().problems).toEqual([])
})
