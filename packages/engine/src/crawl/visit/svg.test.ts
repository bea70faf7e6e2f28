import { expect, it } from 'vitest'
import { describeOutcome, html, useTestPool, auditAllSettings, useTestSite, tryScan, type Route } from '../../../test/harness.ts'

// Documents other than HTML: SVG drawings are tested like pages, XML is excluded by its type.

const pool = useTestPool()
const serveBody =
  (contentType: string, bodyText: string, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': contentType, ...headers }).end(bodyText)
const buildSvg = (svgContent: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" lang="en"><title>Drawing</title>${svgContent}</svg>`
const routes: Record<string, Route> = {
  '/': html(
    'Home',
    ['/good.svg', '/bad.svg', '/saved.svg', '/data.xml'].map((path) => `<a href="${path}">${path}</a>`).join(' '),
  ),
  '/good.svg': serveBody('image/svg+xml', buildSvg('<g role="img" aria-label="A dot"><circle r="9"/></g>')),
  '/bad.svg': serveBody(
    'image/svg+xml; charset=utf-8',
    buildSvg(`<a href="/linked"><circle role="img" cx="50" cy="50" r="20"/></a><g role="graphics-symbol"><rect width="9" height="9"/></g>
      <text x="10" y="150" lang="nonsense">Words</text>
      <script>setTimeout(() => document.documentElement.append(document.querySelector('g').cloneNode(true)), 300)</script>`),
  ),
  '/saved.svg': serveBody('image/svg+xml', buildSvg(''), { 'content-disposition': 'attachment' }),
  '/data.xml': serveBody('application/xml', '<data><row>1</row></data>'),
  '/linked': html('Linked', ''),
}
const site = useTestSite(() => routes)

it('SVG drawings are tested and their links followed; XML is excluded by its type', async () => {
  const advanced = { savePictures: true, ...auditAllSettings }
  const { pages } = await tryScan(pool, site, { advanced })
  expect(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, describeOutcome(page)]))).toEqual({
    '/': 'completed',
    '/good.svg': 'completed',
    '/bad.svg': 'completed',
    '/saved.svg': 'excluded mime-type',
    '/data.xml': 'excluded mime-type',
    '/linked': 'completed',
  })
  const [goodPage, badPage] = [pages['/good.svg']!, pages['/bad.svg']!]
  if (goodPage.kind !== 'completed' || badPage.kind !== 'completed') throw new Error('not completed')
  const listFindings = ({ findings }: typeof goodPage) =>
    findings.map(({ rule, severity, target }) => `${rule} ${severity} ${target.join()}`).sort()
  // axe treats the title of a drawing as rendered text.
  const titleFinding = 'color-contrast needs review title'
  expect(listFindings(goodPage)).toEqual([titleFinding])
  expect(listFindings(badPage)).toEqual([
    titleFinding,
    'link-name serious a',
    'svg-img-alt serious circle',
    'svg-img-alt serious g:nth-child(3)',
    'svg-img-alt serious g:nth-child(6)',
    'valid-lang serious text',
  ])
  expect([badPage.title, badPage.mimeType, badPage.views?.length]).toEqual(['Drawing', 'image/svg+xml', 1])
  expect(badPage.fingerprint).toMatch(/^[0-9a-f]{40}$/)
  expect(badPage.findings.filter(({ picture }) => picture === null).map(({ rule }) => rule)).toEqual(['color-contrast'])
})
