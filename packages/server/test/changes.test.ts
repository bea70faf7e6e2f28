import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'
import { beforeAll, expect, it } from 'vitest'
import { buildRunMail, mailTexts } from '../src/monitor/notification/mail/model.ts'
import { Payload } from '../src/monitor/notification/model.ts'
import { queueMessages } from '../src/monitor/notification/service.ts'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFailed, buildFinding, recordRun, type TestRun } from './run.ts'

// Every place that reports changes reports all of them: a run that fixed one issue, lost another with its page, and did not
// test three again.

const api = useTestApi({
  environment: { CLEARWAY_SMTP_URL: 'smtp://127.0.0.1:9', CLEARWAY_MAIL_FROM: 'clearway@example.org' },
})
const counts: ChangeCounts = { new: 1, back: 0, fixed: 1, issuesGone: 1, notRechecked: 3, ignored: 0 }
const review = buildFinding('review', { severity: 'needs review' })
let run: TestRun
let admin: string
async function exportFile(path: string, filters: object): Promise<string> {
  const reply = await api.app.inject({
    method: 'POST',
    url: `/monitor-api${path}`,
    headers: { authorization: `Bearer ${admin}` },
    payload: { filters: { scanId: [run.scanId], ...filters }, selected: { selectAllMode: true } },
  })
  expect(reply.statusCode).toBe(200)
  return reply.payload
}
const get = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T

beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  const first = await recordRun(
    api,
    undefined,
    {
      a: buildCompleted([buildFinding('fixed'), buildFinding('stays')]),
      b: buildCompleted([buildFinding('b1'), buildFinding('b2', { rule: 'label' }), review]),
      c: buildCompleted([buildFinding('c')]),
      d: buildCompleted([buildFinding('gone')]),
    },
    'All changes',
  )
  await api.call('POST', `/scans/${first.scanId}/webhooks`, { token: admin, body: { url: 'https://example.org/hook' } })
  const { settings, version } = await get<{ settings: { notification: object }; version: number }>(
    `/scans/${first.scanId}/settings`,
  )
  const notification = { ...settings.notification, specificUsers: ['reader@example.org'], events: ['finished'] }
  const body = { settings: { ...settings, notification }, version }
  expect((await api.call('PUT', `/scans/${first.scanId}`, { token: admin, body })).status).toBe(200)
  run = await recordRun(api, first.scanId, {
    a: buildCompleted([buildFinding('stays'), buildFinding('new')]),
    b: buildFailed('timeout-download'),
    c: { ...buildCompleted(), notices: ['not-fully-loaded'] } as PageOutcome,
    d: buildFailed('http-404'),
  })
})

it('the overview and the roll-up', async () => {
  expect(await get(`/scans/${run.scanId}/runs/2/overview`)).toMatchObject({ change: counts })
  const rollup = await get(`/rollup/changes?scanId=${run.scanId}&days=2`)
  expect(rollup).toMatchObject({ total: counts, scans: [{ ...counts, compared: 1 }] })
})

it('the roll-up counts an issue once, however many runs did not test it again', async () => {
  const first = await recordRun(api, undefined, { a: buildCompleted([buildFinding('x')]), b: buildCompleted() }, 'Nightly')
  for (let night = 0; night < 3; night += 1)
    await recordRun(api, first.scanId, { a: buildFailed('timeout-download'), b: buildCompleted() })
  expect(await get(`/rollup/changes?scanId=${first.scanId}&days=2`)).toMatchObject({ total: { notRechecked: 1, fixed: 0 } })
})

it('an ignored issue is not newly ignored after a run that did not test it', async () => {
  const first = await recordRun(
    api,
    undefined,
    { a: buildCompleted([buildFinding('x'), buildFinding('y')]), b: buildCompleted() },
    'Ignored',
  )
  const { content } = await get<{ content: { id: string }[] }>(`/issues?scanId=${first.scanId}`)
  const body = { fieldsToUpdate: { status: 'ignored' } }
  expect((await api.call('PATCH', `/issues/${content[0]!.id}`, { token: admin, body })).status).toBe(200)
  await recordRun(api, first.scanId, { a: buildFailed('timeout-download'), b: buildCompleted() })
  await recordRun(api, first.scanId, { a: buildCompleted([buildFinding('x'), buildFinding('y')]), b: buildCompleted() })
  expect(await get(`/scans/${first.scanId}/runs/3/overview`)).toMatchObject({ change: { ignored: 1, newlyIgnored: 0 } })
})

