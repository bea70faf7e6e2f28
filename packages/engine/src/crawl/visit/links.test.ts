import { expect, it } from 'vitest'
import { describeOutcome, html, useTestPool, useTestSite, tryScan, type Route } from '../../../test/harness.ts'

// Links are resolved against the page's final URL.

const pool = useTestPool()
const buildMovingPage = (scriptCode: string): Route =>
  html('Moves', `<a href="item">Item</a><script>addEventListener('load', () => setTimeout(() => { ${scriptCode} }, 50))</script>`)
const routes: Record<string, Route> = {
  '/': html('Home', '<a href="/app">App</a> <a href="/based">Based</a>'),
  '/app': buildMovingPage(`history.replaceState(null, '', '/app/home/')`),
  '/app/home/item': html('Item of the app', ''),
  '/based': buildMovingPage(`document.head.insertAdjacentHTML('beforeend', '<base href="/below/">')`),
  '/below/item': html('Item below', ''),
}
const site = useTestSite(() => routes)

it('resolves links by the final URL and base of a page', async () => {
  const { pages } = await tryScan(pool, site, {})
  expect(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, describeOutcome(page)]))).toEqual({
    '/': 'completed',
    '/app': 'completed',
    '/app/home/item': 'completed',
    '/based': 'completed',
    '/below/item': 'completed',
  })
})
