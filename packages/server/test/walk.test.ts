import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { accountApi } from '@clearway/contract/account/api.ts'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { configApi, monitorApi } from '@clearway/contract/monitor/api.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { keptDatabase } from './database.ts'
import { oldSecretKey } from './old.ts'
import { lastSteps } from './walk/admin.ts'
import { addMore } from './walk/more.ts'
import { walk } from './walk/walk.ts'
import { nonEmptyList, type Step } from './walk/step.ts'
import { uploadTo } from './upload.ts'
import { buildUrl, makeWorld, type World } from './world.ts'

const api = useTestApi({ environment: { CLEARWAY_SECRET_KEY: oldSecretKey } })
let world: World
let admin: string
beforeAll(async () => {
  world = await makeWorld(api)
  admin = await api.token('admin', ['access', 'admin'])
})

const endpoints: Endpoint[] = [...Object.values(configApi), ...Object.values(monitorApi), ...Object.values(accountApi)]
const findEndpoint = (call: string) => endpoints.find(({ method, path }) => `${method} ${path}` === call)

/** Builds a matcher: `nonEmptyList` matches any list that is not empty. */
function buildMatcher(expectedValue: unknown): unknown {
  if (expectedValue === nonEmptyList) return expect.arrayContaining([expect.anything()])
  if (Array.isArray(expectedValue))
    return expectedValue.length === 0 ? [] : expect.arrayContaining(expectedValue.map(buildMatcher))
  if (typeof expectedValue !== 'object' || expectedValue === null) return expectedValue
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expectedValue).map(([key, expectedPart]) => [key, buildMatcher(expectedPart)])),
  )
}

async function sendStep(step: Step): Promise<{ status: number; body: unknown; type: string }> {
  const [method = '', path = ''] = step.call.split(' ')
  const query = step.query ? `?${step.query.replace('{preset}', world.preset)}` : ''
  const url = buildUrl(path, world) + query
  const options = { token: admin, ...(step.body && { body: step.body(world) }) }
  if (step.service === 'account') return { type: '', ...(await api.account(method, url.replace('/axe-account', ''), options)) }
  if (step.service !== 'origin') return api.call(method, url, options)
  const reply = await api.app.inject({ method: method as 'GET', url })
  return { status: reply.statusCode, body: reply.json(), type: '' }
}

const runSteps = (steps: readonly Step[]) =>
  it.each(steps.map((step) => [step.call, step] as const))('%s', async (call, step) => {
    const endpoint = findEndpoint(call)
    expect(endpoint, 'the contract has no such call').toBeDefined()
    expect(endpoint!.permission).toBe(step.permission)
    const reply = await sendStep(step)
    expect(reply.status, JSON.stringify(reply.body).slice(0, 500)).toBe(step.status ?? endpoint!.status ?? 200)
    const { has: expectedContent } = step
    if (expectedContent && 'type' in expectedContent) expect(reply.type).toContain(expectedContent.type)
    else if (expectedContent) expect(reply.body).toEqual(buildMatcher(expectedContent))
  })

describe('the calls of the API, line by line', () => {
  runSteps(walk)
})

it('adds rows that no line writes', () => addMore(api, admin, world))

// A database that is kept must contain everything.
describe.skipIf(keptDatabase !== undefined)('the calls of the API that delete', () => {
  runSteps(lastSteps)
})

