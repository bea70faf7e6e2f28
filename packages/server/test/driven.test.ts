/** @module-tag slow */
import type { IssueDetail, IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { DrivenPage, WalkedPage } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { IssueExport } from '@clearway/contract/monitor/issue/export/schema.ts'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, buildSeen, recordRun, type TestRun } from './run.ts'

// Findings of driven pages: what they say, and which later runs prove them fixed.

const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('driver', ['access', 'admin'])
})
const call = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T

const fullDrive: DrivenPage = { level: 'full', version: 1, isPartial: false }
const focusFinding = buildFinding('focus', { rule: 'drive-focus-visible', engine: 'driven', tags: ['wcag2aa', 'wcag247'] })
const phoneFinding = buildFinding('phone', { rule: 'color-contrast', engine: 'driven', states: ['390 px', 'dark'] })
const recordDriven = (scanId: string | undefined, findings: ReturnType<typeof buildFinding>[], driven?: DrivenPage) =>
  recordRun(
    api,
    scanId,
    { page: { ...buildCompleted([buildFinding('base'), ...findings]), ...(driven && { driven }) } },
    `Driven ${Math.random()}`,
  )
const listChanges = async (run: TestRun) => {
  const query = ['new', 'still', 'back', 'fixed', 'not-rechecked'].map((change) => `change=${change}`).join('&')
  const { content } = await call<IssueList>(`/issues?scanId=${run.scanId}&runNumber=${run.number}&${query}`)
  return Object.fromEntries(content.map(({ rule, change }) => [rule, change]))
}
const readIssue = async (run: TestRun, rule: string) => {
  const { content } = await call<IssueList>(`/issues?scanId=${run.scanId}&runNumber=${run.number}&rule=${rule}`)
  return call<IssueDetail>(`/issues/${content[0]!.id}`)
}

it('an issue names its engine and the states in which it was seen', async () => {
  const run = await recordDriven(undefined, [focusFinding, phoneFinding], fullDrive)
  expect(await readIssue(run, 'drive-focus-visible')).toMatchObject({ engine: 'driven', states: [] })
  expect(await readIssue(run, 'color-contrast')).toMatchObject({ engine: 'driven', states: ['390 px', 'dark'] })
  expect(await readIssue(run, 'image-alt')).toMatchObject({ engine: 'axe', states: [] })
})

it('a page is stored whose texts are cut within a letter, or hold NUL', async () => {
  const odd = 'Save \ud83d\u0000'
  const driven: WalkedPage = { ...fullDrive, walk: { view: null, stops: [{ text: odd, kind: 'button', box: null, faults: [] }] } }
  const page = { ...buildSeen(1, [buildFinding('base')], { title: odd }), title: odd, driven } as PageOutcome
  const run = await recordRun(api, undefined, { page }, 'Odd texts')
  const { content } = await call<{ content: { status: string; id: string }[] }>(`/pages?scanId=${run.scanId}`)
  expect(content.map(({ status }) => status)).toEqual(['completed'])
  const detail = await call<{ driven: WalkedPage }>(`/pages/${content[0]!.id}`)
  expect(detail.driven.walk!.stops[0]!.text).toBe('Save \ufffd\ufffd')
})

it('a page that was not driven as far proves nothing fixed', async () => {
  const { scanId } = await recordDriven(undefined, [focusFinding, phoneFinding], fullDrive)
  const off = await recordDriven(scanId, [])
  expect(await listChanges(off)).toMatchObject({ 'drive-focus-visible': 'not-rechecked', 'color-contrast': 'not-rechecked' })
  const partial = await recordDriven(scanId, [], { ...fullDrive, isPartial: true })
  expect(await listChanges(partial)).toMatchObject({ 'drive-focus-visible': 'not-rechecked', 'color-contrast': 'not-rechecked' })
  const narrow = await recordDriven(scanId, [], { ...fullDrive, level: 'narrow' })
  expect(await listChanges(narrow)).toMatchObject({ 'drive-focus-visible': 'not-rechecked', 'color-contrast': 'fixed' })
  const full = await recordDriven(scanId, [], fullDrive)
  expect(await listChanges(full)).toMatchObject({ 'drive-focus-visible': 'fixed' })
})

