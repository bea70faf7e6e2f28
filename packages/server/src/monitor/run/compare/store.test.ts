import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, type TestRun, recordRun } from '../../../../test/run.ts'

const api = useTestApi()
let admin: string
let first: TestRun
let second: TestRun
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  const region = buildFinding('m', { severity: 'minor', impact: 'minor', rule: 'region' })
  first = await recordRun(api, undefined, {
    a: buildCompleted([buildFinding('a'), buildFinding('b'), region]),
    b: buildCompleted([buildFinding('c')]),
    gone: buildCompleted([]),
  })
  second = await recordRun(api, first.scanId, {
    a: buildCompleted([buildFinding('a'), region, buildFinding('n', { rule: 'label' })]),
    b: buildCompleted([]),
    added: buildCompleted([buildFinding('d')]),
  })
})

const getComparison = (run: number, other: number, more = '') => `/scans/${first.scanId}/runs/${run}/compare/${other}${more}`
const get = async <T>(path: string, token = admin) => (await api.call('GET', path, { token })).body as T
type Counts = Record<string, number>
type Comparison = Record<(typeof sides)[number], Counts> & {
  pages: Counts
  rules: ({ rule: string } & Record<(typeof sides)[number], number>)[]
}
type List = {
  content: { issueId: string; url: string; pageUrl: string; runNumber: number; rule: string }[]
  page: { totalElements: number }
}
const sides = ['onlyHere', 'both', 'onlyThere'] as const
const sumCounts = (counts: Counts) => Object.values(counts).reduce((total, count) => total + count, 0)

it.each([
  [2, 1],
  [1, 2],
])('the lists of %i against %i match the counts of the comparison', async (run, other) => {
  const compared = await get<Comparison>(getComparison(run, other))
  for (const side of sides) {
    const issues = await get<List>(getComparison(run, other, `/issues?side=${side}`))
    expect([side, issues.page.totalElements]).toEqual([side, sumCounts(compared[side])])
    expect(issues.content).toHaveLength(issues.page.totalElements)
    const pages = await get<List>(getComparison(run, other, `/pages?side=${side}`))
    expect([side, pages.page.totalElements]).toEqual([side, compared.pages[side]])
    for (const { rule, ...counts } of compared.rules) {
      const of = await get<List>(getComparison(run, other, `/issues?side=${side}&rule=${rule}`))
      expect([rule, side, of.page.totalElements]).toEqual([rule, side, counts[side]])
    }
    for (const { issueId, runNumber } of issues.content)
      expect(await get(`/issues/${issueId}?runNumber=${runNumber}`)).toMatchObject({ status: 'open' })
  }
})

it('lists added and removed issues and pages, with paging', async () => {
  const fresh = await get<List>(getComparison(2, 1, '/issues?side=onlyHere'))
  expect(fresh.content.map(({ rule, runNumber }) => [rule, runNumber])).toEqual([
    ['image-alt', 2],
    ['label', 2],
  ])
  const gone = await get<List>(getComparison(2, 1, '/issues?side=onlyThere&size=1&page=1'))
  expect(gone).toMatchObject({ page: { totalElements: 2 }, content: [{ runNumber: 1 }] })
  expect(await get<List>(getComparison(2, 1, '/issues?side=onlyThere&page=9'))).toMatchObject({
    page: { totalElements: 2 },
    content: [],
  })
  const pages = async (side: string) =>
    (await get<List>(getComparison(2, 1, `/pages?side=${side}`))).content.map(({ url }) => url.split('/').at(-1))
  expect([await pages('onlyHere'), await pages('onlyThere')]).toEqual([['added'], ['gone']])
})

it('is visible to users who can see the scan', async () => {
  const stranger = await api.token('stranger')
  for (const list of ['issues', 'pages'])
    for (const [path, token] of [
      [getComparison(2, 1, `/${list}?side=both`), stranger],
      [getComparison(2, 9, `/${list}?side=both`), admin],
    ] as const)
      expect((await api.call('GET', path, { token })).status).toBe(404)
  expect(second.scanId).toBe(first.scanId)
})

it('tells issues that the older run knew and did not test from new ones', async () => {
  const known = buildCompleted([buildFinding('known')])
  const b = buildCompleted([])
  const { scanId } = await recordRun(api, undefined, { a: known, b }, 'Not tested')
  await recordRun(api, scanId, { a: buildFailed('timeout-generic'), b })
  await recordRun(api, scanId, { b, a: buildCompleted([buildFinding('known'), buildFinding('fresh', { rule: 'label' })]) })
  const path = `/scans/${scanId}/runs/3/compare/2`
  expect(await get(path)).toMatchObject({
    notRechecked: { onlyHere: 1, onlyThere: 0 },
    rules: [
      { rule: 'image-alt', onlyHere: 1, notRechecked: { onlyHere: 1 } },
      { rule: 'label', onlyHere: 1, notRechecked: { onlyHere: 0 } },
    ],
  })
  const list = async (notRechecked: boolean) =>
    (await get<List>(`${path}/issues?side=onlyHere&notRechecked=${notRechecked}`)).content.map(({ rule }) => rule)
  expect([await list(false), await list(true)]).toEqual([['label'], ['image-alt']])
})

it('counts the results of a rule that need review', async () => {
  const doubtful = buildFinding('doubtful', { rule: 'color-contrast', severity: 'needs review' })
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([doubtful]) }, 'In doubt')
  await recordRun(api, scanId, { a: buildCompleted([doubtful, buildFinding('certain')]) })
  const { rules } = await get<{ rules: { rule: string }[] }>(`/scans/${scanId}/runs/2/compare/1`)
  expect(rules.toSorted((a, b) => a.rule.localeCompare(b.rule))).toMatchObject([
    { rule: 'color-contrast', both: 1, needsReview: 1 },
    { rule: 'image-alt', onlyHere: 1, needsReview: 0 },
  ])
})
