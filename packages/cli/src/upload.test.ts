import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BranchRunBody } from '@clearway/contract/monitor/run/branch/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { GateReport } from './gate.ts'
import { resolveBranch } from './branch-facts.ts'
import { callServer } from './server-baseline.ts'
import { toBranchRun } from './upload.ts'

/** Writes the event of a workflow, and returns the variable with its file. */
function writeEvent(event: object): { GITHUB_EVENT_PATH: string } {
  const file = join(mkdtempSync(join(tmpdir(), 'clearway-event-')), 'event.json')
  writeFileSync(file, JSON.stringify(event))
  return { GITHUB_EVENT_PATH: file }
}
const pullVariables = {
  GITHUB_HEAD_REF: 'main',
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_REF_NAME: '7/merge',
  GITHUB_SHA: 'merge',
}
const buildPull = (repository: string | null) => ({
  pull_request: {
    number: 7,
    head: { ref: 'main', sha: 'tip', repo: repository && { full_name: repository } },
    base: { ref: 'main', sha: 'base', repo: { full_name: 'a/site' } },
  },
})
const buildEarlierRun = (repository: string) => ({
  workflow_run: {
    head_branch: 'main',
    head_sha: 'tip',
    head_repository: { full_name: repository },
    repository: { full_name: 'a/site' },
  },
})
const gitlabFork = {
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'main',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'ann/site',
  CI_MERGE_REQUEST_PROJECT_PATH: 'a/site',
  CI_COMMIT_REF_NAME: 'main',
  CI_COMMIT_SHA: 'merge',
}
const azurePull = { SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/main', BUILD_SOURCEBRANCH: 'refs/pull/7/merge' }

it.each<[string, string | undefined, Record<string, string>, object]>([
  ['the option', 'mine', { GITHUB_REF_NAME: 'main' }, { branch: 'mine' }],
  [
    'a pull request of GitHub',
    undefined,
    {
      ...pullVariables,
      ...writeEvent(buildPull('a/site')),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'a/site',
      GITHUB_RUN_ID: '5',
    },
    { branch: 'main', commit: 'tip', buildUrl: 'https://github.com/a/site/actions/runs/5' },
  ],
  [
    "a fork's pull request",
    undefined,
    { ...pullVariables, ...writeEvent(buildPull('ann/site')) },
    { branch: 'ann:main', commit: 'tip' },
  ],
  ["a deleted fork's pull request", undefined, { ...pullVariables, ...writeEvent(buildPull(null)) }, { branch: 'fork:main' }],
  [
    "a fork's pull request with the workflow of the main branch",
    undefined,
    { ...pullVariables, GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main', ...writeEvent(buildPull('ann/site')) },
    { branch: 'ann:main', commit: 'tip' },
  ],
  ['a pull request without its event', undefined, pullVariables, { branch: 'fork:main', commit: null }],
  [
    'a comment on a pull request',
    undefined,
    { GITHUB_REF_NAME: 'main', GITHUB_SHA: 'tip', ...writeEvent({ issue: { number: 7, pull_request: {} } }) },
    { branch: 'pull/7', commit: null },
  ],
  [
    "a workflow after a fork's",
    undefined,
    { GITHUB_REF_NAME: 'main', GITHUB_SHA: 'base', ...writeEvent(buildEarlierRun('ann/site')) },
    { branch: 'ann:main', commit: 'tip' },
  ],
  [
    'a workflow after another one',
    undefined,
    { GITHUB_REF_NAME: 'main', ...writeEvent(buildEarlierRun('a/site')) },
    { branch: 'main', commit: 'tip' },
  ],
  ['a tag of GitHub', undefined, { GITHUB_REF: 'refs/tags/main', GITHUB_REF_NAME: 'main' }, { branch: 'refs/tags/main' }],
  [
    'GitLab',
    undefined,
    { CI_COMMIT_REF_NAME: 'dev', CI_COMMIT_SHA: 'd', CI_JOB_URL: 'https://gl.example/1' },
    { branch: 'dev', commit: 'd', buildUrl: 'https://gl.example/1' },
  ],
  ['a merge request of a fork', undefined, gitlabFork, { branch: 'ann/site:main' }],
  [
    'a merged result of GitLab',
    undefined,
    { ...gitlabFork, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'a/site', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'tip' },
    { branch: 'main', commit: 'tip' },
  ],
  ['a tag of GitLab', undefined, { CI_COMMIT_REF_NAME: 'main', CI_COMMIT_TAG: 'main' }, { branch: 'refs/tags/main' }],
  [
    'Azure Pipelines',
    undefined,
    { BUILD_SOURCEBRANCH: 'refs/heads/release/1', BUILD_SOURCEVERSION: 'e' },
    { branch: 'release/1', commit: 'e' },
  ],
  [
    'a pull request of Azure Pipelines',
    undefined,
    {
      ...azurePull,
      SYSTEM_PULLREQUEST_ISFORK: 'False',
      BUILD_SOURCEVERSION: 'merge',
      SYSTEM_PULLREQUEST_SOURCECOMMITID: 'tip',
    },
    { branch: 'main', commit: 'tip' },
  ],
  [
    "a fork's pull request of Azure Pipelines",
    undefined,
    {
      ...azurePull,
      SYSTEM_PULLREQUEST_ISFORK: 'True',
      SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI: 'https://github.com/ann/site',
    },
    { branch: 'ann:main' },
  ],
  [
    'Jenkins',
    undefined,
    { BRANCH_NAME: 'PR-1', CHANGE_BRANCH: 'fix', BUILD_URL: 'javascript:alert(1)' },
    { branch: 'fix', buildUrl: null },
  ],
  [
    'a Jenkins whose address has a password',
    undefined,
    { BRANCH_NAME: 'fix', BUILD_URL: 'https://ann:hush@ci.example/1' },
    { branch: 'fix', buildUrl: null },
  ],
  [
    "a fork's change of Jenkins",
    undefined,
    { BRANCH_NAME: 'PR-1', CHANGE_BRANCH: 'main', CHANGE_FORK: 'ann' },
    { branch: 'ann:main' },
  ],
])('takes the branch of %s', (_, branchOption, environment, expected) =>
  expect(resolveBranch(branchOption, environment)).toMatchObject(expected),
)

const issue: GateReport['newIssues'][number] = {
  url: `https://a.example/${'x'.repeat(6000)}`,
  rule: 'image-alt',
  severity: 'critical',
  help: 'Images must have alternative text',
  helpUrl: 'javascript:alert(1)',
  target: ['#frame', ['host', 'img']],
  html: `${'<'.repeat(1999)}\u{1f600}\0`,
  fix: { any: ['Add alt', 'Add a title'], all: ['Do this'], none: [] },
}
const report: GateReport = {
  clearway: '0.0.0',
  axe: '4.14.1',
  ruleSet: { axeVersion: '4.14', standard: 'wcag21aa', bestPractices: true, experimental: false, pdfUa: false },
  failOn: 'minor',
  totals: { new: 700, axeChanged: 0, known: 0, fixed: 0, notChecked: 0, pages: 1 },
  newIssues: Array.from({ length: 700 }, () => issue),
  otherNewIssues: [],
  axeChangedIssues: [],
  baselineAxe: '4.14',
  unchecked: Array.from({ length: 600 }, () => ({
    target: 'x'.repeat(9000),
    reason: 'timeout-generic',
    detail: 'y'.repeat(9000),
  })),
  notChecked: [],
  fixed: [],
}

it('uploads what a server accepts, whatever pages contain', () => {
  const body = toBranchRun({ branch: 'main', commit: null, buildUrl: null }, report, 1)
  expect(BranchRunBody.safeParse(body).error).toBeUndefined()
  // Totals of lists that are cut.
  expect(body).toMatchObject({ result: 'failed', totals: { new: 700, otherNew: 0, unchecked: 600 } })
  expect([body.newIssues.length, body.newIssues[0]!.helpUrl, body.newIssues[0]!.fix]).toEqual([
    500,
    null,
    'Do this. Add alt; Add a title',
  ])
  expect(body.newIssues[0]!.html).not.toContain('\0')
  expect(body.newIssues[0]!.html.isWellFormed()).toBe(true)
  expect([0, 3].map((code) => toBranchRun({ branch: 'main', commit: null, buildUrl: null }, report, code).result)).toEqual([
    'passed',
    'incomplete',
  ])
})

it.each([
  [429, { code: 'quota-uploads' }, true, 'the uploads of this day are used up; try again tomorrow'],
  [429, { code: 'too-many-requests' }, true, 'try again in a minute'],
  [403, { code: 'access-denied' }, true, '--upload needs the scope run'],
  [403, { code: 'access-denied' }, false, 'lacks the permission to read the scan'],
  [413, null, true, 'larger than the server, or a proxy in front of it, accepts'],
  [503, { code: 'maintenance' }, false, 'HTTP 503: The system is undergoing maintenance.'],
  [503, { code: 'constructor' }, false, 'it answered with HTTP 503.'],
])('explains a refusal with %i and %j, upload: %s', async (status, problem, isUpload, text) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status).end(problem ? JSON.stringify(problem) : '<h1>No</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const source = { serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, scan: 'Shop', apiKey: 'key' }
  const call = callServer(source, isUpload ? '/scans/1/branchRuns' : '/scans/1', z.unknown(), isUpload ? {} : undefined)
  await expect(call).rejects.toThrow(text)
  server.close()
})
