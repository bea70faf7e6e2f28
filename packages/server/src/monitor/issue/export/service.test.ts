import { IssueExport } from '@clearway/contract/monitor/issue/export/schema.ts'
import { PageExport } from '@clearway/contract/monitor/page/bulk/schema.ts'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, type TestRun, recordRun } from '../../../../test/run.ts'

const api = useTestApi()
let run: TestRun
let admin: string
const hostile = ['=cmd|"/C calc"!A0', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', 'a,b;"c"\nd', '<b>&\u0001\ud83d\ude00']
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  const findings = hostile.map((text, n) => buildFinding(`e${n}`, { target: [text], html: text, help: text }))
  run = await recordRun(api, undefined, { a: buildCompleted(findings), b: buildCompleted([buildFinding('x')]) }, '=Scan')
})

async function exportFile(
  path: string,
  body: object = {},
): Promise<{ bytes: Buffer; text: string; headers: Record<string, unknown> }> {
  const reply = await api.app.inject({
    method: 'POST',
    url: `/monitor-api${path}`,
    headers: { authorization: `Bearer ${admin}` },
    payload: { filters: { scanId: [run.scanId] }, selected: { selectAllMode: true }, ...body },
  })
  expect(reply.statusCode).toBe(200)
  return { bytes: reply.rawPayload, text: reply.payload, headers: reply.headers }
}

async function issueIds(): Promise<string[]> {
  const list = await api.call('GET', `/issues?scanId=${run.scanId}`, { token: admin })
  return (list.body as { content: { id: string }[] }).content.map(({ id }) => id)
}

