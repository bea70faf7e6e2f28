import { describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'

const api = useTestApi()

type Problem = { code: string; errors: { path: string; code: string; params: Record<string, unknown> }[] }
const getProblem = async (body: unknown): Promise<[string, ...string[]]> => {
  const reply = await api.call('POST', '/scans', { body })
  const { code, errors } = reply.body as Problem
  return [code, ...(errors ?? []).map((error) => `${error.path} ${error.code}`)]
}

describe('scans over HTTP', () => {
  it('are created with defaults, changed, and deleted', async () => {
    const createdScan = await api.call('POST', '/scans', { body: buildScanBody('First') })
    expect(createdScan.status).toBe(201)
    const { id, settings } = createdScan.body as { id: string; settings: Record<string, unknown> }
    expect(settings).toMatchObject({ type: 'standard', priority: 'medium', domains: [] })
    const update = { settings: { ...settings, name: 'Renamed' }, version: 1 }
    expect((await api.call('PUT', `/scans/${id}`, { body: update })).body).toMatchObject({ version: 2 })
    const late = await api.call('PUT', `/scans/${id}`, { body: update })
    expect([late.status, (late.body as Problem).code]).toEqual([409, 'edit-conflict'])
    expect((await api.call('DELETE', `/scans/${id}`)).status).toBe(204)
    expect((await api.call('GET', `/scans/${id}`)).status).toBe(404)
    // The name is available again.
    expect((await api.call('POST', '/scans', { body: buildScanBody('renamed') })).status).toBe(201)
  })

  it.each([
    [{}, ['validation-failed', 'name required', 'urls required']],
    [buildScanBody('x', { urls: ['nonsense'] }), ['validation-failed', 'urls.0 bad-url']],
    [buildScanBody('x', { urls: ['ftp://a.example/'] }), ['validation-failed', 'urls.0 url-scheme']],
    [buildScanBody('x', { urls: ['https://u:p@a.example/'] }), ['validation-failed', 'urls.0 url-credentials']],
    [buildScanBody('x', { urls: ['https://a.example', 'https://a.example/'] }), ['validation-failed', 'urls.1 duplicate']],
    [buildScanBody('x', { domains: ['b.example'] }), ['validation-failed', 'urls.0 outside-domains']],
    [buildScanBody('x', { domains: ['a b'] }), ['validation-failed', 'domains.0 bad-domain']],
    [buildScanBody('x', { shade: 'red' }), ['validation-failed', 'shade unknown-field']],
    [buildScanBody('x', { pageLimit: 0 }), ['validation-failed', 'pageLimit too-small']],
    [buildScanBody('x'.repeat(256)), ['validation-failed', 'name too-long']],
    [buildScanBody('a\nb'), ['validation-failed', 'name wrong-format']],
    [buildScanBody('\u200b'), ['validation-failed', 'name too-short']],
    // PostgreSQL rejects both of these.
    [buildScanBody('a\0b'), ['validation-failed', 'name wrong-format']],
    [buildScanBody('a\ud800b'), ['validation-failed', 'name wrong-format']],
    [
      buildScanBody('x', { advanced: { meaninglessParameters: ['\0'] } }),
      ['validation-failed', 'advanced.meaninglessParameters.0 wrong-format'],
    ],
    [buildScanBody('x', { type: 'huge' }), ['validation-failed', 'type unknown-value']],
  ])('reports the errors of %j', async (body, expected) => {
    expect(await getProblem(body)).toEqual(expected)
  })

  it('are listed by name for users who can see them', async () => {
    for (const name of ['beta', 'Alpha']) await api.call('POST', '/scans', { body: buildScanBody(name) })
    const names = async (token?: string) =>
      ((await api.call('GET', '/scans/names', token ? { token } : {})).body as { name: string }[]).map(({ name }) => name)
    const all = await names()
    expect(all.filter((name) => /^(alpha|beta)$/i.test(name))).toEqual(['Alpha', 'beta'])
    const listed = (await api.call('GET', '/scans?size=500')).body as { content: { name: string }[] }
    expect([...all].sort()).toEqual(listed.content.map(({ name }) => name).sort())
    expect(await names(await api.token('stranger'))).toEqual([])
  })

  it('has unique names, ignoring case', async () => {
    await api.call('POST', '/scans', { body: buildScanBody('Taken') })
    expect(await getProblem(buildScanBody(' TAKEN '))).toEqual(['name-taken', 'name name-taken'])
    const validateName = (name: string) => api.call('POST', '/scans/validate', { body: { name } })
    expect((await validateName('taken')).body).toMatchObject({ success: false, code: 'name-taken' })
    expect((await validateName(' ')).body).toMatchObject({ success: false, code: 'required' })
    expect((await validateName('Free')).body).toEqual({ success: true })
  })

  it('lists visible scans, filtered, sorted and paged', async () => {
    const token = await api.token('lister')
    for (const name of ['List C', 'List a', 'List B'])
      await api.call('POST', '/scans', {
        token,
        body: buildScanBody(name, { urls: [`https://${name.at(-1)}.example/`] }),
      })
    type List = { content: { id: string; name: string; favorite: boolean }[]; page: { totalElements: number } }
    const names = async (query: string) => {
      const { body } = await api.call('GET', `/scans?${query}`, { token })
      return [(body as List).page.totalElements, ...(body as List).content.map((scan) => scan.name)]
    }
    expect(await names('')).toEqual([3, 'List a', 'List B', 'List C'])
    expect(await names('sort=name,desc&size=2&page=1')).toEqual([3, 'List a'])
    expect(await names('search=B.EXAMPLE')).toEqual([1, 'List B'])
    expect(await names('search=%25')).toEqual([0])
    const first = ((await api.call('GET', '/scans', { token })).body as List).content[0]!
    await api.call('POST', `/scans/${first.id}/favorite?status=true`, { token })
    expect(await names('favorites=true')).toEqual([1, 'List a'])
    expect(await names('running=true')).toEqual([0])
    const admin = await api.token('boss', ['admin'])
    expect(((await api.call('GET', '/scans?search=List', { token: admin })).body as List).page.totalElements).toBe(3)
    const stranger = await api.token('stranger')
    expect(((await api.call('GET', '/scans', { token: stranger })).body as List).page.totalElements).toBe(0)
    expect((await api.call('GET', '/scans?size=0x10', { token })).status).toBe(400)
    expect((await api.call('GET', '/scans?sort=shade,asc', { token })).status).toBe(400)
    expect((await api.call('GET', '/scans?search=%00', { token })).body).toMatchObject({
      code: 'validation-failed',
      errors: [{ path: 'search', code: 'wrong-format' }],
    })
  })

  it('returns the start of the next run, and sorts by it', async () => {
    const createScan = (name: string, startDate?: string) =>
      api.call('POST', '/scans', {
        body: buildScanBody(`Next ${name}`, {
          ...(startDate && { schedule: { frequency: 'once', startDate, startTime: '03:00', timeZone: 'Europe/Berlin' } }),
        }),
      })
    for (const [name, date] of [['never'], ['late', '2099-02-01'], ['soon', '2099-01-05']] as const)
      expect((await createScan(name, date)).status).toBe(201)
    const sorted = async (direction: string) =>
      (
        (await api.call('GET', `/scans?search=Next&sort=nextRun,${direction}`)).body as {
          content: { name: string; nextRunAt: string | null }[]
        }
      ).content.map(({ name, nextRunAt }) => [name, nextRunAt])
    const soon = ['Next soon', '2099-01-05T02:00:00.000Z']
    const late = ['Next late', '2099-02-01T02:00:00.000Z']
    expect(await sorted('asc')).toEqual([soon, late, ['Next never', null]])
    expect(await sorted('desc')).toEqual([late, soon, ['Next never', null]])
  })

  it('queues one run at a time and cancels it', async () => {
    const { id } = (await api.call('POST', '/scans', { body: buildScanBody('Runs') })).body as { id: string }
    const started = await api.call('POST', `/scans/${id}/startRun`)
    expect([started.status, started.body]).toMatchObject([202, { number: 1, status: 'queued' }])
    expect((await api.call('POST', `/scans/${id}/startRun`)).status).toBe(409)
    expect((await api.call('POST', `/scans/${id}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    expect((await api.call('POST', `/scans/${id}/cancel`)).status).toBe(409)
    expect((await api.call('POST', `/scans/${id}/startRun`)).body).toMatchObject({ number: 2 })
  })

  it('returns problems for unreadable and missing resources', async () => {
    const token = await api.token('someone')
    const send = (payload: string, type: string) =>
      api.app.inject({
        method: 'POST',
        url: '/monitor-api/scans',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        payload,
      })
    const broken = await send('{', 'application/json')
    expect([broken.statusCode, broken.json<Problem>().code]).toEqual([400, 'bad-request'])
    expect((await send('<a/>', 'text/xml')).json<Problem>().code).toBe('unsupported-type')
    expect((await send(`"${'x'.repeat(17_000_000)}"`, 'application/json')).json<Problem>().code).toBe('too-large')
    expect((await api.call('GET', '/nothing')).body).toMatchObject({ code: 'not-found', requestId: expect.any(String) })
    const endless = await api.call('GET', `/scans/${'a'.repeat(600)}`)
    expect([endless.status, (endless.body as Problem).code]).toEqual([404, 'not-found'])
    const escape = await api.call('GET', '/scans/%zz')
    expect([escape.status, (escape.body as Problem).code]).toEqual([400, 'bad-request'])
    expect((await api.call('GET', '/scans', { token: 'a.b.c' })).body).toMatchObject({ code: 'token-rejected' })
  })
})
