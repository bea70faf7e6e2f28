import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, recordRun } from '../../../../test/run.ts'

// Problem of a run that completed no page, as derived from the database after a restart.

const api = useTestApi()

const excludePage = (reason: ExclusionReason): PageOutcome => ({ kind: 'excluded', reason, detail: '', durationMs: 1 })

let runs = 0
async function readProblem(pages: Record<string, PageOutcome>) {
  const run = await recordRun(api, undefined, pages, `Ends ${(runs += 1)}`)
  const { problem, problem_detail: detail } = await api.db
    .selectFrom('run')
    .select(['problem', 'problem_detail'])
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  return { problem, detail }
}

it('lists failed start pages before excluded ones', async () => {
  const pages = { gone: buildFailed('http-404'), out: excludePage('other-domain') }
  expect(await readProblem(pages)).toEqual({
    problem: 'start-urls-failed',
    detail: 'https://example.org/gone: http-404; https://example.org/out: other-domain',
  })
})
it.each(['other-domain', 'outside-folder'] as const)('reports that a start page leads out of the scan: %s', async (reason) =>
  expect(await readProblem({ a: excludePage(reason) })).toMatchObject({ problem: 'start-url-leaves-domains' }),
)
it('reports that no pages are left to scan when the rules exclude all', async () =>
  expect(await readProblem({ a: excludePage('excluded-by-rule') })).toMatchObject({ problem: 'nothing-to-scan' }))
it('ignores pages that only redirect', async () =>
  expect(await readProblem({ a: excludePage('redirect'), b: buildFailed('http-404') })).toEqual({
    problem: 'start-urls-failed',
    detail: 'https://example.org/b: http-404',
  }))
it('has no problem once a page is completed', async () =>
  expect(await readProblem({ a: buildCompleted(), b: buildFailed('http-404') })).toEqual({ problem: null, detail: null }))