it('an issue keeps its identity when axe sees it in another state', async () => {
  const { scanId } = await recordDriven(undefined, [phoneFinding], fullDrive)
  const { engine: _engine, states: _states, ...plainFinding } = phoneFinding
  const later = await recordDriven(scanId, [plainFinding], fullDrive)
  expect(await listChanges(later)).toMatchObject({ 'color-contrast': 'still' })
  expect(await readIssue(later, 'color-contrast')).toMatchObject({ engine: 'axe', states: [] })
})

it('issues are filtered by engine and state, in lists, groups, bulk calls, exports and saved views', async () => {
  const menuFinding = buildFinding('menu', { rule: 'color-contrast', engine: 'driven', states: ['opened: "Menu", 2'] })
  const pdfFinding = buildFinding('pdf', { rule: 'pdf-title' })
  const run = await recordDriven(undefined, [focusFinding, phoneFinding, menuFinding, pdfFinding], fullDrive)
  const toQuery = (filters: Record<string, readonly string[]>) =>
    Object.entries(filters)
      .flatMap(([name, values]) => values.map((value) => `&${name}=${encodeURIComponent(value)}`))
      .join('')
  const expectRules = async (filters: Record<string, readonly string[]>, rules: readonly string[]) => {
    const query = toQuery({ scanId: [run.scanId], status: ['open'], ...filters })
    for (const more of ['', '&cursor=', '&search=e']) {
      const list = await call<IssueList>(`/issues?${query}${more}`)
      expect(list.content.map(({ rule }) => rule).toSorted()).toEqual(rules)
      expect(list.totalIssues).toBe(rules.length)
    }
    expect((await call<IssueList>(`/issues?${query}&grouped=true`)).totalIssues).toBe(rules.length)
    const { content: groups } = await call<{ content: { key: string; issues: number }[] }>(`/issues/groups?by=rule${query}`)
    expect(groups.flatMap(({ key, issues }) => Array.from({ length: issues }, () => key)).toSorted()).toEqual(rules)
    const body = { filters: { scanId: [run.scanId], ...filters }, selected: { selectAllMode: true } }
    const { issues } = (await api.call('POST', '/bulk/issues/export/json', { token: admin, body })).body as z.output<
      typeof IssueExport
    >
    expect(issues.map(({ rule }) => rule).toSorted()).toEqual(rules)
    const change = { ...body, fieldsToUpdate: { addLabels: [Object.values(filters).join()] } }
    expect((await api.call('PATCH', '/bulk/issues', { token: admin, body: change })).body).toMatchObject({
      changed: rules.length,
    })
  }
  await expectRules({ engine: ['axe'] }, ['image-alt'])
  await expectRules({ engine: ['pdf'] }, ['pdf-title'])
  await expectRules({ engine: ['driven'] }, ['color-contrast', 'color-contrast', 'drive-focus-visible'])
  await expectRules({ engine: ['axe', 'pdf', 'axe'] }, ['image-alt', 'pdf-title'])
  await expectRules({ state: ['dark'] }, ['color-contrast'])
  await expectRules({ state: ['390 px', 'dark'] }, ['color-contrast'])
  await expectRules({ state: ['opened'] }, ['color-contrast'])
  await expectRules({ state: ['opened: "Menu", 2', '390 px'] }, ['color-contrast', 'color-contrast'])
  await expectRules({ state: ['opened: Menu'] }, [])
  await expectRules({ state: ['dark'], engine: ['axe'] }, [])
  const wrong = await api.call('GET', `/issues?engine=ibm`, { token: admin })
  expect([wrong.status, wrong.body]).toMatchObject([400, { errors: [{ path: 'engine.0' }] }])
  const view = { screen: 'issues', name: 'Driven', audience: { kind: 'me' }, query: { engine: ['driven'], state: ['opened'] } }
  const saved = await api.call('POST', '/views', { token: admin, body: view })
  expect(saved.body).toMatchObject({ query: { engine: ['driven'], state: ['opened'] } })
})

