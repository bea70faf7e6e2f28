/** @module-tag slow */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import { formatReport } from './format.ts'
import { collectPictures, runScan, type ScanResult } from './scan.ts'

// The report for browsers is tested by the product itself.

type Scanned = Extract<ScanResult, { kind: 'report' }>
async function runScanOf(args: readonly string[], advanced: object = {}): Promise<Scanned> {
  const command = parseArguments(['scan', '--allow-private', '--no-sandbox', '--depth', '0', ...args])
  if (command.kind !== 'scan') throw new Error(JSON.stringify(command))
  Object.assign(command.arguments.advanced, advanced)
  const result = await runScan(command.arguments, '0.0.0', new AbortController().signal, null)
  if (result.kind === 'nothing') throw new Error(result.message)
  return result
}

const folder = mkdtempSync(join(tmpdir(), 'clearway-html-'))
let site: Site
let html: string
beforeAll(async () => {
  site = await startSite()
  const urls = ['/critical/mixed', '/critical/label', '/serious/link-name', '/status/404'].map((path) => site.url + path)
  const scanned = await runScanOf([...urls, '--output', join(folder, 'report.html')])
  html = formatReport('html', scanned.report, { pictures: collectPictures(scanned) })
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

it('loads nothing, and shows pictures of the elements', () => {
  expect(html).not.toMatch(/<(link|iframe|img)\b|@import|url\((?!data:)/)
  expect(html.match(/background-image:url\(data:image\/jpeg;base64,/g)!.length).toBeGreaterThan(2)
  expect(html.match(/role="img"/g)!.length).toBeGreaterThan(4)
  expect(html).toContain('http-404')
})

it.each([1280, 320])('has no accessibility issues at a width of %i pixels', async (width) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`
  const { report } = await runScanOf([url], { windowWidth: width })
  server.close()
  const [page] = report.pages
  expect([page!.status, page!.issues.filter(({ severity }) => severity !== 'needs review')]).toEqual(['completed', []])
})

it('is written with other formats in one run', { timeout: 120_000 }, async () => {
  const names = ['a.html', 'a.md', 'a.sarif', 'a.xml', 'a.json', 'a.txt']
  const program = join(import.meta.dirname, '../bin/clearway.mjs')
  const args = ['scan', `${site.url}/critical/label`, '--depth', '0', '--allow-private', '--no-sandbox']
  const child = spawn(process.execPath, [program, ...args, ...names.flatMap((name) => ['--output', join(folder, name)])])
  expect(await once(child, 'close')).toEqual([0, null])
  const starts = names.map((name) => readFileSync(join(folder, name), 'utf8').slice(0, 15))
  expect(starts).toEqual([
    '<!doctype html>',
    '## Accessibilit',
    '{\n  "$schema": ',
    '<?xml version="',
    '{\n  "clearway":',
    'critical: A for',
  ])
})
