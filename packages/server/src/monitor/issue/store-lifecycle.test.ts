import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../kit/id.ts'
import { openTestApi, scanBody, type TestApi } from '../../roles/test-api.ts'
import { openFrontier } from '../run/service-frontier.ts'
import { finishRun } from '../run/service-settle.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

type Run = { id: string; scanId: string; number: number }

const completed = (findings: Finding[] = []): PageOutcome => ({
  kind: 'completed',
  finalUrl: 'https://example.org/',
  httpStatus: 200,
  mimeType: 'text/html',
  durationMs: 5,
  title: 'Title\0',
  health: 'good',
  findings,
  notices: [],
  content: '<p>x</p>',
})

const finding = (elementKey: string, more: Partial<Finding> = {}): Finding => ({
  rule: 'image-alt',
  impact: 'critical',
  severity: 'critical',
  help: 'Images must have alternative text',
  description: 'd',
  helpUrl: 'https://example.org/rule',
  tags: ['wcag2a'],
  target: [`img.${elementKey}\0`],
  html: '<img>',
  fix: { any: ['a'], all: [], none: [] },
  elementKey,
  elementPattern: 'img',
  ordinal: 0,
  picture: null,
  ...more,
})

/** A whole run in which each page of the table ends so. */
async function wholeRun(
  scanId: string | undefined,
  pages: Record<string, PageOutcome>,
  name = 'Life',
): Promise<Run> {
  const id =
    scanId ?? ((await api.call('POST', '/scans', { body: scanBody(name) })).body as { id: string }).id
  const started = (await api.call('POST', `/scans/${id}/startRun`)).body as { id: string; number: number }
  const run = { id: started.id, scanId: id, number: started.number }
  const deps = { db: api.db, runId: run.id, scanId: id, runNumber: run.number }
  const limits = { worker: newId(), pageLimit: 1000, issuesPerPage: 500 }
  const { frontier, close } = openFrontier({ ...deps, ...limits }, api.live, () => undefined)
  const at = { depth: 0, wave: 0, foundOn: null, exclusion: null }
  await frontier.seed(Object.keys(pages).map((key) => ({ url: `https://example.org/${key}`, key, ...at })))
  for (const claim of await frontier.claim(100)) await frontier.settle(claim, pages[claim.key]!, [])
  close()
  await finishRun(api, run.id, { kind: 'drained' })
  return run
}
type Listed = {
  content: { id: string; selector: string; change: string; status: string; pages: number }[]
  severities: { critical: number }
}
async function changesOf(run: Run): Promise<Record<string, string>> {
  const all = ['new', 'still', 'back', 'fixed', 'not-rechecked', 'page-gone']
    .map((change) => `change=${change}`)
    .join('&')
  const { body } = await api.call('GET', `/issues?scanId=${run.scanId}&runNumber=${run.number}&${all}`)
  return Object.fromEntries(
    (body as Listed).content.map(({ selector, change, status }) => [
      selector.replace(/\W/g, ''),
      `${change} ${status}`,
    ]),
  )
}
const failed = (reason: 'http-404' | 'timeout-download'): PageOutcome => ({
  kind: 'failed',
  reason,
  detail: '',
  durationMs: 1,
})

describe('an issue from run to run', () => {
  it('is new, still there, fixed with proof only, and back', async () => {
    const first = await wholeRun(undefined, {
      p: completed([finding('a'), finding('b'), finding('ignored')]),
      gone: completed([finding('g')]),
      busy: completed([finding('u')]),
      left: completed([finding('l')]),
    })
    const { scanId } = first
    expect(Object.values(await changesOf(first))).toEqual(Array(6).fill('new open'))
    const list = (await api.call('GET', `/issues?scanId=${scanId}`)).body as Listed
    const ignored = list.content.find(({ selector }) => selector.includes('ignored'))!
    expect(ignored.pages).toBe(4)
    await api.call('PATCH', `/issues/${ignored.id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
    expect(
      ((await api.call('GET', `/scans/${scanId}/runs/1/overview`)).body as { openIssues: object }).openIssues,
    ).toMatchObject({ critical: 5 })

    const second = await wholeRun(scanId, {
      p: completed([finding('a'), finding('ignored')]),
      gone: failed('http-404'),
      busy: failed('timeout-download'),
    })
    expect(await changesOf(second)).toEqual({
      imga: 'still open',
      imgignored: 'still ignored',
      imgb: 'fixed fixed',
      imgg: 'page-gone open',
      imgu: 'not-rechecked open',
      imgl: 'page-gone open',
    })
    const overview = (await api.call('GET', `/scans/${scanId}/runs/2/overview`)).body
    expect(overview).toMatchObject({
      openIssues: { critical: 1 },
      change: {
        previousNumber: 1,
        fixed: 1,
        new: 0,
        stillOpen: 1,
        pagesGone: 3,
        openIssues: { critical: -4 },
      },
    })

    const third = await wholeRun(scanId, { p: completed([finding('a'), finding('b')]), busy: completed() })
    expect(await changesOf(third)).toMatchObject({
      imgb: 'back open',
      imgu: 'fixed fixed',
      imgignored: 'fixed ignored',
    })
  })

  it('is not fixed by a page that was not seen to its end, nor by a rule that is off', async () => {
    const first = await wholeRun(
      undefined,
      { p: completed([finding('a'), finding('bp', { tags: ['experimental'] })]) },
      'Proof',
    )
    const half = { ...completed(), notices: ['not-fully-loaded'] } as PageOutcome
    expect(await changesOf(await wholeRun(first.scanId, { p: half }))).toEqual({
      imga: 'not-rechecked open',
      imgbp: 'not-rechecked open',
    })
    expect(await changesOf(await wholeRun(first.scanId, { p: completed() }))).toEqual({
      imga: 'fixed fixed',
      imgbp: 'not-rechecked open',
    })
  })
})
