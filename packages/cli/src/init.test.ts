import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-init-'))
afterAll(() => rmSync(folder, { recursive: true }))

function importText(text: string | Buffer, name = 'other') {
  const file = join(folder, name)
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
    settings: {
      scripts: { own: [{ name: 'pa11y-ci', type: 'TASK', text: expect.stringContaining('click element \\"#a\\"') as string }] },
      advanced: { windowWidth: 320, windowHeight: 480 },
    },
    missing: [
      'defaults.ignore: write the known issues to a baseline instead: clearway baseline',
      'defaults.threshold: clearway gate fails on new issues only, with a baseline of the known ones',
      'urls[].timeout',
    ],
  })
})

it('takes over actions of pa11y-ci as a script, secrets as variables, and none of a page with an unknown one', () => {
  const actions = [
    'navigate to https://a.example/login',
    'set field #user to "Ada"',
    'set field #password to hunter2',
    'check field [name="terms"]',
    'click element button[type=submit]',
    'wait for element .welcome to be visible',
  ]
  const urls = [
    { url: 'https://a.example/all', actions },
    { url: 'https://a.example/in', actions: actions.slice(1) },
    { url: 'https://a.example/odd', actions: ['click element <NAME>', 7] },
    { url: 'https://a.example/end', actions: ['set field #password to hunter2', 'set field #path to C:\\'] },
    { url: 'https://a.example/key', actions: ['set field [name=csrf_token] to s3cr3t\\', 'screen capture b.png'] },
  ]
  const imported = importText(
    JSON.stringify({ defaults: { actions: ['screen capture a.png'] }, urls: [...urls, 'https://a.example/'] }),
  )
  type Imported = { settings: { scripts: { own: [{ text: string }]; variables: object[] } }; missing: string[] }
  const { settings, missing } = imported as unknown as Imported
  const script = JSON.parse(settings.scripts.own[0].text) as { projects: [{ pageList: { url: string; actions: string[] }[] }] }
  expect(script.projects[0].pageList).toMatchObject([
    {
      url: 'https://a.example/in',
      actions: [
        String.raw`type "\"Ada\"" into element "#user"`,
        'type "<PASSWORD>" into element "#password"',
        String.raw`click element "[name=\"terms\"]"`,
        'click element "button[type=submit]"',
        'wait for element ".welcome" to be found',
        'analyze',
      ],
    },
    {
      url: 'https://a.example/key',
      actions: ['type "<TOKEN_2>" into element "[name=csrf_token]"', 'analyze'],
    },
  ])
  expect(settings.scripts.variables).toEqual([
    { name: 'PASSWORD', value: null },
    { name: 'TOKEN_2', value: null },
  ])
  expect(JSON.stringify(imported)).not.toMatch(/hunter2|s3cr3t/)
  expect(missing).toEqual([
    'actions of https://a.example/all: “navigate to https://a.example/login” has no counterpart, so none of them is taken over',
    'actions of https://a.example/odd: “click element <NAME>” has no counterpart, so none of them is taken over',
    'actions of https://a.example/end: “set field #path to …” has no counterpart, so none of them is taken over',
    'actions of https://a.example/key: “screen capture b.png” is left out: reports have their own pictures',
    'actions of https://a.example/: “screen capture a.png” is left out: reports have their own pictures',
    'the text of a secret field: set the environment variable PASSWORD',
    'the text of a secret field: set the environment variable TOKEN_2',
  ])
})

it('writes settings that a scan reads', () => {
  const other = mkdtempSync(join(tmpdir(), 'clearway-init-pa11y-'))
  const pa11y = { defaults: { wait: 500 }, urls: [{ url: 'https://a.example/', actions: ['click element #a'] }] }
  writeFileSync(join(other, '.pa11yci'), JSON.stringify(pa11y))
  const program = join(import.meta.dirname, '../bin/clearway.mjs')
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { cwd: other, encoding: 'utf8' })
  expect(run('init', '--from', '.pa11yci')).toMatchObject({
    status: 0,
    stdout: 'Wrote clearway.settings.json and clearway.config.json. Next: clearway scan\n',
  })
  const settingsFile = join(other, 'clearway.settings.json')
  expect(parseArguments(['scan', 'https://a.example/', '--settings', settingsFile])).toMatchObject({
    arguments: { advanced: { preScanWaitMs: 500 }, settings: { scripts: [{ type: 'TASK', name: 'pa11y-ci' }] } },
  })
  // A file that a pull request adds must not send variables of the build to a page.
  const secret = { urls: [{ url: 'https://a.example/', actions: ['set field #password to hunter2'] }] }
  writeFileSync(join(other, '.pa11yci'), JSON.stringify(secret))
  for (const name of ['clearway.settings.json', 'clearway.config.json']) rmSync(join(other, name))
  expect(run('init', '--from', '.pa11yci').stdout).toContain('Next: clearway scan --config clearway.config.json\n')
  expect(run('scan')).toMatchObject({ status: 2, stderr: expect.stringContaining('has "settings", which would get') as string })
  rmSync(other, { recursive: true })
})

it('leaves out an empty user agent, and no file if the second one cannot be written', () => {
  const imported = importText(JSON.stringify({ defaults: { userAgent: '', wait: 500 }, urls: ['https://a.example'] }))
  expect(imported).toMatchObject({ missing: ['defaults.userAgent'] })
  expect(imported).not.toHaveProperty('config.user-agent')
  const other = mkdtempSync(join(tmpdir(), 'clearway-init-failed-'))
  writeFileSync(join(other, '.pa11yci'), JSON.stringify({ defaults: { wait: 500 }, urls: ['https://a.example'] }))
  // It leads nowhere, so it does not exist, and cannot be created.
  symlinkSync('none/config', join(other, 'clearway.config.json'))
  const program = join(import.meta.dirname, '../bin/clearway.mjs')
  const { status } = spawnSync(process.execPath, [program, 'init', '--from', '.pa11yci'], { cwd: other })
  expect([status, existsSync(join(other, 'clearway.settings.json'))]).toEqual([2, false])
  rmSync(other, { recursive: true })
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

it('takes over files with comments, in YAML, and compressed', () => {
  const imported = { config: { urls: ['https://a.example'], depth: 0 } }
  expect(importText('// Pages\n{ "defaults": {}, /* one */ "urls": ["https://a.example",], }')).toMatchObject(imported)
  expect(importText('ci:\n  collect:\n    url: https://a.example # one\n', '.lighthouserc.yml')).toMatchObject(imported)
  expect(importText(gzipSync('<urlset><url><loc>https://a.example</loc></url></urlset>'))).toMatchObject(imported)
})

it.each([
  ['module.exports = {}', 'FILE is neither JSON nor YAML', 'other'],
  ['module.exports = { urls: ["https://a.example"] }', 'FILE is a program, which is not run', '.lighthouserc.js'],
  ['ci: *unknown', 'FILE is neither JSON nor YAML', 'lighthouserc.yaml'],
  ['{"urls": 3}', 'neither a configuration of pa11y-ci', 'other'],
  ['<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>', 'not a sitemap with URLs', 'other'],
])('refuses %s', (text, message, name) => expect(importText(text, name)).toContain(message))

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
