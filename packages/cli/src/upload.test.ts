import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BranchRunBody } from '@clearway/contract/monitor/run/branch/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { GateReport } from './gate.ts'
import { resolveBranch } from './branch-facts.ts'
import { callServer } from './server-baseline.ts'
import { toBranchRun } from './upload.ts'

it.each([
  ['the option', 'mine', { GITHUB_REF_NAME: 'main' }, { branch: 'mine' }],
  [
    'a pull request of GitHub',
    undefined,
    {
      GITHUB_HEAD_REF: 'feature/a',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_SHA: 'abc',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'a/b',
      GITHUB_RUN_ID: '5',
    },
    { branch: 'feature/a', commit: 'abc', buildUrl: 'https://github.com/a/b/actions/runs/5' },
  ],
  [
    'GitLab',
    undefined,
    { CI_COMMIT_REF_NAME: 'dev', CI_COMMIT_SHA: 'd', CI_JOB_URL: 'https://gl.example/1' },
    { branch: 'dev', buildUrl: 'https://gl.example/1' },
  ],
  [
    'Azure Pipelines',
    undefined,
    { BUILD_SOURCEBRANCH: 'refs/heads/release/1', BUILD_SOURCEVERSION: 'e' },
    { branch: 'release/1', commit: 'e' },
  ],
  [
    'Jenkins',
    undefined,
    { BRANCH_NAME: 'PR-1', CHANGE_BRANCH: 'fix', BUILD_URL: 'javascript:alert(1)' },
    { branch: 'fix', buildUrl: null },
  ],
])('takes the branch of %s', (_, named, environment, expected) =>
  expect(resolveBranch(named, environment)).toMatchObject(expected),
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
  unchecked: [{ target: 'x'.repeat(9000), reason: 'timeout-generic', detail: 'y'.repeat(9000) }],
  notChecked: [],
  fixed: [],
}

it('uploads what a server accepts, whatever pages contain', () => {
  const body = toBranchRun({ branch: 'main', commit: null, buildUrl: null }, report, 1)
  expect(BranchRunBody.safeParse(body).error).toBeUndefined()
  expect(body).toMatchObject({ result: 'failed', totals: { new: 700 } })
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
