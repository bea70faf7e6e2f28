/** @module-tag slow */
import { html, serve, type Route, type TestSite } from '../../../../../engine/test/harness.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'

const api = useTestApi({ worker: true, environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
let site: TestSite
let origin: string
let admin: string
const seen: string[] = []
const form = '<form><label>Name <input name="n"></label><button>Go</button></form>'
const attempts: string[] = []
const door = html(
  'Enter',
  '<form method="post" action="/enter"><label>User name <input name="n"></label><label>Password <input type="password" name="p"></label><button>Go</button></form>',
)
const many = Array.from({ length: 1200 }, (_, n) => `<a href="/x${n}">n</a>`)
const routes: Record<string, Route> = {
  '/': html('Home', '<a href="/a">a</a> <a href="/x">x</a> <a href="/gone">g</a>'),
  '/a': html('A', form),
  '/welcome': html(
    'Welcome',
    '<dialog id="age" aria-label="Age" ><button id="refuse" style="position:fixed;left:128px;top:128px">I am under 18</button></dialog><button>Buy</button><script>age.showModal()</script>',
  ),
  '/many': html('Many', many.join(' ')),
  '/slow': () => undefined,
  '/later': (_request, response) => void setTimeout(() => response.end(), 1000),
  '/enter': (request, response) => {
    if (request.method !== 'POST') return response.writeHead(200, { 'content-type': 'text/html' }).end(door)
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      attempts.push(body)
      if (body.endsWith('=open+sesame')) response.writeHead(302, { location: '/members', 'set-cookie': 'in=1; Path=/' }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(door)
    })
  },
  '/members': (request, response) => {
    if (!request.headers.cookie?.includes('in=1')) response.writeHead(302, { location: '/enter' }).end()
    else
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('Members', '<p>Hello ann</p><a href="/bye">Sign out</a>'))
  },
  '/signed': (request, response) => {
    seen.push(request.headers.authorization ?? 'none')
    const isAuthorized = request.headers.authorization !== undefined
    response.writeHead(isAuthorized ? 200 : 401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' })
    response.end(html('Signed', 'in'))
  },
}
beforeAll(async () => {
  site = await serve(routes)
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await api.token('admin', ['access', 'admin'])
})
afterAll(async () => {
  await site.close()
})

type Event = { type: string; [key: string]: unknown }
type Found = { url: string; verdict: string; reason: string | null; detail: string | null }

/** Listens until the end; `until` stops early. */
async function listen(path: string, body: object, options: { token?: string; until?: (e: Event) => boolean } = {}) {
  const leaving = new AbortController()
  const reply = await fetch(`${origin}/monitor-api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${options.token ?? admin}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status: reply.status, problem: (await reply.json()) as { code: string; errors?: { path: string }[] }, events: [] }
  const events: Event[] = []
  let text = ''
  try {
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) if (part.startsWith('data: ')) events.push(JSON.parse(part.slice(6)) as Event)
      if (events.some((event) => options.until?.(event))) break
    }
  } finally {
    leaving.abort()
  }
  return { status: reply.status, problem: null, events }
}
const createSettings = (more: object = {}) => ({ urls: [`${site.origin}/`], type: 'custom', ...more })
const listFoundUrls = (events: Event[]) => events.filter(({ type }) => type === 'url').map((e) => e.url as Found)

describe('a preview of the scope', () => {
  it('reports each URL with the verdict of a run, and ends when done', async () => {
    const excludeRules = [{ kind: 'glob', pattern: '*/x' }]
    const { events } = await listen('/scans/scope-preview', { settings: createSettings({ excludeRules }) })
    expect(events.at(-1)).toEqual({ type: 'end', end: 'whole', detail: null, change: null })
    const verdicts = listFoundUrls(events).map(({ url, verdict, reason }) => [URL.parse(url)!.pathname, `${verdict} ${reason}`])
    expect(Object.fromEntries(verdicts)).toEqual({
      '/': 'crawled null',
      '/a': 'crawled null',
      '/gone': 'failed http-404',
      '/x': 'excluded excluded-by-rule',
    })
  })

  it('reports at most a thousand URLs', async () => {
    const excludeRules = [{ kind: 'prefix', pattern: `${site.origin}/x` }]
    const { events } = await listen('/scans/scope-preview', {
      settings: createSettings({ urls: [`${site.origin}/many`], excludeRules }),
    })
    expect(listFoundUrls(events)).toHaveLength(1000)
    expect(events.at(-1)).toEqual({ type: 'end', end: 'count', detail: null, change: null })
  })

  it('is as restricted as a run: private addresses stay blocked', async () => {
    const { events } = await listen('/scans/scope-preview', {
      settings: createSettings({ urls: ['http://127.0.0.2:8099/'] }),
    })
    expect(listFoundUrls(events)).toMatchObject([{ verdict: 'failed', reason: 'address-refused' }])
  })

  it('frees a slot when a listener leaves, and refuses more than two at once per person', async () => {
    const slow = { settings: createSettings({ urls: [`${site.origin}/slow`] }) }
    const abortControllers = [new AbortController(), new AbortController()]
    const openPreview = (signal: AbortSignal) =>
      fetch(`${origin}/monitor-api/scans/scope-preview`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify(slow),
        signal,
      })
    await Promise.all(abortControllers.map(({ signal }) => openPreview(signal)))
    const third = await listen('/scans/scope-preview', slow)
    expect(third).toMatchObject({ status: 429, problem: { code: 'quota-tries' } })
    for (const one of abortControllers) one.abort()
    const runPreview = async () => (await listen('/scans/scope-preview', { settings: createSettings() })).events
    await expect
      .poll(async () => (await runPreview()).at(-1), { timeout: 20_000, interval: 500 })
      .toMatchObject({
        end: 'whole',
      })
  })

  it('requires permission to create scans, or to edit the given scan', async () => {
    const createdScan = await api.call('POST', '/scans', { token: admin, body: buildScanBody('Previews') })
    const scanId = (createdScan.body as { id: string }).id
    const [owner, stranger] = [await api.token('owner'), await api.token('stranger')]
    const body = { settings: createSettings(), scanId }
    expect((await listen('/scans/scope-preview', body, { token: stranger })).status).toBe(404)
    const testScope = (token: string, sent: object) => api.call('POST', '/scans/scope-test', { token, body: sent })
    const test = { ...body, url: `${site.origin}/a` }
    const reach = (token: string) => api.call('POST', '/scans/reach', { token, body: { scanId, url: site.origin } })
    expect((await reach(stranger)).status).toBe(404)
    expect((await testScope(stranger, test)).status).toBe(404)
    const role = { group_id: null, team_id: null, person_id: 'owner', role: 'scanMember' as const }
    await api.db
      .insertInto('scan_access')
      .values({ id: crypto.randomUUID(), scan_id: scanId, ...role })
      .execute()
    expect((await testScope(owner, test)).status).toBe(403)
    await api.db.updateTable('scan_access').set({ role: 'scanAdmin' }).where('person_id', '=', 'owner').execute()
    expect((await testScope(owner, test)).status).toBe(200)
    expect((await reach(owner)).status).toBe(200)
  })

  it('reports errors in the settings', async () => {
    const wrong = await listen('/scans/scope-preview', { settings: createSettings({ urls: ['ftp://x/'] }) })
    expect(wrong).toMatchObject({ status: 400, problem: { errors: [{ path: 'settings.urls.0', code: 'url-scheme' }] } })
  })

  it('signs in with the stored secret of the scan', async () => {
    const session = { connection: { authType: 'basic', username: 'ann', password: 'secret' } }
    const urls = [`${site.origin}/signed`]
    const createdScan = await api.call('POST', '/scans', { token: admin, body: buildScanBody('Signed', { urls, session }) })
    const scanId = (createdScan.body as { id: string }).id
    const sessionWithoutSecret = { connection: { ...session.connection, password: null } }
    const again = await listen('/scans/scope-preview', {
      settings: createSettings({ urls, session: sessionWithoutSecret }),
      scanId,
    })
    expect(listFoundUrls(again.events)).toMatchObject([{ verdict: 'crawled' }])
    expect(seen.at(-1)).toBe(`Basic ${Buffer.from('ann:secret').toString('base64')}`)
    const none = await listen('/scans/scope-preview', { settings: createSettings({ urls, session: sessionWithoutSecret }) })
    expect(none.problem?.errors).toMatchObject([{ path: 'settings.session.connection.password', code: 'required' }])
  })
})

describe('a test of one URL', () => {
  it('reports the verdict of a run and the deciding rule', async () => {
    const excludeRules = [{ kind: 'prefix', pattern: `${site.origin}/x` }]
    const testScopeUrl = async (url: string) =>
      (await api.call('POST', '/scans/scope-test', { token: admin, body: { settings: createSettings({ excludeRules }), url } }))
        .body
    expect(await testScopeUrl(`${site.origin}/a`)).toMatchObject({ verdict: 'crawled', reason: null })
    const out = { verdict: 'excluded', reason: 'excluded-by-rule', detail: expect.stringContaining('Rule 1') as string }
    expect(await testScopeUrl(`${site.origin}/xyz`)).toMatchObject(out)
    expect(await testScopeUrl('https://other.example/')).toMatchObject({ verdict: 'excluded', reason: 'other-domain' })
    expect(await testScopeUrl('no url')).toMatchObject({ verdict: 'failed', reason: 'bad-url' })
  })
})

describe('a URL being typed', () => {
  const reach = (url: string, token = admin) => api.call('POST', '/scans/reach', { token, body: { url } })

  it('is requested by a worker over https, then http', async () => {
    const host = new URL(site.origin).host
    expect((await reach(host)).body).toEqual({
      url: `http://${host}/`,
      leadsTo: null,
      status: 200,
      reason: null,
      detail: null,
    })
    const many = await Promise.all(Array.from({ length: 3 }, () => reach(`${site.origin}/later`)))
    expect(many.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 429])
    expect((await reach('10.0.0.1')).body).toMatchObject({ url: null, reason: 'address-refused' })
  })
})

