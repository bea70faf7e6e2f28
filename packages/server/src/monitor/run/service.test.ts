import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../test/api.ts'
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