describe('an upload of results', () => {
  const buildResults = (extraFields: object = {}) => ({
    testEngine: { name: 'axe-core', version: axeVersions[newestAxeVersion] },
    url: 'https://example.org/uploaded',
    violations: [
      {
        id: 'image-alt',
        impact: 'critical',
        tags: ['wcag2a'],
        description: 'd',
        help: 'h',
        helpUrl: 'https://example.org/',
        nodes: [{ html: '<img>', target: ['main > img:nth-child(2)'], any: [], all: [], none: [] }],
      },
    ],
    incomplete: [],
    ...extraFields,
  })
  let scan: string
  beforeAll(async () => {
    scan = (
      (
        await api.call('POST', '/scans', {
          token: admin,
          body: { name: 'Uploads', urls: ['https://example.org/'] },
        })
      ).body as { id: string }
    ).id
    await api.call('POST', `/scans/${scan}/startRun`, { token: admin })
    await api.call('POST', `/scans/${scan}/cancel`, { token: admin })
  })
  const uploadFiles = async (files: { name: string; type: string; text: string }[], run = 1) => {
    const reply = await uploadTo(api, { token: admin, scan, run }, files)
    type Body = { success: boolean; errorMessage: string; errors: { code: string }[]; warnings: object[] }
    const { success, errors, warnings, ...uploadCounts } = reply.body as Body & { pages: number; issues: number }
    return [success, success ? uploadCounts : errors.map(({ code }) => code), warnings.length]
  }
  const toJsonFile = (content: unknown, name = 'a.json') => ({ name, type: 'application/json', text: JSON.stringify(content) })

  it('is stored completely, and appears as pages with the source uploaded', async () => {
    const uploadReply = await uploadFiles([
      toJsonFile(buildResults()),
      toJsonFile([buildResults({ url: 'https://example.org/2' })], 'b.json'),
    ])
    expect(uploadReply).toEqual([true, { errorMessage: null, pages: 2, issues: 2 }, 0])
    const pages = (await api.call('GET', `/pages?scanId=${scan}&runNumber=1&source=uploaded`, { token: admin })).body
    expect(pages).toMatchObject({
      page: { totalElements: 2 },
      content: [{ health: 'critical', openIssues: { critical: 1 } }, {}],
    })
    // Uploaded again: replaced, and the same issues.
    expect(await uploadFiles([toJsonFile(buildResults())])).toEqual([true, { errorMessage: null, pages: 1, issues: 1 }, 0])
    const overview = (await api.call('GET', `/scans/${scan}/runs/1/overview`, { token: admin })).body
    expect(overview).toMatchObject({ openIssues: { critical: 2 }, pages: { completed: 2 } })
  })

  it('of the command line tool is accepted, of another minor release with a warning', async () => {
    const issue = {
      rule: 'label',
      impact: 'serious',
      severity: 'serious',
      help: 'h',
      helpUrl: 'u',
      tags: [],
      target: ['input'],
      html: '<input>',
      fix: { any: [], all: [], none: [] },
    }
    const page = { url: 'https://example.org/cli', title: 'T', status: 'completed', issues: [issue] }
    const report = { clearway: '1', axe: '4.12.1', pages: [page, { ...page, status: 'failed', issues: [] }] }
    expect(await uploadFiles([toJsonFile(report)])).toEqual([true, { errorMessage: null, pages: 1, issues: 1 }, 1])
  })

  it.each([
    ['another type', [{ ...toJsonFile(buildResults()), type: 'text/plain' }], ['not-json']],
    ['no JSON', [{ name: 'x', type: 'application/json', text: '{' }], ['not-json']],
    ['half of the results', [toJsonFile({ ...buildResults(), violations: [{}] })], ['invalid-issues']],
    ['a URL that is none', [toJsonFile(buildResults({ url: 'file:///etc/passwd' }))], ['invalid-issues']],
    ['a URL with a password', [toJsonFile(buildResults({ url: 'https://user:secret@example.org/p' }))], ['invalid-issues']],
    [
      'a report whose URL has a user name',
      [
        toJsonFile({
          clearway: '1',
          axe: '4.14.0',
          pages: [{ url: 'https://user@example.org/p', title: null, status: 'completed', issues: [] }],
        }),
      ],
      ['invalid-issues'],
    ],
    ['results of somebody else', [toJsonFile({ testEngine: { name: 'other' } })], ['unsupported-source']],
    [
      'another major release',
      [toJsonFile(buildResults({ testEngine: { name: 'axe-core', version: '3.5.0' } }))],
      ['other-axe-version'],
    ],
    ['no file', [], ['no-files']],
    ['too many files', Array.from({ length: 21 }, (_, n) => toJsonFile(buildResults(), `${n}.json`)), ['too-many-files']],
    ['one bad among good ones', [toJsonFile(buildResults()), toJsonFile({})], ['invalid-issues']],
    [
      'a file that is too large',
      [{ name: 'x', type: 'application/json', text: ' '.repeat(21 * 1024 * 1024) }],
      ['file-too-large'],
    ],
  ])('is refused: %s', async (_name, files, codes) => {
    const previousOverview = await api.call('GET', `/scans/${scan}/runs/1/overview`, { token: admin })
    expect(await uploadFiles(files)).toEqual([false, codes, 0])
    expect((await api.call('GET', `/scans/${scan}/runs/1/overview`, { token: admin })).body).toEqual(previousOverview.body)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'accepts a rule with the name of an inherited property: %s',
    async (ruleId) => {
      const results = buildResults({ url: 'https://example.org/inherited' })
      const { violations } = results
      const renamed = { ...results, violations: violations.map((rule) => ({ ...rule, id: ruleId })) }
      expect(await uploadFiles([toJsonFile(renamed)])).toEqual([true, { errorMessage: null, pages: 1, issues: 1 }, 0])
      const listReply = await api.call('GET', `/issues?scanId=${scan}&rule=${ruleId}`, { token: admin })
      expect(listReply.body).toMatchObject({ content: [{ rule: ruleId }] })
    },
  )

  it('to a run in progress is refused', async () => {
    await api.call('POST', `/scans/${scan}/startRun`, { token: admin })
    expect(await uploadFiles([toJsonFile(buildResults())], 2)).toEqual([false, ['run-active'], 0])
  })
})