describe('exports', () => {
  it.each(['/csv', '/csv/brief', '/csv/detailed'])(
    'as CSV%s are complete, marked as UTF-8, and contain no formulas',
    async (path) => {
      const { bytes, text, headers } = await exportFile(`/bulk/issues/export${path}`)
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      expect(headers['content-disposition']).toBe('attachment; filename="issues.csv"')
      const rows = parse<Record<string, string>>(text, { bom: true, columns: true })
      expect(rows).toHaveLength(hostile.length + 1)
      expect(Object.keys(rows[0]!)).toHaveLength(path === '/csv/detailed' ? 29 : 10)
      for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[\s]*[=+\-@]/)
      expect(rows.map((row) => row.Selector)).toContain('a,b;"c"\nd')
      expect(rows[0]!.Scan).toBe("'=Scan")
      // The title of the screens, not the text of the engine.
      expect(new Set(rows.map(({ Problem }) => Problem))).toEqual(new Set(['An image has no alternative text']))
    },
  )

  it('as detailed CSV contain edits of an issue, with times in whole milliseconds', async () => {
    const ids = await issueIds()
    const changes = [
      ['2026-01-02 03:04:05.006999Z', '2029-11-24 00:00:00.007Z', '{}', null],
      ['2026-01-02 03:04:05Z', '2030-12-31 23:59:59.999999Z', '{a,"b, c"}', 'Say "x"'],
    ] as const
    for (const [index, [first, last, labels, remediation]] of changes.entries())
      await sql`update issue set first_seen_at = ${first}::timestamptz, last_seen_at = ${last}::timestamptz,
        labels = ${labels}::text[], remediation = ${remediation} where id = ${ids[index]!}`.execute(api.db)
    const { text } = await exportFile('/bulk/issues/export/csv/detailed')
    const rows = parse<Record<string, string>>(text, { bom: true, columns: true })
    const getEditedCells = (id: string) => {
      const row = rows.find(({ Issue }) => Issue === id)!
      return [row['First seen'], row['Last seen'], row.Labels, row['Remediation comment'], row['How to fix']]
    }
    expect(ids.slice(0, 2).map(getEditedCells)).toEqual([
      ['2026-01-02T03:04:05.006Z', '2029-11-24T00:00:00.007Z', '', '', 'One of: a'],
      ['2026-01-02T03:04:05.000Z', '2030-12-31T23:59:59.999Z', 'a, b, c', 'Say "x"', 'One of: a'],
    ])
  })

  it('as JSON match their schema', async () => {
    const issues = z.parse(IssueExport, JSON.parse((await exportFile('/bulk/issues/export/json')).text))
    expect(issues.issues.map(({ html }) => html)).toEqual(expect.arrayContaining(['=cmd|"/C calc"!A0', '+1']))
    expect(issues.issues.every(({ elementKey }) => elementKey !== '')).toBe(true)
    const pages = z.parse(PageExport, JSON.parse((await exportFile('/bulk/pages/export/json')).text))
    expect(pages.pages).toMatchObject([{ url: 'https://example.org/a' }, { url: 'https://example.org/b' }])
  })

  it('as a workbook contain text, not formulas', async () => {
    const book = await readXlsx((await exportFile('/bulk/issues/export/xlsx')).bytes)
    const [sheet] = book.sheets
    expect(sheet!.rows).toHaveLength(hostile.length + 2)
    // Column width fits the longest text, here the page's URL.
    expect(sheet!.columns?.[2]?.width).toBe('https://example.org/a'.length + 2)
    expect(sheet!.rows.flat()).toEqual(expect.arrayContaining(['=cmd|"/C calc"!A0', '<b>&\ufffd\ud83d\ude00']))
    const pages = await readXlsx((await exportFile('/bulk/pages/export/xlsx')).bytes)
    expect(pages.sheets[0]!.rows).toHaveLength(3)
  })

  it('as SARIF, EARL and JUnit have one entry for each issue', async () => {
    type Sarif = {
      version: string
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { level: string; ruleId: string }[] }[]
    }
    const sarif = JSON.parse((await exportFile('/bulk/issues/export/sarif')).text) as Sarif
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [
        { tool: { driver: { rules: [{ id: 'image-alt', shortDescription: { text: 'An image has no alternative text' } }] } } },
      ],
    })
    expect(sarif.runs[0]!.results).toHaveLength(hostile.length + 1)
    expect(sarif.runs[0]!.results[0]).toMatchObject({ ruleId: 'image-alt', level: 'error', baselineState: 'new' })
    const earl = JSON.parse((await exportFile('/bulk/issues/export/earl')).text) as { '@graph': { '@type': string }[] }
    expect(earl['@graph'].filter((node) => node['@type'] === 'Assertion')).toHaveLength(hostile.length + 1)
    const { text } = await exportFile('/bulk/issues/export/junit')
    // The ticket URL is included, escaped.
    const [issueId] = await issueIds()
    const ticketUrl = 'https://t.example.org/?a="<b>&c'
    const body = { fieldsToUpdate: { ticketUrl } }
    await api.call('PATCH', `/issues/${issueId!}`, { token: admin, body })
    expect((await exportFile('/bulk/issues/export/sarif')).text).toContain(`"workItemUris":[${JSON.stringify(ticketUrl)}]`)
    expect((await exportFile('/bulk/issues/export/earl')).text).toContain(`"relation":${JSON.stringify(ticketUrl)}`)
    expect((await exportFile('/bulk/issues/export/junit')).text).toContain(
      '<property name="ticket" value="https://t.example.org/?a=&#34;&#60;b&#62;&#38;c"/>',
    )
    expect(text.match(/<testcase /g)).toHaveLength(hostile.length + 1)
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('\u0001')
  })

  it('without issues are complete files', async () => {
    const nothing = { filters: { scanId: [run.scanId], rule: ['none'] } }
    for (const format of ['json', 'sarif', 'earl']) JSON.parse((await exportFile(`/bulk/issues/export/${format}`, nothing)).text)
    expect((await exportFile('/bulk/issues/export/csv', nothing)).text.trim().split('\n')).toHaveLength(1)
  })

  it('of selected issues contain only these, and of several scans each scan', async () => {
    const selectedIssues = (await issueIds()).slice(0, 2)
    const { text } = await exportFile('/bulk/issues/export/csv', { filters: {}, selected: { selectedIssues } })
    expect(parse(text, { bom: true, columns: true })).toHaveLength(2)
    const reply = await api.call('POST', '/scan/export/csv', { token: admin, body: { selectAllMode: true } })
    const scans = parse<Record<string, string>>(reply.body, { bom: true, columns: true })
    expect(scans).toMatchObject([{ Scan: "'=Scan", Run: '1', Score: '0', 'Critical issues': '9' }])
  })
})
