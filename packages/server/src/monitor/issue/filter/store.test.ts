import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'
import { buildAxeResults, uploadTo } from '../../../../test/upload.ts'

const api = useTestApi()
let admin: string
let scan: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  const review = buildFinding('r', { severity: 'needs review', impact: 'serious', rule: 'label' })
  const minor = buildFinding('m', { severity: 'minor', impact: 'minor', rule: 'region' })
  const pages = {
    a: buildCompleted([buildFinding('a'), buildFinding('b'), review, minor]),
    b: buildCompleted([buildFinding('c')]),
  }
  scan = (await recordRun(api, undefined, pages)).scanId
  const all = { filters: { scanId: [scan] }, selected: { selectAllMode: true } }
  for (const fieldsToUpdate of [{ addLabels: ['brand'] }, { assignedTo: 'admin' }])
    await api.call('PATCH', '/bulk/issues', { token: admin, body: { ...all, fieldsToUpdate } })
})

type List = { content: { id: string; severity: string }[]; severities: object; totalIssues: number }
const listIssues = async (query: string) => (await api.call('GET', `/issues?${query}`, { token: admin })).body as List
const facts = ({ content, severities, totalIssues }: List) => ({
  severities,
  totalIssues,
  content: content.map(({ id, severity }) => `${severity} ${id}`),
})

/** Asserts that the fast path and the slow path, forced by a search for any URL, return the same. */
async function listBothWays(query: string): Promise<List> {
  const [short, long] = [await listIssues(query), await listIssues(`${query}&search=e`)]
  expect(facts(short)).toEqual(facts(long))
  return short
}
const queries = [
  'label=brand',
  'label=brand&status=open',
  'label=brand&status=ignored',
  'assignedTo=admin&severity=critical',
  'assignedTo=admin&size=2&page=1&sort=severity,desc',
  'label=other',
]
const createBothRuns = async () => {
  for (const query of queries) await listBothWays(query)
}

it('a search finds a rule by its title in any language', async () => {
  const totalByRule = (await listIssues(`scanId=${scan}&rule=image-alt`)).totalIssues
  expect(totalByRule).toBe(3)
  for (const title of ['An image has no alternative text', 'bild hat keinen alternativtext', '画像に代替'])
    expect((await listIssues(`scanId=${scan}&search=${encodeURIComponent(title)}`)).totalIssues).toBe(totalByRule)
})

it('lists by label and person match the findings after each change', async () => {
  await createBothRuns()
  expect((await listIssues('label=brand')).totalIssues).toBe(5)
  const [review] = (await listIssues('label=brand&severity=needs%20review')).content
  const mark = (markAsIssue: boolean) =>
    api.call('PATCH', `/issues/${review!.id}`, { token: admin, body: { fieldsToUpdate: { markAsIssue } } })
  await mark(true)
  await createBothRuns()
  expect((await listIssues('label=brand')).severities).toMatchObject({ serious: 1, needsReview: 0 })
  await mark(false)
  await createBothRuns()
  const [first] = (await listIssues('label=brand&severity=critical')).content
  const ignored = { fieldsToUpdate: { status: 'ignored' } }
  await api.call('PATCH', `/issues/${first!.id}`, { token: admin, body: ignored })
  await createBothRuns()
  // One issue is fixed, another gets worse, one page fails.
  const worse = buildFinding('m', { severity: 'serious', impact: 'serious', rule: 'region' })
  await recordRun(api, scan, { a: buildCompleted([buildFinding('a'), worse]), b: buildCompleted([]) })
  await createBothRuns()
  expect((await listIssues('label=brand')).totalIssues).toBe(2)
  // The run in view is not the newest one.
  await api.call('POST', `/scans/${scan}/startRun`, { token: admin })
  await createBothRuns()
  await api.call('POST', `/scans/${scan}/cancel`, { token: admin })
  await createBothRuns()
  expect((await listIssues('label=brand')).totalIssues).toBe(2)
})

type Sourced = { content: { pageUrl: string; source: string; change: string }[]; totalIssues: number }
const listWithSource = async (query: string) => (await listIssues(query)) as unknown as Sourced