it('mails in six languages, and webhooks', async () => {
  await queueMessages({ ...api, publicUrl: 'https://clearway.example.org' })
  const rows = await api.db
    .selectFrom('delivery')
    .select(['kind', 'payload'])
    .where('scan_id', '=', run.scanId)
    .where('run_number', '=', 2)
    .execute()
  const payloads = new Map(rows.map(({ kind, payload }) => [kind, Payload.parse(payload)]))
  expect([...payloads.keys()].sort()).toEqual(['mail', 'webhook'])
  for (const payload of payloads.values()) expect(payload).toMatchObject({ run: { change: counts } })
  const mailPayload = payloads.get('mail')!
  if (mailPayload.event === 'mentioned') throw new Error('Another mail')
  for (const [language, { changes }] of Object.entries(mailTexts)) {
    const { text } = buildRunMail({ ...mailPayload, language }, 'Clearway')
    expect(text).toContain(`- ${changes.notRechecked}: 3\n`)
    expect(text).toContain(`- ${changes.issuesGone}: 1\n`)
    expect(new Set(Object.values(changes)).size).toBe(Object.keys(ChangeCounts.shape).length)
  }
})

it('a comparison, from both sides', async () => {
  type Comparison = { rules: { rule: string; notRechecked: object }[]; onlyThere: { critical: number } }
  const comparison = await get<Comparison>(`/scans/${run.scanId}/runs/2/compare/1`)
  expect(comparison).toMatchObject({
    onlyThere: { critical: 5, needsReview: 1 },
    onlyHere: { critical: 1 },
    notRechecked: { onlyThere: 4, onlyHere: 0 },
    notRecheckedByImpact: { onlyThere: { critical: 3, needsReview: 1 }, onlyHere: { critical: 0 } },
  })
  const byRule = Object.fromEntries(comparison.rules.map(({ rule, notRechecked }) => [rule, notRechecked]))
  expect(byRule).toEqual({ 'image-alt': { onlyThere: 3, onlyHere: 0 }, label: { onlyThere: 1, onlyHere: 0 } })
  expect(await get(`/scans/${run.scanId}/runs/1/compare/2`)).toMatchObject({ notRechecked: { onlyHere: 4, onlyThere: 0 } })
  type Listed = { content: { selector: string; isNotRechecked: boolean }[] }
  const { content } = await get<Listed>(`/scans/${run.scanId}/runs/2/compare/1/issues?side=onlyThere`)
  const unchecked = content.filter(({ isNotRechecked }) => isNotRechecked).map(({ selector }) => selector.replace(/\W/g, ''))
  expect(unchecked.toSorted()).toEqual(['imgb1', 'imgb2', 'imgc', 'imgreview'])
  const listByRecheck = (isNotRechecked: boolean) =>
    get<Listed>(`/scans/${run.scanId}/runs/2/compare/1/issues?side=onlyThere&notRechecked=${isNotRechecked}`)
  expect((await listByRecheck(true)).content).toEqual(content.filter(({ isNotRechecked }) => isNotRechecked))
  expect((await listByRecheck(false)).content).toEqual(content.filter(({ isNotRechecked }) => !isNotRechecked))
  const both = await get<Listed>(`/scans/${run.scanId}/runs/2/compare/1/issues?side=both`)
  expect(both.content.map(({ isNotRechecked }) => isNotRechecked)).toEqual([false])
})

it('pages, in their list and in their exports', async () => {
  type Pages = { content: { url: string; notRecheckedIssues: number }[] }
  const { content } = await get<Pages>(`/pages?scanId=${run.scanId}&sort=notRecheckedIssues,desc`)
  expect(content.map(({ url, notRecheckedIssues }) => `${url.at(-1)} ${notRecheckedIssues}`)).toEqual([
    'b 2',
    'c 1',
    'a 0',
    'd 0',
  ])
  const lines = (await exportFile('/bulk/pages/export/csv', {})).trim().split('\r\n')
  expect(lines[0]!.split(',').at(-1)).toBe('Not tested again')
  const uncheckedCounts = lines.slice(1).map((line) => Number(line.split(',').at(-1)))
  expect(uncheckedCounts.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 2])
})

it.each([
  ['csv', /,not-rechecked,/g, 3],
  ['csv/detailed', /,not-rechecked,/g, 3],
  ['json', /"change":"not-rechecked"/g, 3],
  ['sarif', /"baselineState":"unchanged","properties":\{"change":"not-rechecked"/g, 3],
  ['junit', /<property name="change" value="not-rechecked"\/><property name="engine" value="axe"\/><\/properties><failure /g, 3],
  ['earl', /earl:untested/g, 4],
])('exports of issues as %s', async (format, pattern, expected) => {
  const changes = ['not-rechecked', 'page-gone', 'fixed', 'new']
  const filters = { severity: ['critical'], change: changes, status: ['open', 'fixed'] }
  expect((await exportFile(`/bulk/issues/export/${format}`, filters)).match(pattern)).toHaveLength(expected)
})
