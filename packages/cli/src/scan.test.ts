/** @module-tag slow */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readExpected, sortFindings } from '@clearway/fixtures/site/expected.ts'
import { writePdf } from '@clearway/fixtures/pdf/write.ts'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Report } from './schema.ts'

const programPath = join(import.meta.dirname, '../bin/clearway.mjs')

type CommandResult = { code: number | null; out: string; err: string }
/** Runs the command as a separate process with piped input and output, like users do. */
const runClearway = (...args: string[]): Promise<CommandResult> => runClearwayWith('', args)
function runClearwayWith(input: string, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    const commandProcess = spawn(process.execPath, [programPath, ...args])
    commandProcess.stdin.end(input)
    let stdoutText = ''
    let stderrText = ''
    commandProcess.stdout.on('data', (chunk: Buffer) => (stdoutText += chunk.toString()))
    commandProcess.stderr.on('data', (chunk: Buffer) => (stderrText += chunk.toString()))
    commandProcess.on('close', (code) => resolve({ code, out: stdoutText, err: stderrText }))
  })
}

let site: Site
let closedPort: string
beforeAll(async () => {
  site = await startSite()
  const closedSite = await startSite()
  closedPort = new URL(closedSite.url).port
  await closedSite.close()
})
afterAll(() => site.close())

describe('a scan of the fixture site', () => {
  it('finds exactly the planted issues by rule and target', async () => {
    const reportFile = join(tmpdir(), `clearway-report-${process.pid}.json`)
    const scanArgs = ['scan', `${site.url}/`, '--allow-private', '--page-limit', '1000', '--page-timeout', '15']
    const { code, out, err } = await runClearway(...scanArgs, '--format', 'json', '--output', reportFile, '--fail-on', 'critical')
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
    const sarifReport = JSON.parse((await runClearway(...scanArgs, 'sarif')).out) as { runs: { results: { ruleId: string }[] }[] }
    expect(sarifReport.runs[0]!.results.map((sarifResult) => sarifResult.ruleId).sort()).toEqual(
      ['button-name', 'color-contrast', 'heading-order', 'image-alt'].sort(),
    )
    const junitReport = (await runClearway(...scanArgs, 'junit')).out
    expect(junitReport).toMatch(/<testsuites name="Clearway" failures="4" errors="0"/)
    expect(junitReport).toContain('&#60;button type=&#34;button&#34;&#62;')
  })
})

describe('notices', () => {
  it('tests only the URLs of standard input', async () => {
    const urlList = `# two\n${site.url}/critical/mixed\n${site.url}/critical/label\n`
    const args = ['scan', '--urls', '-', '--depth', '0', '--allow-private', '--format', 'json']
    const { out } = await runClearwayWith(urlList, args)
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
    const { out } = await runClearway(...scanArgs, '--wait-for', '#never', '--wait-for-timeout', '1', '--format', format)
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
    const { code, out, err } = await runClearway('scan', ...args(site.url))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toMatch(/\n\s+at /)
  })
})

describe('PDFs', () => {
  it('are checked as files and by URL, with the violated clauses of PDF/UA-1', async () => {
    const pdfFile = join(tmpdir(), `clearway-${process.pid}.pdf`)
    writeFileSync(pdfFile, writePdf({ tags: [{ type: 'Document', kids: [{ type: 'Figure', kids: ['x'] }] }] }))
    const fileResult = await runClearway('scan', pdfFile, '--standard', 'pdfua1', '--format', 'json')
    rmSync(pdfFile)
    const issueTags = Report.parse(JSON.parse(fileResult.out)).pages[0]!.issues.flatMap((issue) => issue.tags)
    expect(issueTags).toEqual(expect.arrayContaining(['pdfua1-7.3-1', 'pdfua1-7.21.4.1-1']))
    const urlResult = await runClearway('scan', `${site.url}/guide.pdf`, '--allow-private', '--format', 'json')
    const page = Report.parse(JSON.parse(urlResult.out)).pages.find(({ url }) => url.endsWith('/guide.pdf'))!
    expect(page.status).toBe('completed')
    expect(page.issues.map(({ rule }) => rule)).toContain('pdf-tagged')
  })

  it('report why they cannot be read', async () => {
    const { code, err } = await runClearway('scan', '/nowhere/missing.pdf')
    expect([code, err]).toEqual([2, expect.stringContaining('The file cannot be read: ENOENT') as string])
  })
})