it('filters issues by source: found by a run, or uploaded', async () => {
  const pages = { a: buildCompleted([buildFinding('a'), buildFinding('b')]) }
  const run = await recordRun(api, undefined, pages, 'Sources')
  const to = { token: admin, scan: run.scanId, run: run.number }
  const text = buildAxeResults('https://example.org/a', 3)
  expect((await uploadTo(api, to, [{ text }])).status).toBe(200)
  const openIssuesQuery = `scanId=${run.scanId}&status=open`
  const facts = async (query: string) => {
    const { content, totalIssues } = await listWithSource(`${openIssuesQuery}&${query}`)
    return [totalIssues, [...new Set(content.map(({ pageUrl, source }) => `${source} ${pageUrl}`))]]
  }
  for (const more of ['', '&grouped=true', '&sort=pageUrl,asc']) {
    expect(await facts(`source=uploaded${more}`)).toEqual([3, ['uploaded https://example.org/a']])
    expect(await facts(`source=automated${more}`)).toEqual([2, ['automated https://example.org/a']])
    expect((await facts(`source=automated&source=uploaded${more}`))[0]).toBe(5)
  }
  expect((await facts('source=uploaded&rule=image-alt'))[0]).toBe(0)
  const wrong = await api.call('GET', `/issues?${openIssuesQuery}&source=manual`, { token: admin })
  expect([wrong.status, wrong.body]).toMatchObject([400, { errors: [{ path: 'source.0' }] }])
})

it('selects all issues by source: for labels, for exports, and on pages that a later run did not test', async () => {
  const { scanId, number } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'All of a source')
  const text = buildAxeResults('https://example.org/a', 3)
  await uploadTo(api, { token: admin, scan: scanId, run: number }, [{ text }])
  const filters = { scanId: [scanId], source: ['uploaded'] }
  const selected = { selectAllMode: true }
  const change = { filters, selected, fieldsToUpdate: { addLabels: ['from outside'] } }
  expect((await api.call('PATCH', '/bulk/issues', { token: admin, body: change })).body).toMatchObject({ changed: 3 })
  const labeled = await listWithSource('label=from outside')
  expect(labeled.content.map(({ source }) => source)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  // The fast path for lists by label applies the source, too.
  expect((await listWithSource('label=from outside&source=automated')).totalIssues).toBe(0)
  const file = await api.call('POST', '/bulk/issues/export/json', { token: admin, body: { filters, selected } })
  expect((file.body as { issues: { rule: string }[] }).issues.map(({ rule }) => rule)).toEqual([
    'link-name',
    'link-name',
    'link-name',
  ])
  await recordRun(api, scanId, { a: buildCompleted([buildFinding('a')]) })
  const later = await listWithSource(`scanId=${scanId}&source=uploaded&change=not-rechecked`)
  expect(later.content.map(({ source, change: what }) => [source, what])).toEqual(
    Array.from({ length: 3 }, () => ['uploaded', 'not-rechecked']),
  )
})

it('tells how many issues of a row are new, whichever of them stands for it', async () => {
  const logo = buildFinding('logo')
  const { scanId } = await recordRun(api, undefined, { b: buildCompleted([logo]) }, 'Partly new')
  await recordRun(api, scanId, { a: buildCompleted([logo]), b: buildCompleted([logo]), c: buildCompleted([logo]) })
  await recordRun(api, scanId, {
    a: buildCompleted([logo]),
    b: buildCompleted([]),
    c: buildCompleted([logo]),
    d: buildCompleted([logo]),
  })
  await recordRun(api, scanId, { a: buildCompleted([logo]), b: buildCompleted([logo]), e: buildCompleted([logo]) })
  // The list of open rows alone is a fast path.
  for (const query of ['', '&rule=image-alt', '&sort=change,asc'])
    expect((await listIssues(`scanId=${scanId}&status=open&grouped=true${query}`)).content).toMatchObject([
      { issues: 3, newIssues: 1, reappearedIssues: 1 },
    ])
})
