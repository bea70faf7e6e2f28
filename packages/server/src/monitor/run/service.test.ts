/** @module-tag slow */
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../test/run.ts'

const api = useTestApi()

it('reports limited fonts of the browser when a tested page has the notice', async () => {
  const token = await api.token('runner', ['access', 'admin'])
  const few = { ...buildCompleted(), notices: ['embedded-browser-fonts'] } as PageOutcome
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted(), b: few }, 'Few fonts')
  await recordRun(api, scanId, { a: buildCompleted(), b: buildCompleted() })
  const readOverview = async (run: number) => (await api.call('GET', `/scans/${scanId}/runs/${run}/overview`, { token })).body
  expect(await readOverview(1)).toMatchObject({ limitedFonts: true })
  expect(await readOverview(2)).toMatchObject({ limitedFonts: false })
  const pdf = { ...buildCompleted(), mimeType: 'application/pdf' } as PageOutcome
  const pdfs = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`${n}.pdf`, pdf]))
  await recordRun(api, scanId, { ...pdfs, few })
  expect(await readOverview(3)).toMatchObject({ limitedFonts: true })
})

it('names common components that are on no page, and counts reused pages', async () => {
  const token = await api.token('runner', ['access', 'admin'])
  const components = ['Header', 'Footer', 'Aside'].map((name) => ({ name, selectors: [name.toLowerCase()] }))
  const commonComponents = { templateUrls: ['https://example.org/'], components }
  const body = buildScanBody('With components', { commonComponents })
  const { id: scanId } = (await api.call('POST', '/scans', { token, body })).body as { id: string }
  const withComponents = (...names: string[]) => ({ ...buildCompleted(), components: names, fingerprint: 'same' }) as PageOutcome
  const readMissing = async (run: number) =>
    ((await api.call('GET', `/scans/${scanId}/runs/${run}/overview`, { token })).body as { missingComponents: string[] })
      .missingComponents
  await recordRun(api, scanId, { a: withComponents('Header'), b: withComponents('Header', 'Aside'), c: buildCompleted() })
  expect(await readMissing(1)).toEqual(['Footer'])
  // A page with reused results has the components of the previous run.
  const unchanged = { ...buildCompleted(), unchanged: true } as PageOutcome
  await recordRun(api, scanId, { a: unchanged, b: withComponents('Footer') }, undefined, { reuseDays: 7 })
  expect(await readMissing(2)).toEqual([])
  await recordRun(api, scanId, { a: buildCompleted(), b: buildCompleted() })
  expect(await readMissing(3)).toEqual(['Header', 'Footer', 'Aside'])
  // Runs of earlier versions did not count them.
  await api.db.updateTable('run').set({ components: null }).where('scan_id', '=', scanId).execute()
  expect(await readMissing(3)).toEqual([])
})

it('counts issues of common components on all pages, as every list, and once per component', async () => {
  const token = await api.token('runner', ['access', 'admin'])
  const get = async <T>(path: string) => (await api.call('GET', path, { token })).body as T
  const build = (...keys: string[]) =>
    ({
      ...buildCompleted([
        ...keys.map((key) => buildFinding(key, { component: 'Menu', elementPattern: `img.${key}` })),
        buildFinding('own'),
        buildFinding('review', { component: 'Menu', severity: 'needs review' }),
      ]),
      components: ['Menu'],
    }) as PageOutcome
  const { scanId } = await recordRun(api, undefined, { a: build('x', 'y'), b: build('x'), c: build('x') }, 'Counted components')
  type Totals = { commonIssues: unknown; openIssues: Record<string, number> }
  const overview = await get<Totals>(`/scans/${scanId}/runs/1/overview`)
  expect(overview.commonIssues).toEqual({ onPages: 4, once: 2 })
  expect(overview.openIssues.critical).toBe(7)
  const list = await get<{ totalIssues: number }>(`/issues?scanId=${scanId}&component=Menu&severity=critical&size=1`)
  expect(list.totalIssues).toBe(4)
  const common = await get<{ content: { issues: number }[]; page: { totalElements: number } }>(
    `/scans/${scanId}/runs/1/commonIssues`,
  )
  expect([common.page.totalElements, common.content.reduce((sum, { issues }) => sum + issues, 0)]).toEqual([2, 4])
  const exported = await api.call('POST', '/bulk/issues/export/csv/detailed', {
    token,
    body: { filters: { scanId: [scanId], component: ['Menu'], severity: ['critical'] }, selected: { selectAllMode: true } },
  })
  expect(String(exported.body).trim().split('\r\n')).toHaveLength(1 + 4)
  // Without an issue in a component, one number is enough.
  await recordRun(api, scanId, { a: buildCompleted([buildFinding('own')]) })
  expect((await get<Totals>(`/scans/${scanId}/runs/2/overview`)).commonIssues).toBeNull()
})
