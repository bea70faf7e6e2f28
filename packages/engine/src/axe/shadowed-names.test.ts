import { expect, it } from 'vitest'
import { html, tryScan, useTestPool, useTestSite } from '../../test/harness.ts'

// A page can name elements like properties of the document or of a form, which then return the elements.

const pool = useTestPool()
const names = 'nodeType localName parentElement parentNode children firstChild getAttribute textContent isConnected'.split(' ')
const fields = names.map((name) => `<input type="hidden" name="${name}">`).join('')
const text = '<p>Boats leave twice a day from the harbor behind the lighthouse.</p>'.repeat(5)
const refusing = `document.cookie = 'choice=refused;path=/'; document.querySelector('form').remove()`
const requestedCookies: (string | undefined)[] = []
const site = useTestSite(() => ({
  '/evidence': html('Evidence', `<img name="documentElement" alt="Boat" src="data:,"><form>${fields}${text}</form>`),
  '/banner': html(
    'Banner',
    `${text}<img name="documentElement" alt="Boat" src="data:,"><form role="dialog" aria-label="We use cookies" style="position:fixed;inset:20%;background:#fff">${fields}
    <p>We use cookies</p><button type="button">Accept all</button> <button type="button" onclick="${refusing}">Reject all</button></form>
    <a href="/next">Next</a>`,
  ),
  '/next': (request, response) => {
    requestedCookies.push(request.headers.cookie)
    response.end('<!doctype html><title>Next</title>')
  },
}))

it('shadowed properties neither hide the evidence nor stop the search for banners', async () => {
  const { pages } = await tryScan(pool, site, {
    urls: ['/evidence', '/banner'],
    plan: { depth: 1, concurrency: 1 },
    advanced: { closeBanners: true, savePictures: false },
  })
  const outcome = pages['/evidence']
  expect(outcome?.kind === 'completed' ? outcome.evidence?.textLength : outcome).toBeGreaterThan(300)
  expect(pages['/banner']).toMatchObject({ kind: 'completed' })
  expect(requestedCookies).toContain('choice=refused')
})
