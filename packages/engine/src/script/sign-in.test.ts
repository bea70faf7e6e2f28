import { describe, expect, test } from 'vitest'
import { fate, html, rulesOf, serve, tryScan, type Route, poolOfFile } from '../../test/harness.ts'

const pool = poolOfFile()

describe('a scripted sign-in', () => {
  const sessions = new Set<string>()
  let signIns = 0
  let views = 0
  const cookie = (header: string | undefined) => /sid=(\w+)/.exec(header ?? '')?.[1] ?? ''
  const page =
    (body: string, dies = false): Route =>
    (request, response) => {
      const known = sessions.has(cookie(request.headers.cookie))
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        known ? html('In', `<p>Signed in</p>${body}`) : html('Out', '<a href="/login">Sign in</a>'),
      )
      views += 1
      if (known && dies) sessions.clear()
    }
  const routes: Record<string, Route> = {
    '/': page('<a href="/kills">1</a><a href="/after">2</a><a href="/logout">out</a>'),
    '/kills': page('', true),
    '/after': page('<img src="data:,">'),
    '/logout': (_, response) => {
      sessions.clear()
      response.end('bye')
    },
    '/login': html(
      'Login',
      `<form action="/in"><label>Name <input name="user"></label><label>Password <input type="password"
       name="password"></label><button>Go</button></form>`,
    ),
    '/in': (request, response) => {
      const right = request.url === '/in?user=alice&password=wonder%26land'
      signIns += 1
      const sid = `s${signIns}`
      if (right) sessions.add(sid)
      response
        .writeHead(302, {
          location: right ? '/' : '/login',
          ...(right ? { 'set-cookie': `sid=${sid}; HttpOnly` } : {}),
        })
        .end()
    },
  }
  const script = (origin: string, actions?: string[]) =>
    JSON.stringify({
      projects: [
        {
          name: 'Sign in',
          id: 's',
          pageList: [
            {
              name: 'Login',
              url: `${origin}/login`,
              actions: actions ?? [
                'type "<USER>" into element "input[name=user]"',
                'type "<PASSWORD>" into element "input[name=password]"',
                'click element "button"',
              ],
            },
          ],
        },
      ],
    })
  const variables = [
    { name: 'USER', value: 'alice' },
    { name: 'PASSWORD', value: 'wonder&land' },
  ]
  const mark = { means: 'signed-in', kind: 'text', value: 'Signed in' } as const

  test('signs in once, never out, and again when the session has ended', async () => {
    const site = await serve(routes)
    const scanned = await tryScan(pool, site, {
      advanced: { pagesAtOnce: 1 },
      plan: {
        session: { connection: null, script: { name: 's', text: script(site.origin), variables }, mark },
      },
    })
    expect(Object.values(scanned.pages).map(fate)).toEqual(['completed', 'completed', 'completed'])
    expect(
      scanned.excluded.map(({ url, exclusion }) => `${url.replace(site.origin, '')} ${exclusion}`),
    ).toEqual(['/logout url-to-skip'])
    expect(rulesOf(scanned.pages['/after'])).toContain('image-alt')
    expect(signIns).toBe(2)
    await site.close()
  })

  test('a page that stays signed out fails; it never counts as clean', async () => {
    const site = await serve({ ...routes, '/after': page('', true) })
    const before = views
    const scanned = await tryScan(pool, site, {
      urls: ['/after'],
      plan: {
        session: {
          connection: null,
          script: { name: 's', text: script(site.origin), variables },
          mark: { means: 'signed-in', kind: 'selector', value: '#never' },
        },
      },
    })
    expect(fate(scanned.pages['/after'])).toBe('failed session-failed')
    expect(views - before).toBeLessThan(20)
    await site.close()
  })

  test('a sign-in that does not work ends the run, and shows no secret', async () => {
    const site = await serve(routes)
    const text = script(site.origin, ['type "<PASSWORD>" into element "#nothing"'])
    const scanned = await tryScan(pool, site, {
      advanced: { scriptTimeoutMs: 2000 },
      plan: { session: { connection: null, script: { name: 's', text, variables }, mark } },
    })
    expect(scanned.end).toMatchObject({ kind: 'problem', problem: 'session-failed' })
    expect(JSON.stringify(scanned.end)).toContain('#nothing')
    expect(JSON.stringify([scanned.end, scanned.log])).not.toContain('wonder')
    await site.close()
  })
})