describe('a sign-in that is tried', () => {
  const trySignIn = async (connection: object, more: object = {}) =>
    await listen('/scans/sign-in-try', {
      settings: createSettings({ session: { connection }, urls: [`${site.origin}/members`] }),
      ...more,
    })
  const form = { authType: 'form', username: 'ann', password: 'open sesame' }
  const buildForm = (change: object = {}) => ({ ...form, url: `${site.origin}/enter`, ...change })

  it('shows the start page without and with the session, by the form of a page', async () => {
    const { events } = await trySignIn(buildForm())
    expect(events).toMatchObject([
      { type: 'end', end: 'signed-in', signedInAs: 'ann', memberTexts: ['Hello ann', 'Sign out', 'Members'], detail: null },
    ])
    const { visitorPage, memberPage } = events[0] as unknown as Record<
      'visitorPage' | 'memberPage',
      { title: string; screenshot: string }
    >
    expect([visitorPage.title, memberPage.title]).toEqual(['Enter', 'Members'])
    for (const { screenshot } of [visitorPage, memberPage])
      expect(Buffer.from(screenshot, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff')
  })

  it('shows the page that refused a password, which is sent once and never returned', async () => {
    attempts.splice(0)
    const { events } = await trySignIn(buildForm({ password: 'close sesame' }))
    expect(events).toMatchObject([
      {
        end: 'refused',
        detail: 'The site asks for the password again',
        memberPage: { title: 'Enter', url: `${site.origin}/enter` },
      },
    ])
    expect(attempts).toEqual(['n=ann&p=close+sesame'])
    expect(JSON.stringify(events)).not.toContain('close sesame')
  })

  it('asks the site whether it accepts a Basic password', async () => {
    const urls = [`${site.origin}/signed`]
    const session = { connection: { authType: 'basic', username: 'ann', password: 'x' } }
    const right = await listen('/scans/sign-in-try', { settings: createSettings({ urls, session }) })
    expect(right.events).toMatchObject([{ end: 'signed-in', visitorPage: { status: 401 }, memberPage: { status: 200 } }])
  })

  it('uses the stored password, on the page that it was stored for', async () => {
    const session = { connection: buildForm() }
    const settings = { urls: [`${site.origin}/members`], session }
    const createdScan = await api.call('POST', '/scans', { token: admin, body: buildScanBody('Form', settings) })
    const scanId = (createdScan.body as { id: string }).id
    expect((await trySignIn(buildForm({ password: null }), { scanId })).events).toMatchObject([{ end: 'signed-in' }])
    const moved = buildForm({ password: null, url: `${site.origin}/enter?next=elsewhere` })
    expect((await trySignIn(moved, { scanId })).problem?.errors).toMatchObject([
      { path: 'settings.session.connection.password', params: { reason: 'used-elsewhere' } },
    ])
  })

  it('refuses settings that sign in twice, and secrets of codes that are none', async () => {
    const script = {
      name: 'S',
      type: 'SESSION',
      text: 'projects:\n  - name: P\n    id: p\n    pageList:\n      - name: A\n        url: https://a.example/',
    }
    const settings = createSettings({ session: { connection: buildForm() }, scripts: { own: [script] } })
    const twice = await listen('/scans/sign-in-try', { settings })
    expect(twice.problem?.errors).toMatchObject([{ path: 'settings.session.connection.authType', code: 'invalid' }])
    const noSecret = await trySignIn(buildForm({ hasCode: true, codeSecret: '1890' }))
    expect(noSecret.problem?.errors).toMatchObject([{ path: 'settings.session.connection.codeSecret', code: 'wrong-format' }])
  })
})

it('lists the buttons of the start page as it arrives, with its picture', async () => {
  const { events } = await listen('/scans/page-buttons', { settings: createSettings({ urls: [`${site.origin}/welcome`] }) })
  expect(events).toMatchObject([
    {
      type: 'end',
      detail: null,
      page: { url: `${site.origin}/welcome`, title: 'Welcome', status: 200 },
      buttons: [{ selector: '#refuse', text: 'I am under 18', box: { left: 0.1, top: 0.125 } }],
    },
  ])
  const { page } = events[0] as unknown as { page: { screenshot: string } }
  expect(Buffer.from(page.screenshot, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff')
  const { events: failed } = await listen('/scans/page-buttons', { settings: createSettings({ urls: ['http://127.0.0.1:9/'] }) })
  expect(failed).toMatchObject([{ type: 'end', detail: expect.stringContaining('127.0.0.1:9'), page: null, buttons: [] }])
})

describe('a run that signs in by a form', () => {
  const runWith = async (password: string) => {
    attempts.splice(0)
    const session = { connection: { authType: 'form', url: `${site.origin}/enter`, username: 'ann', password } }
    const body = buildScanBody(`Run ${password}`, { urls: [`${site.origin}/members`], session })
    const { id } = (await api.call('POST', '/scans', { token: admin, body })).body as { id: string }
    await api.call('POST', `/scans/${id}/startRun`, { token: admin })
    const readRun = async () =>
      (await api.call('GET', `/scans/${id}/runs/1/overview`, { token: admin })).body as { status: string }
    await expect.poll(async () => (await readRun()).status, { timeout: 40_000, interval: 500 }).toMatch(/completed|failed/)
    return readRun()
  }

  it('tries a wrong password once, and says what the site answered', async () => {
    expect(await runWith('close sesame')).toMatchObject({
      status: 'failed',
      problem: 'session-failed',
      problemDetail: 'The site asks for the password again',
    })
    expect(attempts).toEqual(['n=ann&p=close+sesame'])
  })

  it('proves its pages', async () => {
    expect(await runWith('open sesame')).toMatchObject({
      status: 'completed',
      partial: false,
      pages: { completed: 1, failed: 0, proved: 1, unproved: 0 },
    })
    expect(attempts).toHaveLength(1)
  })
})

describe('a dry run of a script', () => {
  const createScript = (actions: string[]) =>
    `projects:\n  - name: P\n    id: p\n    pageList:\n      - name: A\n        url: ${site.origin}/a\n        actions:\n` +
    actions.map((action) => `          - '${action}'\n`).join('')
  const createTypingScript = () => createScript(['type "<WORD>" into element "input"', 'analyze'])

  it('reports each step with a picture, but no value of a variable', async () => {
    const variables = [{ name: 'WORD', value: 'opensesame' }]
    const { events } = await listen('/scripts/dry-run', { script: createTypingScript(), type: 'TASK', variables })
    expect(events.map(({ type }) => type)).toEqual(['step', 'step', 'step', 'end'])
    expect(events.at(-1)).toMatchObject({ end: 'done', reason: null, errors: [] })
    const step = events[1]!.step as { text: string; ok: boolean; screenshot: string }
    expect(step).toMatchObject({ text: expect.stringContaining('<WORD>') as string, ok: true })
    expect(Buffer.from(step.screenshot, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff')
    expect(JSON.stringify(events)).not.toContain('opensesame')
  })

  it('uses the stored value of a shared script for admins', async () => {
    const shared = { name: 'Types', type: 'TASK', text: createTypingScript(), variables: [{ name: 'WORD', value: 'stored' }] }
    const createdScript = await api.call('POST', '/scripts', { token: admin, body: shared })
    const scriptId = (createdScript.body as { id: string }).id
    const body = { script: createTypingScript(), type: 'TASK', variables: [{ name: 'WORD', value: null }] }
    expect((await listen('/scripts/dry-run', { ...body, scriptId })).events.at(-1)).toMatchObject({ end: 'done' })
    const member = await api.token('someone')
    expect((await listen('/scripts/dry-run', { ...body, scriptId }, { token: member })).status).toBe(403)
    const without = (await listen('/scripts/dry-run', body)).events.at(-1)
    expect(without).toMatchObject({ end: 'failed', detail: expect.stringContaining('<WORD>') as string })
  })

  it('reports where a text is no script, and which step failed', async () => {
    const invalid = await listen('/scripts/dry-run', { script: createScript(['do magic']), type: 'TASK' })
    expect(invalid.events).toMatchObject([{ end: 'invalid', errors: [{ code: 'unknown-action', line: 8 }] }])
    const failing = createScript(['wait for element "#never" to be found', 'analyze'])
    const advanced = { scriptTimeoutMs: 3000 }
    const body = { script: failing, type: 'TASK', settings: createSettings({ advanced }) }
    const { events } = await listen('/scripts/dry-run', body)
    expect(events.at(-2)).toMatchObject({ step: { number: 1, ok: false } })
    expect(events.at(-1)).toMatchObject({ end: 'failed', detail: expect.stringContaining('#never') as string })
  })
})
