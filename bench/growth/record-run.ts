import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { sql } from 'kysely'
import { createId } from '../../packages/server/src/kit/id.ts'
import { finishRun, openFrontier } from '../../packages/server/src/monitor/run/frontier/service.ts'
import { entryState } from '../../packages/server/src/monitor/run/table.ts'
import type { TestApi } from '../../packages/server/test/api.ts'

const toUrl = (page: number) => `https://example.org/${page}`

/** Columns of a page that a run copies from the previous one if the page is unchanged. */
const copiedColumns = sql.raw(
  `version_id, key_hash, status, detail, notices, analysed_at, duration_ms, attempts, health, critical, serious, moderate, minor,
    needs_review, not_stored`,
)

/**
 * Copies unchanged pages from the previous run in a few statements, in the order of the frontier: the rows are those that recording
 * them one by one stores, in a tenth of the time.
 */
async function copyPages({ db }: TestApi, run: { id: string; number: number }, scanId: string, pages: readonly number[]) {
  const urls = sql`${pages.map(toUrl)}::text[]`
  for (const state of [entryState.claimed, entryState.done])
    await sql`update frontier set state = ${state}, attempt = 1 where run_id = ${run.id} and url = any(${urls})`.execute(db)
  await sql`
    with copied as (
      insert into run_page (id, run_id, carried_from, ${copiedColumns})
      select new_id(), ${run.id}::uuid, coalesce(p.carried_from, before.number), ${copiedColumns}
      from (select p.*, f.id as place, before.number from run before join run_page p on p.run_id = before.id
        join frontier f on f.run_id = ${run.id} and f.key_hash = p.key_hash and f.url = any(${urls})
        where before.scan_id = ${scanId} and before.number = ${run.number}::int - 1 order by f.id) p, lateral (select p.number) before
      order by p.place
      returning critical, serious, moderate, minor, needs_review, health)
    update run set completed = completed + t.pages, carried = carried + t.pages, critical = run.critical + t.critical,
      serious = run.serious + t.serious, moderate = run.moderate + t.moderate, minor = run.minor + t.minor,
      total_issues = total_issues + t.critical + t.serious + t.moderate + t.minor, health_critical = health_critical + t.h0,
      health_serious = health_serious + t.h1, health_moderate = health_moderate + t.h2, health_good = health_good + t.h3
    from (select count(*)::int as pages, coalesce(sum(critical), 0)::int as critical, coalesce(sum(serious), 0)::int as serious,
      coalesce(sum(moderate), 0)::int as moderate, coalesce(sum(minor), 0)::int as minor,
      ${sql.join([0, 1, 2, 3].map((health) => sql`count(*) filter (where health = ${health}::int)::int as ${sql.ref(`h${health}`)}`))}
      from copied) t where run.id = ${run.id}`.execute(db)
}

/**
 * Records a run of a scan with the given outcomes of its pages, through the frontier, as a worker does.
 * @param isCopied unchanged pages that are copied from the previous run instead
 */
export async function recordRun(
  api: TestApi,
  scanId: string,
  pageCount: number,
  buildOutcome: (page: number) => PageOutcome,
  isCopied: (page: number) => boolean = () => false,
) {
  const pages = Array.from({ length: pageCount }, (_, page) => page)
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
    pages.map((page) => ({
      url: toUrl(page),
      key: toUrl(page),
      depth: 0,
      wave: 0,
      foundOn: null,
      exclusion: null,
    })),
  )
  const copiedPages = pages.filter(isCopied)
  if (copiedPages.length > 0) await copyPages(api, run, scanId, copiedPages)
  for (let claims = await frontier.claim(50); claims.length > 0; claims = await frontier.claim(50))
    for (const claim of claims) {
      const page = Number(claim.url.split('/').at(-1))
      await frontier.record(claim, buildOutcome(page), [])
    }
  close()
  await finishRun(api, run.id, { kind: 'drained' })
  return run
}
