import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding } from '../../../../test/run.ts'
import { createId } from '../../../kit/id.ts'
import { finishRun, openFrontier } from '../../run/frontier/service.ts'

// Pages have one key however their URL is escaped. What was decided under a former key stays.

const api = useTestApi()
const settings = z.parse(AdvancedSettings, {})

/** Records a run of pages by URL, with keys as written or in the normal form. */
async function recordRun(scanId: string, pages: Record<string, PageOutcome>, hasFormerKeys: boolean): Promise<number> {
  const token = await api.token('runner', ['access', 'admin'])
  const { id, number } = (await api.call('POST', `/scans/${scanId}/startRun`, { token })).body as { id: string; number: number }
  const limits = { worker: createId(), pageLimit: 1000, issuesPerPage: 500 }
  const run = { db: api.db, objects: api.objects, runId: id, scanId, runNumber: number }
  const { frontier, close } = openFrontier({ ...run, ...limits }, api.pubSub)
  const getKey = (url: string) => {
    const pageUrl = readPageUrl(url, settings)
    return pageUrl.ok && !hasFormerKeys ? pageUrl.key : url
  }
  const entryDefaults = { depth: 0, wave: 0, foundOn: null, exclusion: null }
  await frontier.seed(Object.keys(pages).map((url) => ({ url, key: getKey(url), ...entryDefaults })))
  for (const claim of await frontier.claim(1000)) await frontier.record(claim, pages[claim.url]!, [])
  close()
  await finishRun(api, id, { kind: 'drained' })
  return number
}
const createScan = async (name: string) =>
  ((await api.call('POST', '/scans', { body: buildScanBody(name) })).body as { id: string }).id
type Issue = { id: string; status: string; rule: string; page: { url: string } }
const listIssues = async (scanId: string) =>
  (
    (await api.call('GET', `/issues?scanId=${scanId}&status=open&status=ignored&status=fixed&size=50`)).body as {
      content: Issue[]
    }
  ).content

it('keeps issues, ignores and pages of a URL with unusual escapes', async () => {
  const scanId = await createScan('Former keys')
  const url = 'https://example.org/%7Efoo/caf%c3%a9?a=%7e'
  const outcome = buildCompleted([buildFinding('first'), buildFinding('second')])
  await recordRun(scanId, { [url]: outcome, 'https://example.org/plain': buildCompleted() }, true)
  const [first] = await listIssues(scanId)
  await api.call('PATCH', `/issues/${first!.id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
  const number = await recordRun(scanId, { [url]: outcome, 'https://example.org/plain': buildCompleted() }, false)
  const issues = await listIssues(scanId)
  expect(issues.map(({ status }) => status).sort()).toEqual(['ignored', 'open'])
  expect(issues.find(({ status }) => status === 'ignored')?.id).toBe(first!.id)
  const { body } = await api.call('GET', `/scans/${scanId}/runs/${number}/overview`)
  expect(body).toMatchObject({ change: { new: 0, fixed: 0, issuesGone: 0, pagesAdded: 0, pagesGone: 0 } })
})

it('joins pages that were stored under two spellings', async () => {
  const scanId = await createScan('Two spellings')
  const outcome = buildCompleted([buildFinding('only')])
  const [lower, upper] = ['https://example.org/%c3%a9', 'https://example.org/%C3%A9']
  await recordRun(scanId, { [lower]: outcome, [upper]: outcome }, true)
  expect(await listIssues(scanId)).toHaveLength(2)
  await recordRun(scanId, { [lower]: outcome }, false)
  expect((await listIssues(scanId)).map(({ status }) => status).sort()).toEqual(['fixed', 'open'])
})
