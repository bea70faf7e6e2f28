/** @module-tag slow */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runClearway } from '../test/run-clearway.ts'
import { parseArguments } from './arguments.ts'
import { parseBaseline } from './baseline.ts'
import { buildGateReport, compareScan, GateReport, getGateExitCode } from './gate.ts'
import { runScan } from './scan.ts'

// A gate fails on new issues only: harmless edits make none, and each planted fault is exactly one.

const programPath = join(import.meta.dirname, '../bin/clearway.mjs')
const folder = mkdtempSync(join(tmpdir(), 'clearway-gate-'))
const baselineFile = join(folder, 'baseline.jsonl')

const run = (...args: string[]) => runClearway(args, { cwd: folder })

const filler = `<p>${'Enough to read here. '.repeat(90)}</p>`
const products = ['Lamp', 'Chair', 'Table', 'Shelf'].map(
  (name, index) =>
    `<li class="card"><h3>${name}</h3><img src="/img/${name}.png?v=1"><label>Amount</label><input id="q-${index}" name="q${index}"><a href="#${name}"></a></li>`,
)
const buildPage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1>${filler}${body}</main></body></html>`
const shopPage = buildPage(
  `<p>Updated on 2026-11-02, 14 visitors</p><ul>${products.join('')}</ul><a href="/list?page=2">Next page</a>`,
)
const listPage = buildPage(`<table><tr><td>Sales</td></tr></table><button class="buy"></button>`)

/** The pages of the site at this moment. */
let pages: Record<string, string> = {}
let server: Server
let siteUrl: string
const openServer = async (): Promise<[Server, string]> => {
  const opened = createServer((request, response) => {
    const page = pages[request.url!]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? buildPage('Not found'))
  }).listen(0, '127.0.0.1')
  await once(opened, 'listening')
  return [opened, `http://127.0.0.1:${(opened.address() as AddressInfo).port}`]
}
const restorePages = () => (pages = { '/': shopPage, '/list?page=2': listPage })
const edit = (change: (page: string) => string) =>
  (pages = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, change(page)])))

const runBaseline = (...args: string[]) => run('baseline', siteUrl, '--allow-private', '--no-sandbox', ...args)
/** Runs a gate in this process, which takes less time than a process of its own. */
async function runGate(...args: string[]): Promise<{ code: number; report: GateReport }> {
  const command = parseArguments(['gate', siteUrl, '--allow-private', '--baseline', baselineFile, ...args])
  if (command.kind !== 'gate') throw new Error(JSON.stringify(command))
  const result = await runScan(command.arguments, '0.0.0', new AbortController().signal, null, command.gate.baseline)
  if (result.kind === 'nothing') throw new Error(result.message)
  const report = GateReport.parse(
    buildGateReport(command.arguments, result, compareScan(command.arguments, result, command.gate.baseline)),
  )
  return { code: getGateExitCode(report, result.report, command.gate.failsIfIncomplete), report }
}

