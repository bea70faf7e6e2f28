/** @module-tag slow */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readExpected, sortFindings } from '@clearway/fixtures/site/expected.ts'
import { writePdf } from '@clearway/fixtures/pdf/write.ts'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandResult, runClearway } from '../test/run-clearway.ts'
import { Report } from './schema.ts'

const run = (...args: string[]) => runClearway(args)

let site: Site
let closedPort: string
beforeAll(async () => {
  site = await startSite()
  const closedSite = await startSite()
  closedPort = new URL(closedSite.url).port
  await closedSite.close()
})
afterAll(() => site.close())

/** A page that links to a missing one, and a redirect to it. */
let linkedSite: string
beforeAll(async () => {
  const server = createServer((request, response) => {
    if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end()
    const text = `<p>${'Enough to read. '.repeat(120)}</p><a href="/missing">Missing</a>`
    const body = `<title>T</title><main><h1>Linked</h1>${text}</main>`
    response
      .writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' })
      .end(`<!doctype html><html lang="en">${body}</html>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  linkedSite = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return () => void server.close()
})

describe('a scan of the fixture site', () => {
  it('finds exactly the planted issues by rule and target', { timeout: 180_000 }, async () => {
    const reportFile = join(tmpdir(), `clearway-report-${process.pid}.json`)
    const scanArgs = ['scan', `${site.url}/`, '--allow-private', '--page-limit', '1000', '--page-timeout', '15']
    const { code, out, err } = await run(...scanArgs, '--format', 'json', '--output', reportFile, '--fail-on', 'critical')
    const parsedReport = Report.parse(JSON.parse(readFileSync(reportFile, 'utf8')))
    rmSync(reportFile)

    const getPath = (url: string) => url.slice(site.url.length)
    const expectedResults = readExpected()
    const getPages = (status: string) => parsedReport.pages.filter((page) => page.status === status)
    expect(Object.fromEntries(getPages('completed').map((page) => [getPath(page.url), sortFindings(page.issues)]))).toEqual(
      expectedResults.completed,
    )
    expect(Object.fromEntries(getPages('failed').map((page) => [getPath(page.url), page.failure?.reason]))).toEqual(
      expectedResults.failed,
    )
    expect(parsedReport.score).toBe(expectedResults.score)
    expect(parsedReport.totals).toMatchObject(expectedResults.totals)
    // Excluded by robots.txt: must not even be requested.
    expect(site.requests).not.toContain('/private/robots')
    expect({ code, out, progress: err.includes('\r') }).toEqual({ code: 1, out: '', progress: false })
    expect(err).toContain('Threshold missed')
  })

  it('writes valid SARIF and JUnit', async () => {
    const scanArgs = ['scan', `${site.url}/critical/mixed`, '--allow-private', '--depth', '0', '--format']
    const sarifReport = JSON.parse((await run(...scanArgs, 'sarif')).out) as { runs: { results: { ruleId: string }[] }[] }
    expect(sarifReport.runs[0]!.results.map((sarifResult) => sarifResult.ruleId).sort()).toEqual(
      ['button-name', 'color-contrast', 'heading-order', 'image-alt'].sort(),
    )
    const junitReport = (await run(...scanArgs, 'junit')).out
    expect(junitReport).toMatch(/<testsuites name="Clearway" failures="4" errors="0"/)
    expect(junitReport).toContain('&#60;button type=&#34;button&#34;&#62;')
  })
})

describe('notices', () => {
  it('tests only the URLs of standard input', async () => {
    const urlList = `# two\n${site.url}/critical/mixed\n${site.url}/critical/label\n`
    const args = ['scan', '--urls', '-', '--depth', '0', '--allow-private', '--format', 'json']
    const { out } = await runClearway(args, { input: urlList })
    const { pages } = Report.parse(JSON.parse(out))
    expect(pages.map(({ url, status }) => [url, status])).toEqual([
      [`${site.url}/critical/label`, 'completed'],
      [`${site.url}/critical/mixed`, 'completed'],
    ])
  })

  it.each([
    ['text', /^ {2}note: An element that the scan waits for did not appear; the page was tested without it\.$/m],
    ['json', /"notices": \[[^\]]*"element-not-found"/],
    ['sarif', /\/critical\/mixed: An element that the scan waits for did not appear; the page was tested without it\."/],
    ['junit', /<system-out>[^<]*An element that the scan waits for did not appear; the page was tested without it\./],
  ])('reports limitations of a result in %s', async (format, reportedText) => {
    const scanArgs = ['scan', `${site.url}/critical/mixed`, '--depth', '0', '--allow-private']
    const { out } = await run(...scanArgs, '--wait-for', '#never', '--wait-for-timeout', '1', '--format', format)
    expect(out).toMatch(reportedText)
  })
})

describe('nothing could be scanned: exits with 2 and the reason', () => {
  it.each([
    ['a private address that is not allowed', (url: string) => [url], '--allow-private'],
    ['a refused port', () => [`http://127.0.0.1:${closedPort}/`, '--allow-private'], 'connection-refused'],
    ['an unknown host', () => ['http://nowhere.invalid/'], 'nowhere.invalid'],
    ['a missing page', (url: string) => [`${url}/status/404`, '--allow-private'], 'http-404'],
    ['a start URL that leads away', (url: string) => [`${url}/redirect/out`, '--allow-private'], 'elsewhere.example'],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await run('scan', ...args(site.url))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toMatch(/\n\s+at /)
  })
})

describe('what was named and not checked', () => {
  const listUnchecked = ({ out }: CommandResult) =>
    Report.parse(JSON.parse(out)).unchecked.map(({ target, reason }) => [target.replace(site.url, ''), reason])
  const scanJson = (...args: string[]) => run('scan', '--allow-private', '--format', 'json', ...args)

  it('ends with 2, whatever else was checked', async () => {
    const named = [`${site.url}/critical/mixed`, `${site.url}/status/404`, `${site.url}/private/robots`]
    const missingFile = '/nowhere/missing.pdf'
    const result = await scanJson(...named, missingFile, '--depth', '0', '--fail-on', 'critical')
    expect(result.code).toBe(2)
    expect(listUnchecked(result)).toEqual([
      [missingFile, 'bad-url'],
      ['/private/robots', 'robots'],
      ['/status/404', 'http-404'],
    ])
    expect(result.err).toContain(`Not checked: ${site.url}/status/404: http-404 (HTTP 404)`)
    expect(result.err).toContain('--ignore-robots')
  })

  it('counts a page limit that is too low', async () => {
    const result = await scanJson(`${site.url}/critical/mixed`, `${site.url}/critical/label`, '--page-limit', '1', '--depth', '0')
    expect([result.code, listUnchecked(result)]).toEqual([2, [['/critical/label', 'page-limit']]])
  })

  it('is nothing if all was checked, also by a redirect', async () => {
    const result = await scanJson(`${linkedSite}/moved`, '--depth', '0', '--ignore-robots', `${site.url}/private/robots`)
    expect([result.code, listUnchecked(result)]).toEqual([0, []])
    expect(result.err).toContain(`/moved leads to ${linkedSite}/, which was scanned instead`)
  })

  it('ends with 3 for failed pages of the crawl, if there is a threshold', async () => {
    const { code, err } = await scanJson(linkedSite, '--min-score', '0')
    expect([code, err]).toEqual([3, expect.stringContaining('1 page failed, so the threshold does not hold for it') as string])
    expect((await scanJson(linkedSite)).code).toBe(0)
  })
})

describe('settings of the site', () => {
  it('sends headers, reads sitemaps and settings of a file, and scans other names of the host', async () => {
    const requests: { url: string; header: string | undefined }[] = []
    const ownSite = createServer((request, response) => {
      requests.push({ url: request.url!, header: request.headers['x-test'] as string | undefined })
      if (request.url === '/sitemap.xml')
        return void response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(`<urlset><url><loc>/listed</loc></url><url><loc>/skipped</loc></url></urlset>`)
      if (request.url === '/') return void response.writeHead(302, { location: `http://localhost:${port}/start` }).end()
      const body = `<title>T</title><main><h1>${request.url}</h1><p>${`Text of ${request.url}. `.repeat(120)}</p><a href="/linked">Linked</a><img src="data:,"></main>`
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en">${body}</html>`)
    }).listen(0)
    await once(ownSite, 'listening')
    const { port } = ownSite.address() as AddressInfo
    const settingsFile = join(tmpdir(), `clearway-settings-${process.pid}.json`)
    const ownSettings = {
      name: 'Of a server',
      urls: ['https://replaced.example'],
      schedule: { frequency: 'manual' },
      excludeRules: [{ kind: 'prefix', pattern: `http://127.0.0.1:${port}/skipped` }],
      advanced: { extraHeaders: [{ name: 'X-Other', value: 'x' }], closeBanners: false },
    }
    // As PowerShell writes it.
    writeFileSync(settingsFile, Buffer.from(`\uFEFF${JSON.stringify(ownSettings)}`, 'utf16le'))
    const site = `http://127.0.0.1:${port}`
    const args = ['--settings', settingsFile, '--sitemap', `${site}/sitemap.xml`, '--header', 'X-Test: yes']
    const { code, out, err } = await run('scan', site, '--allow-private', '--format', 'json', ...args)
    rmSync(settingsFile)
    ownSite.close()
    const { pages } = Report.parse(JSON.parse(out))
    expect(pages.filter(({ status }) => status === 'completed').map(({ url }) => url)).toEqual([
      `${site}/linked`,
      `${site}/listed`,
      `http://localhost:${port}/linked`,
      `http://localhost:${port}/start`,
    ])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('leads to http://localhost') as string })
    expect(requests.filter(({ url }) => url === '/skipped')).toEqual([])
    expect(requests.filter(({ url, header }) => url !== '/favicon.ico' && header !== 'yes')).toEqual([])
  })
})

