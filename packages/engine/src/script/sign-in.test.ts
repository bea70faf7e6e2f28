/** @module-tag slow */
import { describe, expect, test } from 'vitest'
import { describeOutcome, html, listRules, serve, tryScan, type Route, useTestPool } from '../../test/harness.ts'

const pool = useTestPool()

describe('a scripted sign-in', () => {
  const sessions = new Set<string>()
  let signInCount = 0
  let viewCount = 0
  const readSessionId = (header: string | undefined) => /sid=(\w+)/.exec(header ?? '')?.[1] ?? ''
  const servePage =
    (pageBody: string, endsSessions = false): Route =>
    (request, response) => {
      const isSignedIn = sessions.has(readSessionId(request.headers.cookie))
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(isSignedIn ? html('In', `<p>Signed in</p>${pageBody}`) : html('Out', '<a href="/login">Sign in</a>'))
      viewCount += 1
      if (isSignedIn && endsSessions) sessions.clear()
    }
  const routes: Record<string, Route> = {
    '/': servePage('<a href="/kills">1</a><a href="/after">2</a><a href="/logout">out</a>'),
    '/kills': servePage('', true),
    '/after': servePage('<img src="data:,">'),
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
      const isCorrect = request.url === '/in?user=alice&password=wonder%26land'
      signInCount += 1
      const sessionId = `s${signInCount}`
      if (isCorrect) sessions.add(sessionId)
      response
        .writeHead(302, {
          location: isCorrect ? '/' : '/login',
          ...(isCorrect ? { 'set-cookie': `sid=${sessionId}; HttpOnly` } : {}),
        })
        .end()
    },
  }
  const buildScript = (origin: string, actions?: string[]) =>
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
  const signInMark = { means: 'signed-in', kind: 'text', value: 'Signed in' } as const

  test('signs in once, never signs out, and signs in again after the session ends', async () => {
    const site = await serve(routes)
    const testScan = await tryScan(pool, site, {
      advanced: { pagesAtOnce: 1 },
      plan: { session: { connection: null, script: { name: 's', text: buildScript(site.origin), variables }, mark: signInMark } },
    })
    expect(Object.values(testScan.pages).map(describeOutcome)).toEqual(['completed', 'completed', 'completed'])
    expect(testScan.excluded.map(({ url, exclusion }) => `${url.replace(site.origin, '')} ${exclusion}`)).toEqual([
      '/logout acting-link',
    ])
    expect(listRules(testScan.pages['/after'])).toContain('image-alt')
    // The third sign-in proves that the page which ended the session did so, and not the time.
    expect(signInCount).toBe(3)
    await site.close()
  })

  test('a page that stays signed out fails and never counts as clean', async () => {
    const site = await serve({ ...routes, '/after': servePage('', true) })
    const viewsBefore = viewCount
    const testScan = await tryScan(pool, site, {
      urls: ['/after'],
      plan: {
        session: {
          connection: null,
          script: { name: 's', text: buildScript(site.origin), variables },
          mark: { means: 'signed-in', kind: 'selector', value: '#never' },
        },
      },
    })
    expect(describeOutcome(testScan.pages['/after'])).toBe('failed session-failed')
    expect(viewCount - viewsBefore).toBeLessThan(20)
    await site.close()
  })

  test('a failed sign-in ends the run and leaks no secret', async () => {
    const site = await serve(routes)
    const scriptText = buildScript(site.origin, ['type "<PASSWORD>" into element "#nothing"'])
    const testScan = await tryScan(pool, site, {
      advanced: { scriptTimeoutMs: 2000 },
      plan: { session: { connection: null, script: { name: 's', text: scriptText, variables }, mark: signInMark } },
    })
    expect(testScan.end).toMatchObject({ kind: 'problem', problem: 'session-failed' })
    expect(JSON.stringify(testScan.end)).toContain('#nothing')
    expect(JSON.stringify([testScan.end, testScan.log])).not.toContain('wonder')
    await site.close()
  })
})
