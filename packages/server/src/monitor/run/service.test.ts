import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { buildCompleted, recordRun } from '../../../test/run.ts'

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
