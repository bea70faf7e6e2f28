import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readExpected, sorted } from '@clearway/fixtures/site/expected.ts'
import { writePdf } from '@clearway/fixtures/pdf/write.ts'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Report } from './schema.ts'

const program = join(import.meta.dirname, '../bin/clearway.mjs')

type Ended = { code: number | null; out: string; err: string }
/** Runs the command as people do: as a process of its own, its input and output in pipes. */
const clearway = (...args: string[]): Promise<Ended> => clearwayWith('', args)
function clearwayWith(input: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args])
    child.stdin.end(input)
    let out = ''
    let err = ''
    child.stdout.on('data', (d: Buffer) => (out += d.toString()))
    child.stderr.on('data', (d: Buffer) => (err += d.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

let site: Site
let closedPort: string
beforeAll(async () => {
  site = await startSite()
  const gone = await startSite()
  closedPort = new URL(gone.url).port
  await gone.close()
})
afterAll(() => site.close())

describe('a scan of the fixture site', () => {
  it('finds exactly what was planted, rule by rule, target by target', async () => {
    const file = join(tmpdir(), `clearway-report-${process.pid}.json`)
    const scan = ['scan', `${site.url}/`, '--allow-private', '--page-limit', '1000', '--page-timeout', '15']
    const { code, out, err } = await clearway(
      ...scan,
      '--format',
      'json',
      '--output',
      file,
      '--fail-on',
      'critical',
    )
    const report = Report.parse(JSON.parse(readFileSync(file, 'utf8')))
    rmSync(file)

    const path = (url: string) => url.slice(site.url.length)
    const expected = readExpected()
    const pages = (status: string) => report.pages.filter((p) => p.status === status)
    expect(Object.fromEntries(pages('completed').map((p) => [path(p.url), sorted(p.issues)]))).toEqual(
      expected.completed,
    )
    expect(Object.fromEntries(pages('failed').map((p) => [path(p.url), p.failure?.reason]))).toEqual(
      expected.failed,
    )
    expect(report.score).toBe(expected.score)
    expect(report.totals).toMatchObject(expected.totals)
    // Shut out by robots.txt: not so much as asked for.
    expect(site.requests).not.toContain('/private/robots')
    expect({ code, out, progress: err.includes('\r') }).toEqual({ code: 1, out: '', progress: false })
    expect(err).toContain('Threshold missed')
  })

  it('writes SARIF and JUnit that can be read', async () => {
    const one = ['scan', `${site.url}/critical/mixed`, '--allow-private', '--depth', '0', '--format']
    const sarif = JSON.parse((await clearway(...one, 'sarif')).out) as {
      runs: { results: { ruleId: string }[] }[]
    }
    expect(sarif.runs[0]!.results.map((r) => r.ruleId).sort()).toEqual(
      ['button-name', 'color-contrast', 'heading-order', 'image-alt'].sort(),
    )
    const junit = (await clearway(...one, 'junit')).out
    expect(junit).toMatch(/<testsuites name="Clearway" failures="4" errors="0"/)
    expect(junit).toContain('&#60;button type=&#34;button&#34;&#62;')
  })
})

describe('what is said besides issues', () => {
  it('tests the URLs of the standard input, and nothing else', async () => {
    const list = `# two\n${site.url}/critical/mixed\n${site.url}/critical/label\n`
    const args = ['scan', '--urls', '-', '--depth', '0', '--allow-private', '--format', 'json']
    const { out } = await clearwayWith(list, args)
    const { pages } = Report.parse(JSON.parse(out))
    expect(pages.map(({ url, status }) => [url, status])).toEqual([
      [`${site.url}/critical/label`, 'completed'],
      [`${site.url}/critical/mixed`, 'completed'],
    ])
  })

  it.each([
    [
      'text',
      /^ {2}note: An element that the scan waits for did not appear; the page was tested without it\.$/m,
    ],
    ['json', /"notices": \[[^\]]*"element-not-found"/],
    [
      'sarif',
      /\/critical\/mixed: An element that the scan waits for did not appear; the page was tested without it\."/,
    ],
    [
      'junit',
      /<system-out>[^<]*An element that the scan waits for did not appear; the page was tested without it\./,
    ],
  ])('says in %s how far a result can be trusted', async (format, said) => {
    const page = ['scan', `${site.url}/critical/mixed`, '--depth', '0', '--allow-private']
    const { out } = await clearway(
      ...page,
      '--wait-for',
      '#never',
      '--wait-for-timeout',
      '1',
      '--format',
      format,
    )
    expect(out).toMatch(said)
  })
})

describe('nothing could be scanned: exit 2, and why', () => {
  it.each([
    ['a private address that is not allowed', (url: string) => [url], '--allow-private'],
    ['a refused port', () => [`http://127.0.0.1:${closedPort}/`, '--allow-private'], 'connection-refused'],
    ['an unknown host', () => ['http://nowhere.invalid/'], 'nowhere.invalid'],
    ['a page that is not there', (url: string) => [`${url}/status/404`, '--allow-private'], 'http-404'],
    [
      'a start URL that leads away',
      (url: string) => [`${url}/redirect/out`, '--allow-private'],
      'elsewhere.example',
    ],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await clearway('scan', ...args(site.url))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toMatch(/\n\s+at /)
  })
})

describe('PDFs', () => {
  it('are checked as files, and by their URL, and say which clause of PDF/UA-1 they miss', async () => {
    const file = join(tmpdir(), `clearway-${process.pid}.pdf`)
    writeFileSync(file, writePdf({ tags: [{ type: 'Document', kids: [{ type: 'Figure', kids: ['x'] }] }] }))
    const asFile = await clearway('scan', file, '--standard', 'pdfua1', '--format', 'json')
    rmSync(file)
    const tags = Report.parse(JSON.parse(asFile.out)).pages[0]!.issues.flatMap((issue) => issue.tags)
    expect(tags).toEqual(expect.arrayContaining(['pdfua1-7.3-1', 'pdfua1-7.21.4.1-1']))
    const byUrl = await clearway('scan', `${site.url}/guide.pdf`, '--allow-private', '--format', 'json')
    const page = Report.parse(JSON.parse(byUrl.out)).pages.find(({ url }) => url.endsWith('/guide.pdf'))!
    expect(page.status).toBe('completed')
    expect(page.issues.map(({ rule }) => rule)).toContain('pdf-tagged')
  })

  it('that cannot be read end with the reason', async () => {
    const { code, err } = await clearway('scan', '/nowhere/missing.pdf')
    expect([code, err]).toEqual([2, expect.stringContaining('The file cannot be read: ENOENT') as string])
  })
})