describe('PDFs', () => {
  it('are checked as files and by URL, with the violated clauses of PDF/UA-1', async () => {
    const pdfFile = join(tmpdir(), `clearway-${process.pid}.pdf`)
    writeFileSync(pdfFile, writePdf({ tags: [{ type: 'Document', kids: [{ type: 'Figure', kids: ['x'] }] }] }))
    const fileResult = await run('scan', pdfFile, '--standard', 'pdfua1', '--format', 'json')
    rmSync(pdfFile)
    const issueTags = Report.parse(JSON.parse(fileResult.out)).pages[0]!.issues.flatMap((issue) => issue.tags)
    expect(issueTags).toEqual(expect.arrayContaining(['pdfua1-7.3-1', 'pdfua1-7.21.4.1-1']))
    const urlResult = await run('scan', `${site.url}/guide.pdf`, '--allow-private', '--format', 'json')
    const page = Report.parse(JSON.parse(urlResult.out)).pages.find(({ url }) => url.endsWith('/guide.pdf'))!
    expect(page.status).toBe('completed')
    expect(page.issues.map(({ rule }) => rule)).toContain('pdf-tagged')
  })

  it('report why they cannot be read', async () => {
    const { code, err } = await run('scan', '/nowhere/missing.pdf')
    expect([code, err]).toEqual([2, expect.stringContaining('The file cannot be read: there is no such file') as string])
  })
})

describe.runIf(process.getuid?.() === 0)('the sandbox of the browser, which Chromium lacks for root', () => {
  const scanOnePage = (setting: string, ...options: string[]) =>
    runClearway(['scan', `${site.url}/critical/label`, '--allow-private', '--depth', '0', ...options], {
      env: { CLEARWAY_SANDBOX: setting },
    })

  it('is missed with a warning, without one on request, and not at all with CLEARWAY_SANDBOX=on', async () => {
    const warned = await scanOnePage('')
    expect([warned.code, warned.err]).toEqual([0, expect.stringContaining('runs without its sandbox') as string])
    expect(warned.out).toContain('1 page checked, 0 failed')
    expect(await scanOnePage('', '--no-sandbox')).toMatchObject({ code: 0, err: '' })
    const refused = await scanOnePage('on', '--no-sandbox')
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain('Chromium has no sandbox for root')
  })
})
