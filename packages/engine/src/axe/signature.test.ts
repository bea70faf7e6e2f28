import { expect, it } from 'vitest'
import { html, tryScan, useTestPool, useTestSite } from '../../test/harness.ts'
import type { PageSignature } from '../outcome.ts'

// Hashes of the content and the structure of pages: what they tell apart, and what they do not.

const pool = useTestPool()
const list = (className: (index: number) => string) =>
  Array.from({ length: 8000 }, (_, index) => `<b class="${className(index)}">${index}</b>`).join('')
const letters = (index: number) =>
  Array.from(String(index))
    .map((digit) => 'abcdefghij'[Number(digit)])
    .join('')
const documents: Record<string, string> = {
  '/plain': html('Page', '<p>Text</p>'),
  '/with-address': html('Page', '<p>Text</p><a href="/plain">/plain</a>'),
  '/with-menu': html('Page', '<p>Text</p><nav><a href="/plain">Menu</a></nav>'),
  '/other-text': html('Page', '<p>Other</p>'),
  '/with-control': html('Page', '<p>Text</p><input aria-label="Name" name="name">'),
  '/checked': html('Page', '<p>Text</p><input aria-label="Name" type="checkbox" name="c" checked>'),
  '/unchecked': html('Page', '<p>Text</p><input aria-label="Name" type="checkbox" name="c">'),
  '/picture-a': html('Page', '<p>Text</p><img alt="" src="/a.png">'),
  '/picture-b': html('Page', '<p>Text</p><img alt="" src="/b.png">'),
  '/unlisted': html('Page', '<p>Text</p>').replace('</head>', '<meta name="robots" content="noindex"></head>'),
  '/clobbered': html('Page', '<p>Text</p><form><input name="firstChild"><input name="localName"></form>'),
  '/deep': html(
    'Page',
    `<p>Text</p><div id="d"></div><script>
      let deepest = d
      for (let depth = 0; depth < 4000; depth++) deepest = deepest.appendChild(document.createElement('i'))
      deepest.textContent = 'Hidden'
    </script>`,
  ),
  '/many-kinds': html(
    'Page',
    list((index) => `kind-${letters(index)}`),
  ),
}
const site = useTestSite(() => documents)

it('tell pages apart by text, controls, states and pictures, not by menus and addresses', async () => {
  const urls = Object.keys(documents)
  const startedAt = performance.now()
  const { pages } = await tryScan(pool, site, { urls, analyze: false, plan: { depth: 0 } })
  const read = (path: string): PageSignature => {
    const page = pages[path]
    if (page?.kind !== 'completed' || !page.signature) throw new Error(`${path} has no signature`)
    return page.signature
  }
  const { content } = read('/plain')
  for (const path of ['/with-address', '/with-menu', '/unlisted', '/deep']) expect(read(path).content, path).toBe(content)
  const others = ['/plain', '/other-text', '/with-control', '/checked', '/unchecked', '/picture-a', '/picture-b', '/clobbered']
  expect(new Set(others.map((path) => read(path).content)).size).toBe(others.length)
  expect(read('/other-text').template).toBe(read('/plain').template)
  expect(read('/with-control').template).not.toBe(read('/plain').template)
  expect([read('/unlisted').isUnlisted, read('/plain').isUnlisted]).toEqual([true, false])
  // Thousands of different children are not compared with one another.
  expect(performance.now() - startedAt).toBeLessThan(60_000)
})
