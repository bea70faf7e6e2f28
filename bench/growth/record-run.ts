import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { createId } from '../../packages/server/src/kit/id.ts'
import { finishRun, openFrontier } from '../../packages/server/src/monitor/run/frontier/service.ts'
import type { TestApi } from '../../packages/server/test/api.ts'

/** Records a run of a scan with the given outcomes of its pages, through the frontier, as a worker does. */
export async function recordRun(api: TestApi, scanId: string, pageCount: number, buildOutcome: (page: number) => PageOutcome) {
  const admin = await api.token('runner', ['access', 'admin'])
  const run = (await api.call('POST', `/scans/${scanId}/startRun`, { token: admin })).body as { id: string; number: number }
  const { frontier, close } = openFrontier(
    {
      db: api.db,
      objects: api.objects,
      runId: run.id,
      scanId,
      runNumber: run.number,
      worker: createId(),
      pageLimit: 10_000,
      issuesPerPage: 500,
      reuseDays: 30,
    },
    api.pubSub,
  )
  await frontier.seed(
    Array.from({ length: pageCount }, (_, page) => ({
      url: `https://example.org/${page}`,
      key: `https://example.org/${page}`,
      depth: 0,
      wave: 0,
      foundOn: null,
      exclusion: null,
    })),
  )
  for (let claims = await frontier.claim(50); claims.length > 0; claims = await frontier.claim(50))
    for (const claim of claims) {
      const page = Number(claim.url.split('/').at(-1))
      await frontier.record(claim, buildOutcome(page), [])
    }
  close()
  await finishRun(api, run.id, { kind: 'drained' })
  return run
}
