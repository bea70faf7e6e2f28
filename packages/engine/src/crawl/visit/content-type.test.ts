/** @module-tag slow */
import { expect, test } from 'vitest'
import { writePdf } from '../../../../../fixtures/pdf/write.ts'
import { describeOutcome, html, listRules, type Route, tryScan, useTestPool, useTestSite } from '../../../test/harness.ts'

// The type of a URL is what the browser shows, and what a file contains: headers are often wrong.

const pool = useTestPool()
const page = html('Page', '<img src="data:,"><p><a href="/linked">linked</a></p>')
const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>X</title></head><body><main><h1>X</h1><img src="data:,"/></main></body></html>`
const pdf = Buffer.from(writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] }))

const serve =
  (content: string | Buffer, ...headers: [string, string][]): Route =>
  (_, response) => {
    for (const name of new Set(headers.map(([header]) => header)))
      response.setHeader(
        name,
        headers.filter(([header]) => header === name).map(([, value]) => value),
      )
    response.writeHead(200).end(content)
  }
const typed = (...types: string[]) => types.map((type): [string, string] => ['content-type', type])

/** Content-Type headers that the browser shows as a page. */
const pageTypes: Record<string, string[]> = {
  '/no-separator': ['text/html charset=utf-8'],
  '/comma': ['text/html, charset=utf-8'],
  '/two-lines': ['text/html', 'text/html; charset=utf-8'],
  '/last-line': ['text/plain', 'text/html'],
  '/any': ['*/*'],
  '/unknown': ['unknown/unknown'],
  '/application-unknown': ['application/unknown'],
  '/no-slash': ['html'],
  '/brackets': ['text/html(x)'],
  '/upper': ['TEXT/HTML'],
}
const xmlTypes: Record<string, string> = {
  '/xhtml': 'application/xhtml+xml',
  '/text-xml': 'text/xml',
  '/app-xml': 'application/xml',
}
const attachment = (name: string): [string, string] => ['content-disposition', `attachment; ${name}`]
const pdfPages: Record<string, Route> = {
  '/plain.pdf': serve(pdf, ...typed('application/pdf')),
  '/octet.pdf': serve(pdf, ...typed('application/octet-stream')),
  '/download.php': serve(pdf, ...typed('application/octet-stream'), attachment('filename="report.pdf"')),
  '/get/7': serve(pdf, ...typed('application/force-download'), attachment(`filename*=UTF-8''b%C3%A9.pdf`)),
  '/a.pdf/download': serve(pdf, ...typed('application/octet-stream'), attachment('filename=a.pdf')),
  '/x-download.pdf': serve(pdf, ...typed('application/x-download')),
  '/text.pdf': serve(pdf, ...typed('text/pdf')),
  '/unknown.pdf': serve(pdf, ...typed('application/unknown')),
  '/twice.pdf': serve(pdf, ...typed('application/pdf, application/pdf')),
  '/session.pdf;jsessionid=1': serve(pdf, ...typed('application/octet-stream')),
  '/x.aspx': serve(pdf, ...typed('application/x-pdf')),
  '/none': serve(pdf),
  '/nameless': serve(pdf, ...typed('application/octet-stream'), attachment('')),
}
const otherFiles: Record<string, Route> = {
  '/data.bin': serve(Buffer.alloc(5000, 1), ...typed('application/octet-stream')),
  '/archive': serve(pdf, ...typed('application/octet-stream'), attachment('filename="all.zip"')),
  '/text.txt': serve('text', ...typed('text/plain')),
  '/data.json': serve('{}', ...typed('application/json')),
  '/feed.xml': serve('<rss><channel/></rss>', ...typed('application/xml')),
}
const routes: Record<string, Route> = {
  ...Object.fromEntries(Object.entries(pageTypes).map(([path, types]) => [path, serve(page, ...typed(...types))])),
  ...Object.fromEntries(Object.entries(xmlTypes).map(([path, type]) => [path, serve(xhtml, ...typed(type))])),
  '/linked': page,
  '/style.xsl': serve(
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html"/><xsl:template match="/"><html lang="en"><head><title>S</title></head><body><main><h1>S</h1><img src="data:,"/></main></body></html></xsl:template></xsl:stylesheet>`,
    ...typed('text/xsl'),
  ),
  '/styled.xml': serve(
    '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/style.xsl"?><a/>',
    ...typed('application/xml'),
  ),
  ...pdfPages,
  ...otherFiles,
}
const site = useTestSite(() => routes)

test('every page that the browser shows is tested, whatever its header', async () => {
  const urls = [...Object.keys(pageTypes), ...Object.keys(xmlTypes), '/styled.xml']
  const { pages } = await tryScan(pool, site, { urls })
  const results = Object.fromEntries(
    Object.entries(pages).map(([path, outcome]) => [path, [describeOutcome(outcome), listRules(outcome).includes('image-alt')]]),
  )
  expect(results).toEqual(Object.fromEntries([...urls, '/linked'].map((path) => [path, ['completed', true]])))
})

test('PDFs of download handlers are found by name and content, and other files are not', async () => {
  const urls = [...Object.keys(pdfPages), ...Object.keys(otherFiles)]
  const { pages } = await tryScan(pool, site, { urls, advanced: { mimeTypes: ['text/html', 'application/pdf'] } })
  expect(Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))).toEqual({
    // Addresses are shown without their session.
    ...Object.fromEntries(Object.keys(pdfPages).map((path) => [path.replace(/;jsessionid=.*/, ''), 'completed'])),
    ...Object.fromEntries(Object.keys(otherFiles).map((path) => [path, 'failed mime-type'])),
  })
})
