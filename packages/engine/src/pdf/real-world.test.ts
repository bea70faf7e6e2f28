/** @module-tag slow */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildReport, type PdfScope } from './report.ts'
import { findHits } from './check.ts'

const officePath = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path))
const manualPath = '/usr/share/doc/libtasn1-doc/libtasn1.pdf'
for (const [path, packageName] of [
  [officePath, 'LibreOffice (libreoffice-writer-nogui)'],
  [existsSync(manualPath) ? manualPath : undefined, 'libtasn1-doc'],
])
  if (!path) process.stderr.write(`\n${packageName} is not installed: PDFs of the real world are NOT all tested.\n\n`)

const fullScope: PdfScope = { wcag: ['wcag2a', 'wcag2aa'], bestPractices: true, pdfUa: true }
const listRules = (path: string, scope: PdfScope = fullScope): string[] => {
  const { facts, hits } = findHits(readFileSync(path))
  return [...new Set(buildReport(facts, hits, scope).findings.map(({ rule }) => rule))].sort()
}

const reportHtml = `<!doctype html><html lang="en"><title>Annual report</title><h1>Annual report</h1>
<p>Some text with a <a href="https://example.org/">link</a>.</p><h3>Skipped level</h3>
<table><tr><th>Year</th><th>Sum</th></tr><tr><td>2025</td><td>3</td></tr></table><ul><li>One</li><li>Two</li></ul>
<p><img src="x.png" width="40" height="40"></p></html>`

describe.skipIf(!officePath)('LibreOffice exports', () => {
  const officeFolder = mkdtempSync(join(tmpdir(), 'clearway-office-'))
  const runConvert = (...args: string[]) =>
    promisify(execFile)(officePath!, ['--headless', `-env:UserInstallation=file://${officeFolder}/profile`, ...args], {
      timeout: 60_000,
      cwd: officeFolder,
    })
  const exportPdf = async (fileName: string, option: string, value: boolean) => {
    const exportFilter = JSON.stringify({ [option]: { type: 'boolean', value: String(value) } })
    await runConvert('--convert-to', `pdf:writer_pdf_Export:${exportFilter}`, join(officeFolder, 'doc.odt'))
    renameSync(join(officeFolder, 'doc.pdf'), join(officeFolder, fileName))
  }
  beforeAll(async () => {
    writeFileSync(join(officeFolder, 'doc.html'), reportHtml)
    const redPixels = new Uint8Array(40 * 40 * 3).map((_, i) => (i % 3 === 0 ? 255 : 0))
    writeFileSync(join(officeFolder, 'x.png'), encode({ width: 40, height: 40, data: redPixels, channels: 3, depth: 8 }))
    await runConvert('--infilter=HTML (StarWriter)', '--convert-to', 'odt', join(officeFolder, 'doc.html'))
    await exportPdf('tagged.pdf', 'UseTaggedPDF', true)
    await exportPdf('untagged.pdf', 'UseTaggedPDF', false)
    await exportPdf('ua.pdf', 'PDFUACompliance', true)
  })
  afterAll(() => rmSync(officeFolder, { recursive: true, force: true }))

  it('PDF/UA exports have exactly the faults of the document', () => {
    expect(listRules(join(officeFolder, 'ua.pdf'))).toEqual(['pdf-figure-alt', 'pdf-heading-skip', 'pdf-tab-order'])
  })

  it('tagged exports lack PDF/UA requirements', () => {
    const ruleIds = listRules(join(officeFolder, 'tagged.pdf'))
    expect(ruleIds).toEqual(expect.arrayContaining(['pdf-figure-alt', 'pdf-heading-skip', 'pdf-title']))
    // Standard tags mapped to themselves are reported only for PDF/UA.
    expect(ruleIds).toContain('pdf-role-loop')
    expect(listRules(join(officeFolder, 'tagged.pdf'), { ...fullScope, pdfUa: false })).not.toContain('pdf-role-loop')
  })

  it('untagged exports have a single fault instead of one per line', () => {
    expect(listRules(join(officeFolder, 'untagged.pdf'), { ...fullScope, pdfUa: false })).toEqual(
      expect.arrayContaining(['pdf-tagged', 'pdf-title']),
    )
    expect(listRules(join(officeFolder, 'untagged.pdf'), { ...fullScope, pdfUa: false })).not.toContain('pdf-content-untagged')
  })
})

it.skipIf(!existsSync(manualPath))('a TeX manual is untagged, without title and language', () => {
  expect(listRules(manualPath, { ...fullScope, pdfUa: false })).toEqual(
    expect.arrayContaining(['pdf-lang', 'pdf-link-text', 'pdf-tagged', 'pdf-title']),
  )
})
