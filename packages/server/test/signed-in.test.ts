/** @module-tag slow */
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, test } from 'vitest'
import { useTestApi } from './api.ts'
import { buildFailed, buildSeen, recordRun, type TestRun } from './run.ts'

// Proof of the sign-in over stored runs, without a browser.

const api = useTestApi()

const getOverview = async ({ scanId, number }: TestRun) =>
  (await api.call('GET', `/scans/${scanId}/runs/${number}/overview`)).body as object
const buildProved = (isProved: boolean) => ({ ...buildSeen(1), isProved }) as PageOutcome
async function listProofs({ scanId, number }: TestRun) {
  const { body } = await api.call('GET', `/pages?scanId=${scanId}&runNumber=${number}&sort=url,asc`)
  const { content } = body as { content: { id: string }[] }
  const details = await Promise.all(content.map(async ({ id }) => (await api.call('GET', `/pages/${id}`)).body))
  return details.map((page) => (page as { isProved: boolean | null }).isProved)
}

test('a run is whole if all pages are proved, and partial otherwise', async () => {
  const whole = await recordRun(api, undefined, { a: buildProved(true), b: buildProved(true) }, 'Members')
  expect(await getOverview(whole)).toMatchObject({ partial: false, problem: null, pages: { proved: 2, unproved: 0 } })
  expect(await listProofs(whole)).toEqual([true, true])
  const lost = await recordRun(api, whole.scanId, {
    a: buildProved(true),
    b: buildFailed('session-failed'),
    c: buildProved(false),
    d: buildFailed('http-404'),
  })
  expect(await getOverview(lost)).toMatchObject({
    partial: true,
    problem: 'not-signed-in',
    problemDetail: '1 of 3 pages are proved signed in',
    pages: { proved: 1, unproved: 2 },
  })
  await api.call('POST', `/scans/${whole.scanId}/runs/2/accept`)
  expect(await getOverview(lost)).toMatchObject({ pages: { proved: 1, unproved: 2 } })
})

test('a scan without a sign-in counts nothing, and says that its start page asks for a password', async () => {
  const open = await recordRun(api, undefined, { a: buildSeen(1), b: buildFailed('http-401') }, 'Open site')
  expect(await getOverview(open)).toMatchObject({ partial: false, pages: { proved: 0, unproved: 0 } })
  expect(await listProofs(open)).toEqual([null, null])
  const asking = { ...buildSeen(1), health: null, notices: ['asks-for-password'] } as PageOutcome
  const closed = await recordRun(api, undefined, { a: asking }, 'Closed site')
  expect(await getOverview(closed)).toMatchObject({
    partial: true,
    problem: 'leads-to-sign-in',
    score: null,
    pages: { walled: 1 },
  })
})

test('a run adds up the requests of its pages, and each page lists its own', async () => {
  const buildSent = (count: number, held: number) =>
    ({
      ...buildSeen(1),
      requests: {
        byMethod: [
          { method: 'GET', count: 5 },
          { method: 'POST', count },
        ],
        changing: [{ method: 'POST', address: 'https://example.org/api', count, held }],
      },
    }) as PageOutcome
  const run = await recordRun(api, undefined, { a: buildSent(1, 0), b: buildSent(2, 2), c: buildSeen(1) }, 'Sending site')
  const { body: overview } = await api.call('GET', `/scans/${run.scanId}/runs/${run.number}/overview/pages`)
  expect(overview).toMatchObject({
    requests: {
      byMethod: [
        { method: 'GET', count: 10 },
        { method: 'POST', count: 3 },
      ],
      changing: [{ method: 'POST', address: 'https://example.org/api', count: 3, held: 2 }],
    },
  })
  const { body: list } = await api.call('GET', `/pages?scanId=${run.scanId}&runNumber=${run.number}&sort=url,asc`)
  const details = await Promise.all(
    (list as { content: { id: string }[] }).content.map(async ({ id }) => (await api.call('GET', `/pages/${id}`)).body),
  )
  expect(details).toMatchObject([
    { requests: buildSent(1, 0).requests },
    { requests: buildSent(2, 2).requests },
    { requests: null },
  ])
})
