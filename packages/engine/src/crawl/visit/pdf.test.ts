import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { assemblePdf, writePdf } from '../../../../../fixtures/pdf/write.ts'
import { describeOutcome, html, tryScan, type Route, useTestSite, useTestPool } from '../../../test/harness.ts'

const pool = useTestPool()
const site = useTestSite(() => routes)

const servePdf =
  (bytes: Uint8Array | string): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes)
const pdfObjects = {
  1: '<</Type /Catalog /Pages 2 0 R>>',
  2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R>>',
}
/** Zeros: few bytes to fetch, very many to read. */
const zipBomb = deflateSync(Buffer.alloc(200 * 2 ** 20), { level: 9 })
const buildStream = (data: Buffer, dictionaryEntries: string) =>
  `<<${dictionaryEntries} /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`
const zeroHex = '00'.repeat(32)

const routes: Record<string, Route> = {
  '/good.pdf': servePdf(writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })),
  '/page.pdf': servePdf('<!doctype html><title>Not found</title>'),
  '/damaged.pdf': servePdf('%PDF-1.7\nand then nothing'),
  '/locked.pdf': servePdf(
    assemblePdf(
      { ...pdfObjects, 4: '<</Length 0>>\nstream\n\nendstream' },
      `/Root 1 0 R /ID [<00> <00>] /Encrypt <</Filter /Standard /V 2 /R 3 /Length 128 /P -1 /O <${zeroHex}> /U <${zeroHex}>>>`,
    ),
  ),
  '/bomb.pdf': servePdf(assemblePdf({ ...pdfObjects, 4: buildStream(zipBomb, '/Filter /FlateDecode') }, '/Root 1 0 R')),
}
routes['/'] = html(
  'PDFs',
  Object.keys(routes)
    .map((path) => `<a href="${path}">${path}</a>`)
    .join(' '),
)

test('each PDF ends with its own outcome', async () => {
  const { pages } = await tryScan(pool, site, { advanced: { mimeTypes: ['text/html', 'application/pdf'] } })
  expect(Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))).toEqual({
    '/': 'completed',
    '/good.pdf': 'completed',
    '/page.pdf': 'failed html-instead-of-pdf',
    '/damaged.pdf': 'failed pdf-damaged',
    '/locked.pdf': 'failed pdf-locked',
    '/bomb.pdf': 'failed pdf-too-complex',
  })
})
