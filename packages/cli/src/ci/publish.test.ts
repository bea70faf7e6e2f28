/** @module-tag slow */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openVendorDouble, type Fault, type Vendor, type VendorDouble } from '../../test/vendor-double.ts'
import type { GateReport } from '../gate.ts'
import { publishGate } from './publish.ts'
import { openVendorClient } from './vendor-request.ts'

// One comment on a request, with builds at the same time, lost replies, rate limits and comments of other people.

const folder = mkdtempSync(join(tmpdir(), 'clearway-ci-'))
afterAll(() => rmSync(folder, { recursive: true }))

const buildReport = (newCount: number): GateReport =>
  ({
    totals: { new: newCount, axeChanged: 0, known: 4, fixed: 1, notChecked: 2, pages: 3 },
    newIssues: Array.from({ length: newCount }, (_, index) => ({
      url: `https://preview.example/${index}`,
      rule: `rule-${index}`,
      severity: 'serious',
      help: 'Text: 100% must,\nhave contrast',
    })),
  }) as unknown as GateReport
const buildGate = (markdown = '2 new issues', name = 'Shop', newCount = 2) => ({
  gateReport: buildReport(newCount),
  markdown,
  name,
})

const eventFile = join(folder, 'event.json')
writeFileSync(eventFile, JSON.stringify({ pull_request: { number: 7 } }))

const users = { github: { id: 41, type: 'Bot', canAsk: false }, gitlab: { id: 41, type: 'User', canAsk: true } } as const
const stranger = { id: 9, type: 'User' } as const
let double: VendorDouble
let errors: string[] = []
beforeEach(() => {
  errors = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(double.violations).toEqual([])
  await double.close()
})

const buildEnvironment = (vendor: Vendor, more: Record<string, string | undefined> = {}) =>
  vendor === 'github'
    ? { GITHUB_API_URL: double.url, GITHUB_REPOSITORY: 'team/shop', GITHUB_EVENT_PATH: eventFile, GITHUB_TOKEN: 'good', ...more }
    : { CI_API_V4_URL: double.url, CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '7', GITLAB_TOKEN: 'good', ...more }

describe.each(['github', 'gitlab'] as const)('%s', (vendor) => {
  const publish = (gate = buildGate(), more = {}) => publishGate(vendor, gate, buildEnvironment(vendor, more))
  const listBodies = () => double.comments.map(({ body }) => body.split('\n').slice(1).join('\n'))
  beforeEach(async () => void (double = await openVendorDouble(vendor, users[vendor])))

  it('writes one comment, and changes it the next time', async () => {
    expect(await publish()).toBeNull()
    expect(await publish(buildGate('nothing new'))).toBeNull()
    expect(listBodies()).toEqual(['nothing new'])
  })

  it('keeps one for each gate of a request', async () => {
    await publish(buildGate('a', 'Shop'))
    await publish(buildGate('b', 'Shop --> <b>'))
    expect(listBodies()).toEqual(['a', 'b'])
    expect(double.comments[1]!.body.split('\n')[0]).toMatch(/^<!-- clearway:gate:[\w%]+ -->$/)
  })

  it('finds it among hundreds of others', async () => {
    const others = Array.from({ length: 250 }, (_, index) => ({ id: index + 1000, body: `comment ${index}`, author: stranger }))
    await publish()
    double.comments.unshift(...others.slice(0, 230))
    double.comments.push(...others.slice(230))
    await publish(buildGate('nothing new'))
    expect(double.comments.filter(({ body }) => body.includes('nothing new'))).toHaveLength(1)
    expect(double.comments).toHaveLength(251)
  })

  it('leaves the comment of somebody else alone, whatever it begins with', async () => {
    await publish()
    const { body } = double.comments[0]!
    double.comments[0] = { id: 1, body, author: stranger }
    await publish(buildGate('nothing new'))
    expect(double.comments.map(({ author }) => author.id)).toEqual([9, 41])
    expect(double.comments[0]!.body).toBe(body)
  })

  it('leaves one when builds run at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      double.comments.splice(0)
      const results = await Promise.all([publish(buildGate('one')), publish(buildGate('two')), publish(buildGate('three'))])
      expect(results).toEqual([null, null, null])
      expect(double.comments).toHaveLength(1)
    }
  })

  const lostAnswers: Fault[] = [
    { method: 'POST', kind: 'status', status: 500, after: true },
    { method: 'POST', kind: 'status', status: 502 },
    { method: 'POST', kind: 'reset', after: true },
    { method: 'POST', kind: 'reset' },
    { method: 'GET', kind: 'status', status: 503 },
    { method: 'POST', kind: 'status', status: 429, headers: { 'retry-after': '0' } },
    { method: 'POST', kind: 'status', status: 403, headers: { 'retry-after': new Date(0).toUTCString() } },
  ]
  it.each(lostAnswers)('writes one after $kind $status of a $method, carried out: $after', async (fault) => {
    double.faults.push(fault)
    expect(await publish()).toBeNull()
    expect(listBodies()).toEqual(['2 new issues'])
  })

  it('writes it again when it was deleted at the same time', async () => {
    await publish()
    double.faults.push({ method: vendor === 'github' ? 'PATCH' : 'PUT', kind: 'status', status: 404 })
    expect(await publish(buildGate('nothing new'))).toBeNull()
    expect(listBodies()).toContain('nothing new')
  })

  const refusals: [status: number, words: string][] = [
    [403, 'may not write'],
    [404, 'does not see'],
    [409, 'HTTP 409'],
    [422, 'not accepted'],
    [301, 'HTTP 301'],
  ]
  it.each(refusals)('says in one sentence what %s means, and changes nothing', async (status, words) => {
    double.faults.push({ method: 'POST', kind: 'status', status, headers: { location: 'http://127.0.0.1:9/' } })
    const problem = await publish()
    expect(problem).toContain(words)
    expect(problem).toMatch(/^No comment was written: [^\n]*\.$/)
    expect(double.comments).toEqual([])
  })

  const inAnHour = Math.ceil(Date.now() / 1000) + 3600
  it.each([
    [429, { 'retry-after': '3600' }],
    [429, { 'retry-after': '36000' }],
    [429, { 'retry-after': new Date(inAnHour * 1000).toUTCString() }],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(inAnHour) }],
  ])('waits for no limit that lasts longer than a minute: %s %j', async (status, headers) => {
    double.faults.push({ method: 'POST', kind: 'status', status, headers })
    expect(await publish()).toContain('too many requests; try again later')
    expect(double.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
  })

  it('says that the token is wrong or missing', async () => {
    const variable = vendor === 'github' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN'
    expect(await publish(buildGate(), { [variable]: 'revoked' })).toContain('the token is wrong or expired')
    expect(await publish(buildGate(), { [variable]: undefined })).toContain(`there is no ${variable}`)
  })

  it('says that the system cannot be reached', async () => {
    const variable = vendor === 'github' ? 'GITHUB_API_URL' : 'CI_API_V4_URL'
    expect(await publish(buildGate(), { [variable]: 'http://127.0.0.1:9' })).toContain('cannot be reached')
  }, 20_000)

  it('does nothing without a request', async () => {
    const more = { GITHUB_EVENT_PATH: undefined, CI_MERGE_REQUEST_IID: undefined }
    expect(await publish(buildGate(), more)).toBeNull()
    expect(double.requests).toEqual([])
  })

  it('shortens a text that the system would refuse', async () => {
    expect(await publish(buildGate('` @everyone `\n'.repeat(100_000)))).toBeNull()
    expect(double.comments).toHaveLength(1)
    // The end of a code that is cut would let its text mention people.
    expect(double.comments[0]!.body).toContain('\n` @everyone `\n\n(shortened)\n')
    expect(double.comments[0]!.body.split('`').length % 2).toBe(1)
  })
})