beforeAll(async () => {
  ;[server, siteUrl] = await openServer()
  restorePages()
  const { code, err } = await runBaseline('--output', baselineFile)
  expect({ code, err }).toEqual({ code: 0, err: '' })
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe('a baseline', () => {
  it('is the same for an unchanged site on another host, and has no dates, counts or hosts', async () => {
    restorePages()
    const [otherServer, otherUrl] = await openServer()
    const { out } = await run('baseline', otherUrl, '--allow-private')
    otherServer.close()
    const text = readFileSync(baselineFile, 'utf8')
    expect(out).toBe(text)
    const lines = text.trim().split('\n')
    expect(lines.slice(1)).toEqual(lines.slice(1).sort())
    expect(lines.length).toBeGreaterThan(12)
    expect(text).not.toMatch(/127\.0\.0\.1|2026|14 visitors/)
  })

  it('is not written of a scan that did not see everything', async () => {
    restorePages()
    const { code, err } = await runBaseline(`${siteUrl}/missing`, '--output', join(folder, 'none'))
    expect([code, err]).toEqual([3, expect.stringContaining('The baseline was not written') as string])
  })
})

type Edit = (page: string) => string
const harmlessEdits: [string, Edit][] = [
  ['nothing', (page) => page],
  ['wrapper elements', (page) => page.replaceAll(/<ul>(.*)<\/ul>/g, '<div class="w"><div><ul>$1</ul></div></div>')],
  ['hashed class names', (page) => page.replaceAll(/class="(\w+)"/g, 'class="$1_x8f3a2"')],
  ['generated ids', (page) => page.replaceAll(/id="q-(\d)"/g, 'id=":r1$1:"')],
  ['reordering', (page) => page.replace(/<ul>(.*)<\/ul>/, () => `<ul>${[...products].reverse().join('')}</ul>`)],
  ['another locale of dates', (page) => page.replace('2026-11-02, 14 visitors', '3. November 2027, 205 Besucher')],
  ['an added banner', (page) => page.replace('<main>', '<header><p>Free shipping this week</p></header><main>')],
  ['minified markup', (page) => page.replaceAll('><', '>\n  <').replaceAll('"', "'")],
  ['changed asset hashes', (page) => page.replaceAll('?v=1', '?v=9c1f')],
  ['an A/B attribute', (page) => page.replaceAll('<li ', '<li data-variant="b" ')],
]
const plantedFaults: [string, string, Edit][] = [
  ['a picture without text', 'image-alt', (page) => page.replace('<ul>', '<p><img src="/new.png"></p><ul>')],
  ['a button without a name', 'button-name', (page) => page.replace('<ul>', '<button class="menu"></button><ul>')],
  ['a field without a label', 'label', (page) => page.replace('</ul>', '</ul><p>Search <input name="search"></p>')],
  ['a page without a language', 'html-has-lang', (page) => page.replace(' lang="en"', '')],
]

describe('a gate', () => {
  it.each(harmlessEdits)('finds nothing new after a harmless edit: %s', async (_, change) => {
    restorePages()
    edit(change)
    const { code, report } = await runGate()
    expect({ code, new: report.newIssues, other: report.otherNewIssues }).toEqual({ code: 0, new: [], other: [] })
    expect(report.totals).toMatchObject({
      fixed: 0,
      notChecked: 0,
      known: readFileSync(baselineFile, 'utf8').trim().split('\n').length - 1,
    })
  })

  it('finds nothing new on a page whose parameter was renamed', async () => {
    restorePages()
    pages = { '/': shopPage.replace('/list?page=2', '/list?p=2'), '/list?p=2': listPage }
    const { code, report } = await runGate()
    expect([code, report.newIssues, report.totals.notChecked]).toEqual([0, [], 0])
    const banner =
      '<div role="dialog" aria-label="Cookies" style="position:fixed;bottom:0;background:#fff"><p>We use cookies to count visitors.</p><button style="padding:1em">Accept all</button></div>'
    pages['/list?p=2'] = listPage.replace('<body>', `<body>${banner}`)
    const withBanner = await runGate()
    expect(withBanner.report.newIssues.filter(({ html }) => !html.includes('Cookies'))).toEqual([])
    expect(withBanner.report.totals.notChecked).toBe(0)
  })

  it.each(plantedFaults)('finds exactly one new issue: %s', async (_, rule, change) => {
    restorePages()
    pages['/'] = change(pages['/']!)
    const { code, report } = await runGate()
    expect([code, report.newIssues.map((issue) => issue.rule)]).toEqual([1, [rule]])
  })

  it('lets no fix hide a new issue, and says what was fixed', async () => {
    restorePages()
    pages['/'] = shopPage
      .replaceAll('<img src="/img/Lamp.png?v=1">', '<img src="/img/Lamp.png" alt="">')
      .replace('<ul>', '<button></button><ul>')
    const { code, report } = await runGate()
    expect([code, report.totals.new, report.fixed.map(({ rule }) => rule)]).toEqual([1, 1, ['image-alt']])
  })

  it('calls issues of a page that was not met not checked', async () => {
    restorePages()
    delete pages['/list?page=2']
    const { code, report } = await runGate()
    expect([code, report.totals.fixed]).toEqual([0, 0])
    expect(report.notChecked.every(({ page }) => page === '/list?page=2')).toBe(true)
    expect(report.totals.notChecked).toBeGreaterThan(0)
    expect((await runGate('--fail-on-incomplete')).code).toBe(3)
  })

  it('can be held to severe issues', async () => {
    restorePages()
    pages['/'] = pages['/']!.replace('<ul>', '<h5>Deep</h5><ul>')
    const { code, report } = await runGate('--fail-on', 'serious')
    expect([code, report.newIssues, report.otherNewIssues.map(({ rule }) => rule)]).toEqual([0, [], ['heading-order']])
  })

  it('writes Markdown in which pages mention nobody and end no table', async () => {
    restorePages()
    pages['/'] = shopPage.replace('<ul>', '<button class="x" id="@team|`closes #1`"></button><ul>')
    const { code, out } = await run('gate', siteUrl, '--allow-private', '--baseline', baselineFile, '--format', 'markdown')
    expect(code).toBe(1)
    const row = out.split('\n').find((line) => line.includes('button-name'))!
    expect(row.replaceAll(/(`+) .*? \1(?!`)/g, '')).not.toMatch(/@|#|closes/)
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5)
  })
})

describe('formats for build systems', () => {
  it('contain all issues with their state in SARIF, and only the new ones in JUnit and HTML', async () => {
    restorePages()
    pages['/'] = shopPage.replace('<ul>', '<button></button><ul>')
    const files = ['gate.sarif', 'gate.xml', 'gate.html', 'gate.json'].map((name) => join(folder, name))
    const outputs = files.flatMap((file) => ['--output', file])
    const { code } = await run('gate', siteUrl, '--allow-private', '--baseline', baselineFile, ...outputs)
    const [sarifText, junit, html, json] = files.map((file) => readFileSync(file, 'utf8'))
    const { totals } = GateReport.parse(JSON.parse(json!))
    type Result = { ruleId: string; baselineState: string; partialFingerprints: object }
    const { results } = (JSON.parse(sarifText!) as { runs: [{ results: Result[] }] }).runs[0]
    const newResults = results.filter(({ baselineState }) => baselineState === 'new')
    expect([code, newResults.map(({ ruleId }) => ruleId), results.length]).toEqual([1, ['button-name'], totals.known + 1])
    expect(results.every(({ partialFingerprints }) => Object.keys(partialFingerprints).length === 1)).toBe(true)
    expect(junit!.match(/<failure/g)).toHaveLength(1)
    expect(html!.match(/class="rule /g)).toHaveLength(1)
    expect(html).toContain('1 new issue, ')
  })
})

describe('another version of axe-core', () => {
  const tabs = '<div role="tablist" aria-label="Parts"><div role="tab" tabindex="0"></div></div><ul>'
  const olderFile = join(folder, 'older.jsonl')
  const runNewer = async () => {
    const args = ['gate', siteUrl, '--allow-private', '--baseline', olderFile, '--axe', '4.14', '--format', 'json']
    const { code, out } = await run(...args)
    const { newIssues, axeChangedIssues, totals } = GateReport.parse(JSON.parse(out))
    return { code, new: newIssues.map(({ rule }) => rule), changed: axeChangedIssues.map(({ rule }) => rule), totals }
  }

  it('is reported apart: its issues do not fail, and hide no new one', async () => {
    restorePages()
    pages['/'] = shopPage.replace('<ul>', tabs)
    expect((await runBaseline('--axe', '4.11', '--output', olderFile)).code).toBe(0)
    const unchanged = await runNewer()
    expect(unchanged).toMatchObject({ code: 0, new: [], changed: ['aria-tab-name'], totals: { new: 0, axeChanged: 1, fixed: 0 } })
    pages['/'] = shopPage.replace('<ul>', `<button></button>${tabs}`)
    expect(await runNewer()).toMatchObject({ code: 1, new: ['button-name'], changed: ['aria-tab-name'] })
  })
})

describe('another patch release of axe-core', () => {
  const patchFile = join(folder, 'patch.jsonl')
  const ownRelease = axeVersions['4.14']
  const otherRelease = ownRelease.replace(/\d+$/, (patch) => String(Number(patch) + 1))
  const ownSource = readFileSync(createRequire(import.meta.url).resolve('axe-core-4.14/axe.min.js'), 'utf8')
  /** Stands for another release: it has the same rules except one. */
  const otherSource = `${ownSource.replace(`axe v${ownRelease}`, `axe v${otherRelease}`)};axe._audit.rules = axe._audit.rules.filter(({ id }) => id !== 'aria-tab-name')`
  const otherFile = join(folder, 'other-axe.js')
  const tabs = '<div role="tablist" aria-label="Parts"><div role="tab" tabindex="0"></div></div><ul>'
  const args = ['--allow-private', '--no-sandbox', '--baseline', patchFile, '--format', 'json']
  const runPatched = (...others: string[]) => run('gate', siteUrl, ...args, ...others)

  it('is reported apart if its file is named, and never taken from the packages of a folder', async () => {
    restorePages()
    const text = readFileSync(baselineFile, 'utf8')
    expect(text).toContain(`"axeRelease":"${ownRelease}"`)
    writeFileSync(patchFile, text.replace(`"axeRelease":"${ownRelease}"`, `"axeRelease":"${otherRelease}"`))
    writeFileSync(otherFile, otherSource)
    const foundFolder = join(folder, 'node_modules/axe-core')
    mkdirSync(foundFolder, { recursive: true })
    writeFileSync(join(foundFolder, 'axe.min.js'), otherSource)
    writeFileSync(join(foundFolder, 'package.json'), JSON.stringify({ name: 'axe-core', version: otherRelease }))
    pages['/'] = shopPage.replace('<ul>', tabs)
    const unnamed = await runPatched()
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect([unnamed.code, unnamed.err]).toEqual([
      1,
      expect.stringContaining(`found by axe-core ${otherRelease}, this is ${ownRelease}`) as string,
    ])
    const named = await runPatched('--earlier-axe', otherFile)
    const { totals, axeChangedIssues } = GateReport.parse(JSON.parse(named.out))
    expect([named.code, named.err, totals.new, axeChangedIssues.map(({ rule }) => rule)]).toEqual([0, '', 0, ['aria-tab-name']])
    pages['/'] = shopPage.replace('<ul>', `<button></button>${tabs}`)
    expect((await runPatched('--earlier-axe', otherFile)).code).toBe(1)
    expect(await runPatched('--earlier-axe', baselineFile)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--earlier-axe takes the axe.min.js of a release') as string,
    })
  })
})

describe('a built folder', () => {
  const built = join(folder, 'dist')
  const write = (name: string, page: string) => {
    mkdirSync(join(built, name, '..'), { recursive: true })
    writeFileSync(join(built, name), page)
  }
  const fileName = join(folder, 'built.jsonl')
  const link = '<p><a href="docs">Docs</a> <a href="/about">About</a> <a href="/gone">Gone</a></p>'

  it('is served, and its pages are those of the site', async () => {
    write('index.html', buildPage(`${link}<img src="/logo.png">`))
    write('docs/index.html', buildPage('<a href="next.html">Next</a>'))
    write('docs/next.html', buildPage('<button></button>'))
    write('about.html', buildPage('<p>About us</p>'))
    write('404.html', buildPage('<p>There is no such page.</p>'))
    const written = await run('baseline', '--serve', built, '--no-sandbox', '--output', fileName)
    expect({ code: written.code, err: written.err }).toMatchObject({ code: 0 })
    const issues = readFileSync(fileName, 'utf8')
    expect(issues).toContain('image-alt')
    expect(issues).toMatch(/"\/docs\/next\.html".*"button-name"/)
    expect(issues).not.toMatch(/127\.0\.0\.1|localhost/)

    write('about.html', buildPage('<p>About us</p><input>'))
    const args = ['--serve', built, '--no-sandbox', '--baseline', fileName, '--format', 'json']
    const gate = await run('gate', 'https://www.example.org/', ...args)
    const report = GateReport.parse(JSON.parse(gate.out))
    expect(gate.code).toBe(1)
    expect(report.newIssues.map(({ url, rule }) => [new URL(url).pathname, rule])).toEqual([['/about', 'label']])
    expect(report.totals).toMatchObject({ fixed: 0, notChecked: 0 })
  })

  it('is refused if it is none, or stands for two sites', async () => {
    const missing = await run('scan', '--serve', join(folder, 'none'))
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('--serve takes a folder') })
    const twice = await run('scan', 'https://a.example/', 'https://b.example/', '--serve', built)
    expect(twice).toMatchObject({
      code: 2,
      err: expect.stringContaining('one site, not for https://a.example and https://b.example'),
    })
  })
})

describe('exit codes', () => {
  it('is 130 when stopped, also before the first result', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const stopped = spawn(process.execPath, [programPath, 'gate', url, '--allow-private', '--baseline', baselineFile])
    await once(silent, 'request')
    stopped.kill('SIGTERM')
    expect(await once(stopped, 'close')).toEqual([130, null])
    silent.closeAllConnections()
    silent.close()
  })

  it.each([
    ['no baseline named', ['gate', 'https://a.example'], 2, 'Which baseline?'],
    [
      'no such file',
      ['gate', 'https://a.example', '--baseline', '/nowhere'],
      4,
      '--baseline cannot read /nowhere: there is no such file',
    ],
    ['a file of something else', ['gate', 'https://a.example', '--baseline', programPath], 4, 'is not a baseline'],
    [
      'a host that stands for two',
      'gate https://a.example --map https://p.example=https://a.example --map https://p.example/=https://b.example --baseline'
        .split(' ')
        .concat(baselineFile),
      2,
      '--map names two URLs for https://p.example',
    ],
    ['a site that is away', ['gate', 'http://nowhere.invalid', '--baseline', baselineFile], 3, 'nowhere.invalid'],
  ])('%s', async (_, args, expectedCode, message) => {
    const { code, err } = await run(...args)
    expect([code, err]).toEqual([expectedCode, expect.stringContaining(message) as string])
  })

  it('a merge that was left unfinished; lines that a merge left twice are one issue', async () => {
    const text = readFileSync(baselineFile, 'utf8')
    const [header, ...lines] = text.split('\n')
    const repeated = [header, ...lines.map((line) => `${line}\r`), ...lines].join('\n')
    expect(parseBaseline(repeated, 'file').issues).toEqual(parseBaseline(text, 'file').issues)
    const file = join(folder, 'conflict')
    writeFileSync(file, readFileSync(baselineFile, 'utf8').replace('\n', '\n<<<<<<< ours\n'))
    const { code, err } = await run('gate', siteUrl, '--baseline', file)
    expect([code, err]).toEqual([4, expect.stringContaining('line 2: not an issue of a baseline') as string])
  })

  it('is 3 for a start URL without a result, and 1 for new issues, in a process of its own', async () => {
    restorePages()
    const args = ['gate', siteUrl, '--allow-private', '--baseline', baselineFile]
    const { code, out } = await run(...args, `${siteUrl}/missing`, '--format', 'json')
    expect([code, GateReport.parse(JSON.parse(out)).unchecked.map(({ reason }) => reason)]).toEqual([3, ['http-404']])
    pages['/'] = shopPage.replace('<ul>', '<button></button><ul>')
    const result = await run(...args)
    expect([result.code, result.out]).toEqual([1, expect.stringContaining('NEW  critical: ') as string])
  })
})
