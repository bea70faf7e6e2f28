import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun, type TestRun } from './run.ts'

// Responses as the author of an API client needs them.

const api = useTestApi()
let admin: string
let run: TestRun
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Client')
})
type Problem = { code: string; detail: string; errors?: { path: string; code: string; params: object }[] }
const getProblem = async (path: string, options = {}) =>
  (await api.call('GET', path, { token: admin, ...options })).body as Problem

describe('query parameters', () => {
  it.each([
    '/issues?severty=critical',
    '/scans?scanID=a',
    '/pages?health=good&sise=5',
    '/scripts/names?name=a',
    '/tags?serach=a',
  ])('that do not exist are refused with those that do: %s', async (path) => {
    const problem = await getProblem(path)
    const [unknownName] = [...new URL(path, 'http://a').searchParams.keys()].filter((name) => name !== 'health')
    expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ path: unknownName, code: 'unknown-field' }] })
    expect(problem.detail).toMatch(new RegExp(`^${unknownName}: unknown-field \\(known: `))
  })
  it('lists the known ones by name', async () =>
    expect((await getProblem('/scripts/names?typ=TASK')).errors![0]!.params).toEqual({ known: 'shared, type' }))
})

describe('methods', () => {
  const inject = async (method: 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'HEAD' | 'GET', url: string) => {
    const { statusCode, headers } = await api.app.inject({ method, url, headers: { authorization: `Bearer ${admin}` } })
    return [statusCode, headers.allow]
  }
  it.each([
    ['PUT', '/monitor-api/scans', [405, 'GET, POST']],
    ['DELETE', '/monitor-api/scans?search=a', [405, 'GET, POST']],
    ['PATCH', '/monitor-api/scans/0190a000-0000-7000-8000-000000000000', [405, 'DELETE, GET, PUT']],
    ['OPTIONS', '/monitor-api/issues', [405, 'GET']],
    ['HEAD', '/monitor-api/issues', [405, 'GET']],
    ['GET', '/monitor-api/bulk/issues', [405, 'PATCH']],
    ['GET', '/monitor-api/nowhere', [404, undefined]],
    ['GET', '/monitor-api/scans/a/b/c/d', [404, undefined]],
  ] as const)('%s %s', async (method, url, expected) => expect(await inject(method, url)).toEqual(expected))
})

it('says in every problem what to do', async () => {
  const problems = [
    await getProblem('/scans/0190a000-0000-7000-8000-000000000000'),
    await getProblem('/scans', { token: null }),
    await getProblem('/scans', { token: 'a.b.c' }),
    await getProblem('/audit', { token: await api.token('user') }),
    await getProblem('/issues?sort=severity'),
    (await api.call('POST', '/scans', { token: admin, body: buildScanBody('Client') })).body as Problem,
  ]
  expect(problems.map(({ code, detail }) => [code, detail.length > 10])).toEqual(
    ['not-found', 'not-signed-in', 'token-rejected', 'access-denied', 'validation-failed', 'name-taken'].map((code) => [
      code,
      true,
    ]),
  )
})

describe('the event stream of a run', () => {
  it('ends with the run, and tells a client not to come back', async () => {
    const origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const url = `${origin}/monitor-api/scans/${run.scanId}/runs/1/events`
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      request(url, { headers: { authorization: `Bearer ${admin}` } }, (reply) => {
        reply.on('data', (chunk: Buffer) => (received += chunk.toString()))
        reply.on('end', () => resolve(received))
      })
        .on('error', reject)
        .end()
    })
    expect(text).toMatch(/^retry: 2000\n\ndata: \{"type":"ended".*\}\n\nretry: 86400000\n\n$/)
  })
})

describe('guests', () => {
  it('learn nothing about people from filters and orders', async () => {
    const link = await api.call('POST', `/scans/${run.scanId}/public-token`, { token: admin, body: {} })
    const { token: guest } = link.body as { token: string }
    const query = `scanId=${run.scanId}`
    for (const question of [
      '/issues?assignedTo=admin',
      '/issues?assignedTo=',
      '/issues?sort=severity,asc&sort=assignedTo,desc',
      '/issues/groups?by=rule&assignedTo=admin',
    ])
      expect((await api.call('GET', `${question}&${query}`, { guest })).status, question).toBe(400)
    expect((await api.call('GET', `/issues?${query}`, { guest })).body).toMatchObject({ page: { totalElements: 1 } })
  })
})

