import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeReport, type PdfScope } from './report.ts'
import { findHits } from './check.ts'

const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path))
const manual = '/usr/share/doc/libtasn1-doc/libtasn1.pdf'
for (const [path, what] of [
  [office, 'LibreOffice (libreoffice-writer-nogui)'],
  [existsSync(manual) ? manual : undefined, 'libtasn1-doc'],
])
  if (!path)
    process.stderr.write(`\n${what} is not installed: PDFs of the real world are NOT all tested.\n\n`)

const both: PdfScope = { wcag: ['wcag2a', 'wcag2aa'], bestPractices: true, pdfUa: true }
const rulesOf = (path: string, scope: PdfScope = both): string[] => {
  const { facts, hits } = findHits(readFileSync(path))
  return [...new Set(makeReport(facts, hits, scope).findings.map(({ rule }) => rule))].sort()
}

const report = `<!doctype html><html lang="en"><title>Annual report</title><h1>Annual report</h1>
<p>Some text with a <a href="https://example.org/">link</a>.</p><h3>Skipped level</h3>
<table><tr><th>Year</th><th>Sum</th></tr><tr><td>2025</td><td>3</td></tr></table><ul><li>One</li><li>Two</li></ul>
<p><img src="x.png" width="40" height="40"></p></html>`

describe.skipIf(!office)('what LibreOffice exports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-office-'))
  const convert = (...args: string[]) =>
    promisify(execFile)(office!, ['--headless', `-env:UserInstallation=file://${folder}/profile`, ...args], {
      timeout: 60_000,
      cwd: folder,
    })
  const exported = async (name: string, option: string, value: boolean) => {
    const filter = JSON.stringify({ [option]: { type: 'boolean', value: String(value) } })
    await convert('--convert-to', `pdf:writer_pdf_Export:${filter}`, join(folder, 'doc.odt'))
    renameSync(join(folder, 'doc.pdf'), join(folder, name))
  }
  beforeAll(async () => {
    writeFileSync(join(folder, 'doc.html'), report)
    const red = new Uint8Array(40 * 40 * 3).map((_, i) => (i % 3 === 0 ? 255 : 0))
    writeFileSync(join(folder, 'x.png'), encode({ width: 40, height: 40, data: red, channels: 3, depth: 8 }))
    await convert('--infilter=HTML (StarWriter)', '--convert-to', 'odt', join(folder, 'doc.html'))
    await exported('tagged.pdf', 'UseTaggedPDF', true)
    await exported('untagged.pdf', 'UseTaggedPDF', false)
    await exported('ua.pdf', 'PDFUACompliance', true)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('as PDF/UA has the faults of the document, and no other', () => {
    expect(rulesOf(join(folder, 'ua.pdf'))).toEqual(['pdf-figure-alt', 'pdf-heading-skip', 'pdf-tab-order'])
  })

  it('with tags lacks what only PDF/UA asks for', () => {
    const rules = rulesOf(join(folder, 'tagged.pdf'))
    expect(rules).toEqual(expect.arrayContaining(['pdf-figure-alt', 'pdf-heading-skip', 'pdf-title']))
    // Standard tags mapped to themselves are reported for PDF/UA only.
    expect(rules).toContain('pdf-role-loop')
    expect(rulesOf(join(folder, 'tagged.pdf'), { ...both, pdfUa: false })).not.toContain('pdf-role-loop')
  })

  it('without tags has one fault that says so, and not one for each line', () => {
    expect(rulesOf(join(folder, 'untagged.pdf'), { ...both, pdfUa: false })).toEqual(
      expect.arrayContaining(['pdf-tagged', 'pdf-title']),
    )
    expect(rulesOf(join(folder, 'untagged.pdf'), { ...both, pdfUa: false })).not.toContain(
      'pdf-content-untagged',
    )
  })
})

it.skipIf(!existsSync(manual))('a manual that TeX made is untagged, without title and language', () => {
  expect(rulesOf(manual, { ...both, pdfUa: false })).toEqual(
    expect.arrayContaining(['pdf-lang', 'pdf-link-text', 'pdf-tagged', 'pdf-title']),
  )
})
