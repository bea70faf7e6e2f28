import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-init-'))
afterAll(() => rmSync(folder, { recursive: true }))

function importText(text: string) {
  const file = join(folder, 'other')
  writeFileSync(file, text)
  const parsed = parseArguments(['init', '--from', file])
  return parsed.kind === 'init' ? parsed.imported : parsed.kind === 'wrong' ? parsed.message.replaceAll(file, 'FILE') : parsed
}

it('takes over a configuration of pa11y-ci, and names the rest', () => {
  const pa11y = {
    defaults: {
      timeout: 10_500,
      standard: 'WCAG2AA',
      concurrency: 4,
      userAgent: 'pa11y',
      headers: { 'X-A': 'b' },
      ignore: ['notice'],
      viewport: { width: 320, height: 480 },
      threshold: 3,
    },
    urls: ['https://a.example', { url: 'https://a.example/b', actions: ['click element #a'], timeout: 1 }],
  }
  expect(importText(JSON.stringify(pa11y))).toEqual({
    config: {
      urls: ['https://a.example', 'https://a.example/b'],
      depth: 0,
      'page-timeout': 11,
      standard: 'wcag21aa',
      concurrency: 4,
      'user-agent': 'pa11y',
      header: ['X-A: b'],
    },
    missing: ['defaults.ignore', 'defaults.viewport', 'defaults.threshold', 'urls[].actions', 'urls[].timeout'],
  })
})

it('takes over a configuration of Lighthouse CI', () => {
  const assertions = { 'categories:accessibility': ['error', { minScore: 0.9 }], 'first-paint': 'warn' }
  const lighthouse = { ci: { collect: { url: 'https://a.example', numberOfRuns: 3 }, assert: { assertions }, upload: {} } }
  expect(importText(JSON.stringify(lighthouse))).toEqual({
    config: { urls: ['https://a.example'], depth: 0, 'min-score': 0.9 },
    missing: ['ci.collect.numberOfRuns', 'ci.assert.assertions.first-paint', 'ci.upload'],
  })
})

it('takes over a sitemap, as a file or by its URL', () => {
  const sitemap = '<?xml version="1.0"?><urlset><url><loc> https://a.example/?a=1&amp;b=2 </loc></url></urlset>'
  expect(importText(sitemap)).toEqual({ config: { urls: ['https://a.example/?a=1&b=2'], depth: 0 }, missing: [] })
  expect(parseArguments(['init', '--from', 'https://a.example/x/sitemap.xml'])).toMatchObject({
    imported: { config: { urls: ['https://a.example/'], sitemap: ['https://a.example/x/sitemap.xml'] } },
  })
})

it.each([
  ['module.exports = {}', 'FILE is not JSON'],
  ['{"urls": 3}', 'neither a configuration of pa11y-ci'],
  ['<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>', 'not a sitemap with URLs'],
])('refuses %s', (text, message) => expect(importText(text)).toContain(message))

it('writes a file that the other commands read, and never over an existing one', () => {
  const program = join(import.meta.dirname, '../bin/clearway.mjs')
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  expect(run('init')).toMatchObject({ status: 2, stderr: expect.stringContaining('Which URL?') as string })
  expect(run('init', 'a.example')).toMatchObject({ status: 0, stderr: '' })
  const file = join(folder, 'clearway.config.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ urls: ['https://a.example/'] })
  expect(parseArguments(['scan', '--config', file])).toMatchObject({ arguments: { urls: ['https://a.example/'] } })
  expect(run('init', 'b.example')).toMatchObject({ status: 2, stderr: 'clearway.config.json exists already.\n' })
})
