import { expect, it } from 'vitest'
import { fate, html, poolOfFile, siteOfFile, tryScan, type Route } from '../../../test/harness.ts'

// Links are followed from where a page is once it has come to rest.

const pool = poolOfFile()
const moving = (script: string): Route =>
  html(
    'Moves',
    `<a href="item">Item</a><script>addEventListener('load', () => setTimeout(() => { ${script} }, 50))</script>`,
  )
const routes: Record<string, Route> = {
  '/': html('Home', '<a href="/app">App</a> <a href="/based">Based</a>'),
  '/app': moving(`history.replaceState(null, '', '/app/home/')`),
  '/app/home/item': html('Item of the app', ''),
  '/based': moving(`document.head.insertAdjacentHTML('beforeend', '<base href="/below/">')`),
  '/below/item': html('Item below', ''),
}
const site = siteOfFile(() => routes)

it('follows links from the URL and the base that a page has in the end', async () => {
  const { pages } = await tryScan(pool, site, {})
  expect(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, fate(page)]))).toEqual({
    '/': 'completed',
    '/app': 'completed',
    '/app/home/item': 'completed',
    '/based': 'completed',
    '/below/item': 'completed',
  })
})
