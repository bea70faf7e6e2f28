import { expect, it } from 'vitest'
import {
  fate,
  html,
  poolOfFile,
  recognising,
  siteOfFile,
  tryScan,
  type Route,
} from '../../../test/harness.ts'

// Documents that are no HTML: drawings are pages as others are, of XML nothing is tested, and it says so.

const pool = poolOfFile()
const sending =
  (type: string, body: string, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)
const svg = (body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" lang="en"><title>Drawing</title>${body}</svg>`
const routes: Record<string, Route> = {
  '/': html(
    'Home',
    ['/good.svg', '/bad.svg', '/saved.svg', '/data.xml']
      .map((path) => `<a href="${path}">${path}</a>`)
      .join(' '),
  ),
  '/good.svg': sending('image/svg+xml', svg('<g role="img" aria-label="A dot"><circle r="9"/></g>')),
  '/bad.svg': sending(
    'image/svg+xml; charset=utf-8',
    svg(`<a href="/linked"><circle role="img" cx="50" cy="50" r="20"/></a><g role="graphics-symbol"><rect width="9" height="9"/></g>
      <text x="10" y="150" lang="nonsense">Words</text>
      <script>setTimeout(() => document.documentElement.append(document.querySelector('g').cloneNode(true)), 300)</script>`),
  ),
  '/saved.svg': sending('image/svg+xml', svg(''), { 'content-disposition': 'attachment' }),
  '/data.xml': sending('application/xml', '<data><row>1</row></data>'),
  '/linked': html('Linked', ''),
}
const site = siteOfFile(() => routes)

it('drawings are tested, and their links followed; XML is excluded by its type', async () => {
  const advanced = { savePictures: true, ...recognising }
  const { pages } = await tryScan(pool, site, { advanced })
  expect(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, fate(page)]))).toEqual({
    '/': 'completed',
    '/good.svg': 'completed',
    '/bad.svg': 'completed',
    '/saved.svg': 'excluded mime-type',
    '/data.xml': 'excluded mime-type',
    '/linked': 'completed',
  })
  const [good, bad] = [pages['/good.svg']!, pages['/bad.svg']!]
  if (good.kind !== 'completed' || bad.kind !== 'completed') throw new Error('not completed')
  const found = ({ findings }: typeof good) =>
    findings.map(({ rule, severity, target }) => `${rule} ${severity} ${target.join()}`).sort()
  // axe takes the title of a drawing for a text that is painted.
  const title = 'color-contrast needs review title'
  expect(found(good)).toEqual([title])
  expect(found(bad)).toEqual([
    title,
    'link-name serious a',
    'svg-img-alt serious circle',
    'svg-img-alt serious g:nth-child(3)',
    'svg-img-alt serious g:nth-child(6)',
    'valid-lang serious text',
  ])
  expect([bad.title, bad.mimeType, bad.views?.length]).toEqual(['Drawing', 'image/svg+xml', 1])
  expect(bad.fingerprint).toMatch(/^[0-9a-f]{40}$/)
  expect(bad.findings.filter(({ picture }) => picture === null).map(({ rule }) => rule)).toEqual([
    'color-contrast',
  ])
})
