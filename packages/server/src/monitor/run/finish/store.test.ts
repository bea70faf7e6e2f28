import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { completed, failed, wholeRun } from '../../../../test/run.ts'

// Why a run that completed nothing ended so, as the database has it after a restart.

const api = apiOfFile()

const excluded = (reason: ExclusionReason): PageOutcome => ({
  kind: 'excluded',
  reason,
  detail: '',
  durationMs: 1,
})

let runs = 0
async function problemOf(pages: Record<string, PageOutcome>) {
  const run = await wholeRun(api, undefined, pages, `Ends ${(runs += 1)}`)
  const { problem, problem_detail: detail } = await api.db
    .selectFrom('run')
    .select(['problem', 'problem_detail'])
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  return { problem, detail }
}

it('names the start pages that failed, before those that were excluded', async () => {
  const pages = { gone: failed('http-404'), out: excluded('other-domain') }
  expect(await problemOf(pages)).toEqual({
    problem: 'start-urls-failed',
    detail: 'https://example.org/gone: http-404; https://example.org/out: other-domain',
  })
})
it.each(['other-domain', 'outside-folder'] as const)(
  'says that a start page leads out of the scan: %s',
  async (reason) =>
    expect(await problemOf({ a: excluded(reason) })).toMatchObject({ problem: 'start-url-leaves-domains' }),
)
it('says that nothing was left to scan where the rules left it all out', async () =>
  expect(await problemOf({ a: excluded('excluded-by-rule') })).toMatchObject({ problem: 'nothing-to-scan' }))
it('asks no page that only leads elsewhere', async () =>
  expect(await problemOf({ a: excluded('redirect'), b: failed('http-404') })).toEqual({
    problem: 'start-urls-failed',
    detail: 'https://example.org/b: http-404',
  }))
it('has no problem once a page is completed', async () =>
  expect(await problemOf({ a: completed(), b: failed('http-404') })).toEqual({ problem: null, detail: null }))
