/** @module-tag slow */
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'
import { buildAxeResults, uploadTo } from '../../../../test/upload.ts'
import { archiveRun } from '../../run/retention/store.ts'
import { storedLiterals } from '../table.ts'

const api = useTestApi()
let admin: string
let scan: string
let other: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  const nav = { component: 'Navigation' }
  const review = buildFinding('r', { severity: 'needs review', impact: 'serious', rule: 'label' })
  const minor = buildFinding('m', { severity: 'minor', impact: 'minor', rule: 'region', ...nav })
  const pages = {
    a: buildCompleted([buildFinding('a'), buildFinding('b', nav), review, minor]),
    b: buildCompleted([buildFinding('a'), buildFinding('c'), minor]),
  }
  const run = await recordRun(api, undefined, pages, 'Groups')
  scan = run.scanId
  // An upload for a page that the run also tested.
  const text = buildAxeResults('https://example.org/a', 2)
  const uploaded = await uploadTo(api, { token: admin, scan, run: run.number }, [{ text }])
  expect(uploaded.status).toBe(200)
  other = (await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Others')).scanId
})

type Group = { key: string; name: string; severity: string; issues: number; pages: number; needsReview: number }
type List<T> = { content: T[]; page: { totalElements: number }; totalIssues: number; severities: Record<string, number> }
const get = async <T>(path: string, token = admin) => (await api.call('GET', path, { token })).body as List<T>
const listGroups = (by: string, query = '') => get<Group>(`/issues/groups?by=${by}&size=500&${query}`)
const listIssues = (query: string) => get<{ id: string; templateId: string }>(`/issues?size=500&${query}`)
const filterOf = { rule: 'rule', page: 'pageId', component: 'component', template: 'template' } as const
const kinds = ['rule', 'page', 'component', 'template'] as const

it.each(kinds)('groups by %s match the list’s counts and link to exactly these issues', async (by) => {
  for (const query of [
    'status=open',
    `scanId=${scan}`,
    'search=a',
    'severity=critical',
    'component=',
    'change=new',
    'source=uploaded&status=open',
    'source=automated',
    `source=automated&source=uploaded&scanId=${scan}`,
    'source=uploaded&severity=serious',
  ]) {
    const [summed, listed] = [await listGroups(by, query), await listIssues(query)]
    expect([summed.totalIssues, summed.severities]).toEqual([listed.totalIssues, listed.severities])
    expect(summed.content.reduce((sum, { issues, needsReview }) => sum + issues + needsReview, 0)).toBe(listed.totalIssues)
    expect(summed.page.totalElements).toBe(summed.content.length)
    for (const { key, issues, needsReview } of summed.content) {
      const of = await listIssues(`${query}&${filterOf[by]}=${encodeURIComponent(key)}`)
      expect([key, of.totalIssues]).toEqual([key, issues + needsReview])
      // Counts next to the severity filter ignore that filter.
      if (!query.startsWith('severity')) expect([key, of.severities.needsReview]).toEqual([key, needsReview])
    }
  }
})

it('describes each group, the worst and largest first', async () => {
  expect((await listGroups('rule', `scanId=${scan}`)).content).toMatchObject([
    { name: 'image-alt', severity: 'critical', issues: 4, pages: 2 },
    { name: 'link-name', severity: 'serious', issues: 2, pages: 1 },
    { name: 'region', severity: 'minor', issues: 2, pages: 2 },
    { name: 'label', severity: 'needs review', issues: 0, pages: 1, needsReview: 1 },
  ])
  const byComponent = (await listGroups('component', `scanId=${scan}`)).content
  expect(byComponent.map(({ name, issues }) => [name, issues])).toEqual(
    expect.arrayContaining([
      ['Navigation', 3],
      ['', 5],
    ]),
  )
  expect((await listGroups('rule', 'sort=name,desc')).content[0]).toMatchObject({ name: 'region' })
  expect((await get('/issues/groups?by=page&size=1&page=9')).page.totalElements).toBe(4)
})

it('are changed as a whole without side effects', async () => {
  const [first] = (await listIssues(`scanId=${scan}&rule=image-alt`)).content
  const previousTotal = (await listIssues('status=open')).totalIssues
  const template = (await listGroups('template', `scanId=${scan}`)).content.find(({ key }) => key === first!.templateId)!
  const change = (status: string, filters: object) =>
    api.call('PATCH', '/bulk/issues', {
      token: admin,
      body: { filters, selected: { selectAllMode: true }, fieldsToUpdate: { status } },
    })
  const filters = { status: ['open'], template: [template.key] }
  expect((await change('ignored', filters)).body).toMatchObject({ changed: template.issues + template.needsReview })
  expect((await listIssues('status=open')).totalIssues).toBe(previousTotal - template.issues - template.needsReview)
  await change('open', { ...filters, status: ['ignored'] })
  const none = (await listGroups('component', `scanId=${other}`)).content
  expect((await change('ignored', { scanId: [other], component: [''] })).body).toMatchObject({ changed: none[0]!.issues })
  expect((await listIssues('status=open')).totalIssues).toBe(previousTotal - none[0]!.issues)
})