it('finds an issue by the time that the list shows', async () => {
  const list = (query: string) => api.call('GET', `/issues?scanId=${run.scanId}${query}`, { token: admin })
  const { content } = (await list('')).body as { content: { createdAt: string }[] }
  const at = encodeURIComponent(content[0]!.createdAt)
  expect((await list(`&createdFrom=${at}&createdTo=${at}`)).body).toMatchObject({ page: { totalElements: 1 } })
})

describe('the right to create scans', () => {
  it('is not lifted by another, lower role', async () => {
    const grant = async (scanId: string, id: string, role: 'scanMember' | 'scanViewer' | 'scanAdmin') =>
      api.db
        .insertInto('scan_access')
        .values({ id, scan_id: scanId, group_id: null, team_id: null, person_id: 'worker', role })
        .execute()
    const createScan = async (name: string) =>
      (await api.call('POST', '/scans', { token: await api.token(name), body: buildScanBody(`By ${name} ${Math.random()}`) }))
        .status
    const switches = { allowScanMembersToCreateScans: false, allowScanViewersToCreateScans: true }
    await api.call('PUT', '/system-settings', { token: admin, body: switches })
    expect(await createScan('worker')).toBe(201)
    const other = (await api.call('POST', '/scans', { token: admin, body: buildScanBody('Other') })).body as { id: string }
    await grant(other.id, '0190a000-0000-7000-8000-000000000001', 'scanMember')
    expect(await createScan('worker')).toBe(403)
    await grant(run.scanId, '0190a000-0000-7000-8000-000000000002', 'scanViewer')
    expect(await createScan('worker')).toBe(403)
  })
})

describe('names', () => {
  const createScan = async (name: string) =>
    (await api.call('POST', '/scans', { token: admin, body: buildScanBody(name) })).body as {
      code?: string
      settings: { name: string }
    }
  it('that look the same are the same', async () => {
    expect((await createScan('\u00C1rbol')).settings.name).toBe('\u00C1rbol')
    for (const lookalike of [
      'A\u0301rbol',
      '\u202EA\u0301rbol',
      '\u00C1\u200Brbol',
      '\uFEFF\u00C1rbol ',
      '\u00C1r\u00ADbol',
      '\u3164\u00C1rbol',
    ])
      expect(await createScan(lookalike), JSON.stringify(lookalike)).toMatchObject({ code: 'name-taken' })
    expect((await createScan('Two words')).settings.name).toBe('Two words')
    expect(await createScan('Two\u00A0words')).toMatchObject({ code: 'name-taken' })
    const validation = await api.call('POST', '/scans/validate', { token: admin, body: { name: 'A\u0301rbol' } })
    expect(validation.body).toMatchObject({ success: false, code: 'name-taken' })
  })
  it('keep the joiners that scripts and emoji need', async () => {
    for (const name of ['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', '\u{1F469}\u200D\u{1F4BB}'])
      expect((await createScan(name)).settings.name).toBe(name)
  })
})

it('keeps no problem in a cache', async () => {
  for (const url of ['/monitor-api/scans', '/monitor-api/nowhere', '/monitor-api/scans/a', '/axe-account/me']) {
    const { statusCode, headers } = await api.app.inject({ method: 'GET', url })
    expect([statusCode >= 400, headers['cache-control']], url).toEqual([true, 'no-store'])
  }
})

it('counts the value of a variable in bytes', async () => {
  const create = async (name: string, value: string) => {
    const scripts = { own: [], shared: [], variables: [{ name: 'TEXT', value }] }
    return (await api.call('POST', '/scans', { token: admin, body: buildScanBody(name, { scripts }) })).status
  }
  expect([await create('Fits', '漢'.repeat(1365)), await create('Too long', '漢'.repeat(1366))]).toEqual([201, 400])
})
