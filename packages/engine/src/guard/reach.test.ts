import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, serve, type TestSite } from '../../test/harness.ts'
import { reachUrl } from './reach.ts'

let site: TestSite
let siteHost: string
const userAgents: unknown[] = []
beforeAll(async () => {
  site = await serve({
    '/': html('Home', 'here'),
    '/gone': (_request, response) => void response.writeHead(410).end(),
    '/away': (_request, response) =>
      void response.writeHead(302, { location: site.origin.replace('127.0.0.1', 'localhost') }).end(),
    '/agent': (request, response) => {
      userAgents.push(request.headers['user-agent'])
      response.writeHead(403).end()
    },
    '/silent': () => undefined,
    '/private': (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  })
  siteHost = new URL(site.origin).host
})
afterAll(() => site.close())
const loopbackRanges = ['127.0.0.0/8', '::1/128']
const reachWith = (url: string, allowPrivate: readonly string[], userAgent: string | null = null) =>
  reachUrl({ url, allowPrivate, userAgent })

it('tries https, then http, and reports which one responded', async () => {
  const emptyResult = { leadsTo: null, reason: null, detail: null }
  expect(await reachWith(siteHost, loopbackRanges)).toEqual({
    ...emptyResult,
    url: `http://${siteHost}/`,
    status: 200,
  })
  expect(await reachWith(`${siteHost}/gone`, loopbackRanges)).toMatchObject({
    url: `http://${siteHost}/gone`,
    status: 410,
  })
  expect(await reachWith(`${siteHost}/away`, loopbackRanges)).toMatchObject({
    status: 200,
    leadsTo: `http://${siteHost.replace('127.0.0.1', 'localhost')}/`,
  })
  // With a scheme, only that scheme is tried.
  expect(await reachWith(`https://${siteHost}`, loopbackRanges)).toMatchObject({ url: null, reason: 'bad-certificate' })
})

it('applies the guard’s rule at each hop and rejects hostile input', async () => {
  expect(await reachWith(siteHost, [])).toMatchObject({ url: null, reason: 'address-refused' })
  for (const line of [`http://${siteHost}/private`, '169.254.169.254', 'http://[::ffff:10.0.0.1]'])
    expect(await reachWith(line, loopbackRanges), line).toMatchObject({ url: null, reason: 'address-refused' })
  for (const line of [
    '',
    'file:///etc/passwd',
    `http://user:pass@${siteHost}/`,
    `user@${siteHost}`,
    'a b',
    'x'.repeat(4000),
    'javascript:alert(1)',
  ])
    expect(await reachWith(line, loopbackRanges), line.slice(0, 40)).toMatchObject({ url: null, status: null })
})

it('sends the user agent of a scan', async () => {
  expect(await reachWith(`http://${siteHost}/agent`, loopbackRanges)).toMatchObject({ status: 403 })
  await reachWith(`http://${siteHost}/agent`, loopbackRanges, 'Mine/1.0')
  expect(userAgents).toEqual(['Clearway', 'Mine/1.0'])
})

it('stops when aborted', async () => {
  const abortController = new AbortController()
  const pendingReach = reachUrl(
    { url: `http://${siteHost}/silent`, allowPrivate: loopbackRanges, userAgent: null },
    abortController.signal,
  )
  abortController.abort()
  expect(await pendingReach).toMatchObject({ url: null })
})