/** Visible state of a scan's issues, except their versions and the times of their changes. */
async function readVisibleState() {
  const { content: issues, totalIssues, severities } = await listIssues(`scanId=${scan}`)
  const content = issues.map((issue) => ({ ...issue, updatedAt: null }))
  const details = await Promise.all(
    content.map(async ({ id }) => ({ ...(await get<object>(`/issues/${id}`)), version: 0, updatedAt: null })),
  )
  const { body } = await api.call('GET', `/scans/${scan}/ignores`, { token: admin })
  return { content, totalIssues, severities, details, ignores: body }
}
type Changed = { changed: number; undo: string }
const edit = async (fieldsToUpdate: object, selected: object = { selectAllMode: true }) =>
  (await api.call('PATCH', '/bulk/issues', { token: admin, body: { filters: { scanId: [scan] }, selected, fieldsToUpdate } }))
    .body as Changed
const undo = (id: string, token = admin) => api.call('POST', '/bulk/issues/undo', { token, body: { undo: id } })

it.each([
  { status: 'ignored' },
  { status: 'ignored', ignore: { scope: 'rule', reason: 'later' } },
  { status: 'fixed' },
  { assignedTo: 'admin' },
  { addLabels: ['brand'], ticketUrl: 'https://tickets.example.org/1' },
  { markAsIssue: true },
  { markAsIssue: false },
])('a bulk change can be undone completely: %j', async (fields) => {
  const previousState = await readVisibleState()
  const { changed, undo: id } = await edit(fields)
  expect(await readVisibleState()).not.toEqual(previousState)
  expect((await undo(id, await api.token('stranger', ['access', 'admin']))).status).toBe(404)
  expect((await undo(id)).body).toEqual({ restored: changed, left: 0, named: [], remaining: 0 })
  expect(await readVisibleState()).toEqual(previousState)
  expect((await undo(id)).status).toBe(404)
})

it('an undone ignore of a rule covers nothing, including issues found since', async () => {
  const previousTotal = (await listIssues(`scanId=${scan}&status=open`)).totalIssues
  const [alike] = (await listIssues(`scanId=${scan}&rule=image-alt`)).content
  const { undo: id } = await edit(
    { status: 'ignored', ignore: { scope: 'rule', reason: 'later' } },
    { selectedIssues: [alike!.id] },
  )
  const [later] = (await listIssues(`scanId=${scan}&rule=region`)).content
  // Simulates the next run, which stores a finding covered by the ignore.
  await sql`update issue set status = ${storedLiterals.status.ignored},
    ignore_id = (select ignore_id from issue where id = ${alike!.id}) where id = ${later!.id}`.execute(api.db)
  expect((await undo(id)).status).toBe(200)
  expect((await listIssues(`scanId=${scan}&status=open`)).totalIssues).toBe(previousTotal)
  expect(await get<object>(`/issues/${later!.id}`)).toMatchObject({ status: 'open' })
  expect((await api.call('GET', `/scans/${scan}/ignores`, { token: admin })).body).toEqual({ content: [] })
})

it('leaves and names issues that changed since', async () => {
  const { changed, undo: id } = await edit({ addLabels: ['brand'] })
  const [first] = (await listIssues(`scanId=${scan}&label=brand`)).content
  await edit({ ticketUrl: 'https://tickets.example.org/2' }, { selectedIssues: [first!.id] })
  // Each change of the last day can be undone, not only the newest one.
  expect((await undo(id)).body).toMatchObject({ restored: changed - 1, left: 1, named: [{ id: first!.id }] })
  const again = await edit({ status: 'fixed' })
  await api.call('PATCH', `/issues/${first!.id}`, { token: admin, body: { fieldsToUpdate: { status: 'open' } } })
  expect((await undo(again.undo)).body).toMatchObject({ restored: changed - 1, left: 1, named: [{ id: first!.id }] })
  expect((await listIssues(`scanId=${scan}&status=fixed`)).totalIssues).toBe(0)
})

it('reveals no inaccessible issues', async () => {
  const stranger = await api.token('stranger')
  expect(await get('/issues/groups?by=rule', stranger)).toMatchObject({ content: [], totalIssues: 0 })
  expect((await api.call('GET', '/issues/groups?by=color', { token: admin })).status).toBe(400)
})

it('groups by page list no pages that an archived run keeps for later runs', async () => {
  const first = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Archived')
  await recordRun(api, first.scanId, { b: buildCompleted([]) })
  const query = `scanId=${first.scanId}&runNumber=1`
  expect((await listGroups('page', query)).content).toHaveLength(1)
  await archiveRun(api, first.id)
  for (const kind of kinds) expect([kind, (await listGroups(kind, query)).content]).toEqual([kind, []])
})