describe('github', () => {
  beforeEach(async () => void (double = await openVendorDouble('github', users.github)))

  it('writes summary and outputs of the step, and at most ten annotations', async () => {
    const [summaryFile, outputFile] = [join(folder, 'summary'), join(folder, 'output')]
    const more = { GITHUB_STEP_SUMMARY: summaryFile, GITHUB_OUTPUT: outputFile }
    await publishGate('github', buildGate('é'.repeat(900_000), 'Shop', 25), buildEnvironment('github', more))
    expect(Buffer.byteLength(readFileSync(summaryFile))).toBeLessThan(1024 * 1024)
    expect(readFileSync(outputFile, 'utf8')).toBe('new=25\nknown=4\nfixed=1\nnot-checked=2\n')
    const commands = errors.join('').split('\n').filter(Boolean)
    expect(commands).toHaveLength(10)
    expect(commands[0]).toBe(
      '::error title=Text%3A 100%25 must%2C%0Ahave contrast (serious)::rule-0: 1 on 1 pages, first on https://preview.example/0',
    )
  })

  it('writes the comment although a file of the step cannot be written, and says so', async () => {
    const more = { GITHUB_STEP_SUMMARY: folder, GITHUB_OUTPUT: '/nowhere/output' }
    expect(await publishGate('github', buildGate(), buildEnvironment('github', more))).toBeNull()
    expect(double.comments).toHaveLength(1)
    expect(errors.join('').split('\n').slice(-3)).toEqual([
      'The file of GITHUB_OUTPUT cannot be written: there is no such file.',
      'The file of GITHUB_STEP_SUMMARY cannot be written: it is a folder.',
      '',
    ])
  })

  it('knows the user of a personal token by its id', async () => {
    await double.close()
    double = await openVendorDouble('github', { id: 5, type: 'User', canAsk: true })
    await publishGate('github', buildGate(), buildEnvironment('github'))
    await publishGate('github', buildGate('nothing new'), buildEnvironment('github'))
    expect(double.comments.map(({ body }) => body.split('\n')[1])).toEqual(['nothing new'])
  })

  it('gives up on an answer that never comes', async () => {
    double.faults.push({ method: 'POST', kind: 'hang' })
    const send = openVendorClient({
      name: 'GitHub',
      baseUrl: double.url,
      headers: { authorization: 'Bearer good' },
      reasons: {},
      timeoutMs: 300,
    })
    const request = send({ method: 'POST', path: '/repos/team/shop/issues/7/comments', body: { body: 'x' } })
    await expect(request).rejects.toThrow('GitHub cannot be reached')
  })
})
