import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, serve, type TestSite } from '../../test/harness.ts'
import { reachUrl } from './reach.ts'

let site: TestSite
let host: string
const agents: unknown[] = []
beforeAll(async () => {
  site = await serve({
    '/': html('Home', 'here'),
    '/gone': (_request, response) => void response.writeHead(410).end(),
    '/away': (_request, response) =>
      void response.writeHead(302, { location: site.origin.replace('127.0.0.1', 'localhost') }).end(),
    '/agent': (request, response) => {
      agents.push(request.headers['user-agent'])
      response.writeHead(403).end()
    },
    '/silent': () => undefined,
    '/private': (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  })
  host = new URL(site.origin).host
})
afterAll(() => site.close())
const loopback = ['127.0.0.0/8', '::1/128']
const reach = (url: string, allowPrivate: readonly string[], userAgent: string | null = null) =>
  reachUrl({ url, allowPrivate, userAgent })

it('tries https, then http, and says which answered with what', async () => {
  const nothing = { leadsTo: null, reason: null, detail: null }
  expect(await reach(host, loopback)).toEqual({ ...nothing, url: `http://${host}/`, status: 200 })
  expect(await reach(`${host}/gone`, loopback)).toMatchObject({ url: `http://${host}/gone`, status: 410 })
  expect(await reach(`${host}/away`, loopback)).toMatchObject({
    status: 200,
    leadsTo: `http://${host.replace('127.0.0.1', 'localhost')}/`,
  })
  // With a scheme, that one alone.
  expect(await reach(`https://${host}`, loopback)).toMatchObject({ url: null, reason: 'bad-certificate' })
})

it('goes by the rule of the guard, at each hop, and takes no hostile line', async () => {
  expect(await reach(host, [])).toMatchObject({ url: null, reason: 'address-refused' })
  for (const line of [`http://${host}/private`, '169.254.169.254', 'http://[::ffff:10.0.0.1]'])
    expect(await reach(line, loopback), line).toMatchObject({ url: null, reason: 'address-refused' })
  for (const line of [
    '',
    'file:///etc/passwd',
    `http://user:pass@${host}/`,
    `user@${host}`,
    'a b',
    'x'.repeat(4000),
    'javascript:alert(1)',
  ])
    expect(await reach(line, loopback), line.slice(0, 40)).toMatchObject({ url: null, status: null })
})

it('presents itself as a scan does', async () => {
  expect(await reach(`http://${host}/agent`, loopback)).toMatchObject({ status: 403 })
  await reach(`http://${host}/agent`, loopback, 'Mine/1.0')
  expect(agents).toEqual(['Clearway', 'Mine/1.0'])
})

it('ends when nobody wants to know any more', async () => {
  const gone = new AbortController()
  const asked = reachUrl(
    { url: `http://${host}/silent`, allowPrivate: loopback, userAgent: null },
    gone.signal,
  )
  gone.abort()
  expect(await asked).toMatchObject({ url: null })
})
