import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, recordRun } from '../../../../test/run.ts'

const api = useTestApi()

/** A tested page with a content; one behind a wall has no health. */
const buildPage = (content: string, isWalled = false) =>
  ({
    ...buildCompleted(),
    ...(isWalled ? { notices: ['content-out-of-reach'] } : {}),
    signature: { content, masked: content, template: 't', isUnlisted: false },
  }) as PageOutcome

it('proposes the parameters of a run that change no page, until the scan ignores them', async () => {
  const { scanId, number } = await recordRun(
    api,
    undefined,
    {
      a: buildPage('A'),
      'a?print=1&x=1': buildPage('A'),
      'b?print=1': buildPage('B'),
      'b?print=2': buildPage('B'),
      'c?x=1': buildPage('C'),
      'c?x=2': buildPage('D'),
      'd?wall=1': buildPage('W', true),
      'd?wall=2': buildPage('W', true),
      'd?wall=3': buildPage('W', true),
    },
    'Parameters',
  )
  const read = async () => (await api.call('GET', `/scans/${scanId}/runs/${number}/parameters`)).body
  // The pair of page a differs in a parameter that changes page c.
  expect(await read()).toEqual({ proposals: [] })
  const { scanId: printedId, number: printedNumber } = await recordRun(
    api,
    undefined,
    { a: buildPage('A'), 'a?print=1': buildPage('A'), 'b?print=1': buildPage('B'), 'b?print=2': buildPage('B') },
    'Printed',
  )
  const readPrinted = async () => (await api.call('GET', `/scans/${printedId}/runs/${printedNumber}/parameters`)).body
  expect(await readPrinted()).toMatchObject({ proposals: [{ name: 'print', path: '/*', pages: 4, contents: 2 }] })
  const stored = (await api.call('GET', `/scans/${printedId}/settings`)).body as {
    settings: { advanced: object }
    version: number
  }
  const advanced = { ...stored.settings.advanced, meaninglessParameters: ['/*?print'] }
  const saved = await api.call('PUT', `/scans/${printedId}`, {
    body: { settings: { ...stored.settings, advanced }, version: stored.version },
  })
  expect(saved.status).toBe(200)
  expect(await readPrinted()).toEqual({ proposals: [] })
})
