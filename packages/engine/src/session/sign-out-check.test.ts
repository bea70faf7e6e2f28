/** @module-tag slow */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { buildFormSession, describeOutcome, html, serve, tryScan, useTestPool, type Route } from '../../test/harness.ts'

// Links that end the session are learned by what they did, and sessions that end by themselves teach nothing.

const pool = useTestPool()

const form = html(
  'Enter',
  '<form method="post" action="/enter"><label>Name <input name="u"></label><label>Secret <input type="password" name="p"></label><button>Go</button></form>',
)
const enoughPages = 1000

/** Starts a site for members. `pagesPerSession` ends its sessions by themselves. */
async function serveClub({ pagesPerSession = enoughPages } = {}) {
  const sessions = new Map<string, number>()
  const opened: string[] = []
  const counts = { signIns: 0 }
  const getId = (request: IncomingMessage) => /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const buildMemberPage =
    (path: string, act: (sessionId: string, url: string) => string | null = () => null): Route =>
    (request, response) => {
      const sessionId = getId(request)
      opened.push(path)
      const pagesLeft = sessions.get(sessionId) ?? 0
      const leadsTo = pagesLeft > 0 ? act(sessionId, request.url ?? '') : null
      if (pagesLeft <= 0 || leadsTo === '/enter') return response.writeHead(302, { location: '/enter' }).end()
      sessions.set(sessionId, (sessions.get(sessionId) ?? 1) - 1)
      response.setHeader('content-type', 'text/html')
      if (leadsTo === 'bye') return response.end(html('Good bye', '<p>You are gone.</p>'))
      const links = ['a', 'b', `feierabend?sid=${'0f'.repeat(16)}`, 'c', 'tschuess', 'd', 'e', 'vip']
      return response.end(
        html(`Club ${path}`, path === '/' ? links.map((link) => `<a href="/${link}">${link}</a>`).join(' ') : '<p>Text</p>'),
      )
    }
  const endSession = (leadsTo: string) => (sessionId: string) => {
    sessions.delete(sessionId)
    return leadsTo
  }
  const site = await serve({
    '/': buildMemberPage('/'),
    ...Object.fromEntries(['/a', '/b', '/c', '/d', '/e'].map((path) => [path, buildMemberPage(path)])),
    // Nothing ends without the parameter of its link, which is not stored.
    '/feierabend': buildMemberPage('/feierabend', (sessionId, url) =>
      url.includes('sid=0f') ? endSession('bye')(sessionId) : null,
    ),
    '/tschuess': buildMemberPage('/tschuess', endSession('/enter')),
    // A page for others leads to the sign-in, and leaves the session alone.
    '/vip': buildMemberPage('/vip', () => '/enter'),
    '/enter': (request, response) => {
      if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(form)
      counts.signIns += 1
      sessions.set(`s${counts.signIns}`, pagesPerSession)
      return response.writeHead(302, { location: '/', 'set-cookie': `sid=s${counts.signIns}; path=/` }).end()
    },
  })
  return { ...site, opened, counts, session: buildFormSession(`${site.origin}/enter`) }
}

const memberPaths = ['/', '/a', '/b', '/c', '/d', '/e']

// With several pages at a time, a page like /vip uses up the checks of a run now and then; the next run continues.
const maxScanMs = 60_000
for (const { concurrency, maxRuns } of [
  { concurrency: 1, maxRuns: 1 },
  { concurrency: 3, maxRuns: 3 },
])
  test(
    `links that end the session are learned, with ${concurrency} at a time in at most ${maxRuns} runs, and left out from then on`,
    { timeout: (maxRuns + 1) * maxScanMs },
    async () => {
      const club = await serveClub()
      const learned: string[] = []
      const onSignOutLearned = async (pattern: string) => void learned.push(pattern.replace(club.origin, ''))
      const listPatterns = () => learned.map((path) => `${club.origin}${path}`)
      for (let runs = 0; runs < maxRuns && learned.length < 2; runs += 1) {
        const plan = { session: club.session, concurrency, signOutUrls: listPatterns() }
        const testScan = await tryScan(pool, club, { plan, onSignOutLearned })
        for (const path of memberPaths) expect(describeOutcome(testScan.pages[path]), path).toBe('completed')
        expect(describeOutcome(testScan.pages['/vip'])).toBe('failed session-failed')
        // A page that says good bye is none of the signed-in user, also in the run that learns it.
        expect(testScan.pages['/feierabend']?.kind).not.toBe('completed')
        if (learned.includes('/tschuess') && !plan.signOutUrls.includes(`${club.origin}/tschuess`))
          expect(testScan.pages['/tschuess']).toMatchObject({
            kind: 'excluded',
            reason: 'acting-link',
            detail: 'It would sign the scan out: the session ended right after it was opened',
          })
      }
      expect(learned.toSorted()).toEqual(['/feierabend?sid=*', '/tschuess'])

      club.opened.splice(0)
      const signOutUrls = listPatterns()
      const nextScan = await tryScan(pool, club, { plan: { session: club.session, concurrency, signOutUrls } })
      expect(club.opened.filter((path) => /feierabend|tschuess/.test(path))).toEqual([])
      expect(
        nextScan.excluded.filter(({ exclusion }) => exclusion === 'acting-link').map(({ url }) => new URL(url).pathname),
      ).toEqual(['/feierabend', '/tschuess'])
      await club.close()
    },
  )

test.each([4, 7])('a session that ends after %i pages teaches nothing, and loses none', async (pagesPerSession) => {
  const club = await serveClub({ pagesPerSession })
  const learned: string[] = []
  const testScan = await tryScan(pool, club, {
    plan: { session: club.session, concurrency: 1, excludeRules: [{ kind: 'regex', pattern: 'feierabend|tschuess|vip' }] },
    onSignOutLearned: async (pattern) => void learned.push(pattern),
  })
  expect(learned).toEqual([])
  for (const path of memberPaths) expect(describeOutcome(testScan.pages[path]), path).toBe('completed')
  await club.close()
})