it('every export names engine and states', async () => {
  const run = await recordDriven(undefined, [{ ...phoneFinding, states: ['390 px', 'dark', 'opened: =Menu\0'] }], fullDrive)
  const exportText = async (format: string) => {
    const body = { filters: { scanId: [run.scanId], engine: ['driven'] }, selected: { selectAllMode: true } }
    const reply = await api.app.inject({
      method: 'POST',
      url: `/monitor-api/bulk/issues/export/${format}`,
      headers: { authorization: `Bearer ${admin}` },
      payload: body,
    })
    expect(reply.statusCode).toBe(200)
    return reply.payload
  }
  const states = ['390 px', 'dark', 'opened: =Menu\ufffd']
  const [row] = parse<Record<string, string>>(await exportText('csv/detailed'), { bom: true, columns: true })
  expect([row!.Engine, row!['Seen in']]).toEqual(['driven', states.join(', ')])
  expect(z.parse(IssueExport, JSON.parse(await exportText('json'))).issues).toMatchObject([{ engine: 'driven', states }])
  const sarif = JSON.parse(await exportText('sarif')) as { runs: { results: object[] }[] }
  expect(sarif.runs[0]!.results).toMatchObject([{ properties: { engine: 'driven', states } }])
  expect(await exportText('earl')).toContain(JSON.stringify(`Seen in: ${states.join(', ')}`))
  const junit = await exportText('junit')
  expect(junit).toContain('<property name="engine" value="driven"/>')
  for (const state of states) expect(junit).toContain(`<property name="state" value="${state}"/>`)
})

it('a run counts its driven pages by how far they were driven', async () => {
  const levels = { a: 'full', b: 'full', c: 'narrow', d: 'page' } as const
  const pages = Object.fromEntries(
    Object.entries(levels).map(([path, level]) => [
      path,
      { ...buildCompleted([]), driven: { level, version: 1, isPartial: path === 'b' } },
    ]),
  )
  const run = await recordRun(api, undefined, { ...pages, e: buildCompleted([]) }, 'Driven pages')
  const overview = await call<{ driven: object }>(`/scans/${run.scanId}/runs/${run.number}/overview/pages`)
  expect(overview.driven).toEqual({ page: 1, narrow: 1, full: 2, inPart: 1 })
})

it('pages that share a title are reported at the end of the run, and fixed only by proof', async () => {
  const buildTitled = (title: string, firstWord: number, content: string) => ({
    ...buildSeen(firstWord, [], { title }),
    finalUrl: `https://example.org/${content}`,
    signature: { content, masked: content, template: 't', isUnlisted: false },
    driven: { level: 'page', version: 1, isPartial: false } as const,
  })
  const piers = buildTitled('Harbor', 0, 'piers')
  const prices = buildTitled(' harbor', 100, 'prices')
  const listTitles = async ({ scanId, number }: TestRun) => {
    const changes = ['new', 'still', 'back', 'fixed', 'not-rechecked'].map((change) => `change=${change}`).join('&')
    const { content } = await call<IssueList>(`/issues?scanId=${scanId}&runNumber=${number}&rule=drive-site-titles&${changes}`)
    return Object.fromEntries(content.map(({ change, pageUrl }) => [pageUrl.split('/').at(-1), change]))
  }
  const first = await recordRun(api, undefined, { piers, prices, own: buildTitled('Own', 200, 'own') }, 'Titles')
  expect(await listTitles(first)).toEqual({ piers: 'new', prices: 'new' })
  const counted = ['moderate', 'health_moderate', 'health_good', 'total_issues'] as const
  expect(await api.db.selectFrom('run').select(counted).where('id', '=', first.id).executeTakeFirst()).toEqual({
    moderate: 2,
    health_moderate: 2,
    health_good: 1,
    total_issues: 2,
  })
  // The other page with the title was not visited.
  const half = await recordRun(api, first.scanId, { piers }, '', { end: { kind: 'cancelled' } })
  expect(await listTitles(half)).toEqual({ piers: 'not-rechecked', prices: 'not-rechecked' })
  const changed = await recordRun(api, first.scanId, {
    piers,
    prices: buildTitled('Prices', 100, 'prices'),
    own: buildTitled('Own', 200, 'own'),
  })
  expect(await listTitles(changed)).toEqual({ piers: 'fixed', prices: 'fixed' })
})
