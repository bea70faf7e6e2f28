/** @module-tag slow */
import { html, serve, type Route, type TestSite } from '../../../../../engine/test/harness.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, buildSeen, recordRun } from '../../../../test/run.ts'
import { startWorkerRole } from '../../../process/worker.ts'
import { countPendingRechecks, createRecheckPlan, recordRecheckResult, claimNextRecheck, type RecheckResult } from './service.ts'

const api = useTestApi({ environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
let admin: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
})

const get = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T
const postAsAdmin = (path: string) => api.call('POST', path, { token: admin })
type Page = { id: string; url: string; openIssues: { critical: number }; fixedIssues: number; status: string }
const listPages = async (scan: string) => (await get<{ content: Page[] }>(`/pages?scanId=${scan}&sort=url,asc&size=100`)).content
type Issue = { selector: string; change: string; status: string; id: string }
const listIssues = async (scan: string) => {
  const { content } = await get<{ content: Issue[] }>(`/issues?scanId=${scan}&size=100`)
  return Object.fromEntries(content.map(({ selector, change, status }) => [selector, `${change} ${status}`]))
}
const readLists = async (scan: string, pageId: string) => {
  const statuses = ['open', 'fixed', 'ignored'].map((status) => `status=${status}`).join('&')
  const { content } = await get<{ content: Issue[] }>(`/issues?scanId=${scan}&pageId=${pageId}&${statuses}&size=100`)
  return content.length
}
const createDeps = () => ({ ...api, log: () => undefined })

/** Requests a re-check and ends it with a result, like a worker. */
async function recheck(pageId: string, result: RecheckResult) {
  const readIsRechecked = async () => (await get<{ isRechecked: boolean }>(`/pages/${pageId}`)).isRechecked
  expect(await readIsRechecked()).toBe((await api.call('GET', `/pages/${pageId}/recheck`)).status === 200)
  expect((await postAsAdmin(`/pages/${pageId}/recheck`)).status).toBe(202)
  expect(await readIsRechecked()).toBe(true)
  const claim = await claimNextRecheck(createDeps())
  expect(claim?.page_id).toBe(pageId)
  await recordRecheckResult(createDeps(), claim!, result)
  return get<{ state: string; issues: object | null; detail: string | null }>(`/pages/${pageId}/recheck`)
}

/** The second run of a scan, with `n` carried pages and an audit that found one of them wrong. */
async function runWithFault(name: string, n: number) {
  const carried = Array.from({ length: n }, (_, i) => `c${i}`)
  const print = (outcome: ReturnType<typeof buildCompleted>, more: object) => ({ ...outcome, ...more }) as typeof outcome
  const createPages = (of: (key: string) => ReturnType<typeof buildCompleted>) =>
    Object.fromEntries(carried.map((key) => [key, of(key)]))
  const first = await recordRun(
    api,
    undefined,
    {
      audited: print(buildCompleted([buildFinding('x')]), { fingerprint: 'p' }),
      ...createPages((key) => print(buildCompleted([buildFinding(key)]), { fingerprint: key })),
    },
    name,
  )
  return recordRun(
    api,
    first.scanId,
    {
      audited: print(buildCompleted([buildFinding('x'), buildFinding('more')]), { fingerprint: 'p', audited: true }),
      ...createPages(() => print(buildCompleted(), { unchanged: true })),
    },
    undefined,
    { reuseDays: 30 },
  )
}

/** Makes the database count the recounts of a run. */
async function countCounts(runId: string) {
  await sql`create table counted (run_id uuid)`.execute(api.db)
  await sql`create function note_count() returns trigger language plpgsql as
    $$ begin insert into counted values (new.id); return null; end $$`.execute(api.db)
  await sql`create trigger note_count after update of open_groups on run
    for each row when (new.id = ${sql.lit(runId)}) execute function note_count()`.execute(api.db)
}
const readRecountCount = async (runId: string) =>
  (await sql`select 1 from counted where run_id = ${runId}`.execute(api.db)).rows.length

describe('a re-checked page', () => {
  it('updates its fixed, back and new issues, and keeps the changes of all others', async () => {
    const { scanId } = await recordRun(
      api,
      undefined,
      { a: buildCompleted([buildFinding('old'), buildFinding('stays')]), b: buildCompleted([buildFinding('other')]) },
      'Checked again',
    )
    await recordRun(api, scanId, {
      a: buildCompleted([buildFinding('old'), buildFinding('stays'), buildFinding('fresh')]),
      b: buildCompleted([buildFinding('other')]),
    })
    const [a] = await listPages(scanId)
    const first = await recheck(a!.id, buildCompleted([buildFinding('stays'), buildFinding('fresh')]))
    expect(first).toMatchObject({ state: 'done', issues: { new: 0, back: 0, fixed: 1, still: 2, notRechecked: 0, ignored: 0 } })
    const [now] = await listPages(scanId)
    expect(now).toMatchObject({ id: a!.id, openIssues: { critical: 2 }, fixedIssues: 1 })
    expect(await listIssues(scanId)).toMatchObject({ 'img.fresh\uFFFD': 'new open', 'img.stays\uFFFD': 'still open' })
    const overview = await get<object>(`/scans/${scanId}/runs/2/overview`)
    expect(overview).toMatchObject({ openIssues: { critical: 3 }, totalIssues: 3, change: { fixed: 1, new: 1, stillOpen: 2 } })
    const again = await recheck(
      a!.id,
      buildCompleted([buildFinding('old'), buildFinding('stays'), buildFinding('fresh'), buildFinding('n')]),
    )
    expect(again.issues).toEqual({ new: 1, back: 1, fixed: 0, still: 2, notRechecked: 0, ignored: 0 })
    expect(await listIssues(scanId)).toMatchObject({ 'img.old\uFFFD': 'back open', 'img.n\uFFFD': 'new open' })
    expect((await listPages(scanId))[0]).toMatchObject({ openIssues: { critical: 4 }, fixedIssues: 0 })
    // The next run continues from this state.
    await recordRun(api, scanId, { a: buildCompleted([buildFinding('old')]), b: buildCompleted([buildFinding('other')]) })
    expect(await get(`/scans/${scanId}/runs/3/overview`)).toMatchObject({ change: { fixed: 3, stillOpen: 2, new: 0 } })
  })

  it('changes nothing after a failure or an incomplete analysis', async () => {
    const pages = { a: buildCompleted([buildFinding('x'), buildFinding('y')]) }
    const { scanId } = await recordRun(api, undefined, pages, 'Unchanged')
    const [a] = await listPages(scanId)
    expect(await recheck(a!.id, { ...buildFailed('http-404'), detail: 'HTTP 404' } as RecheckResult)).toMatchObject({
      state: 'failed',
      failure: 'http-404',
      detail: 'HTTP 404',
      issues: null,
    })
    expect(await recheck(a!.id, { kind: 'problem', detail: 'No browser' })).toMatchObject({ state: 'failed' })
    const half = { ...buildCompleted([buildFinding('x')]), notices: ['not-fully-loaded'] } as RecheckResult
    expect((await recheck(a!.id, half)).issues).toEqual({ new: 0, back: 0, fixed: 0, still: 1, notRechecked: 1, ignored: 0 })
    expect((await listPages(scanId))[0]).toMatchObject({ openIssues: { critical: 2 } })
    expect(await readLists(scanId, a!.id)).toBe(2)
  })

  it('that was not proved signed in is tested again, and counts for the ending of the run', async () => {
    const proved = { ...buildSeen(1), isProved: true } as PageOutcome
    const pages = { a: proved, b: buildFailed('session-failed'), c: { ...proved, isProved: false } as PageOutcome, d: proved }
    const { scanId } = await recordRun(api, undefined, pages, 'Signed out')
    const readOverview = () => get<object>(`/scans/${scanId}/runs/1/overview`)
    expect(await readOverview()).toMatchObject({ partial: true, problem: 'not-signed-in', pages: { proved: 2, unproved: 2 } })
    expect((await postAsAdmin(`/scans/${scanId}/runs/1/recheck`)).body).toEqual({ pages: 2 })
    const first = await claimNextRecheck(createDeps())
    expect(first!.url).toBe('https://example.org/b')
    await recordRecheckResult(createDeps(), first!, proved as RecheckResult)
    const second = await claimNextRecheck(createDeps())
    expect(second!.url).toBe('https://example.org/c')
    await recordRecheckResult(createDeps(), second!, buildFailed('session-failed') as RecheckResult)
    expect(await readOverview()).toMatchObject({
      partial: true,
      problem: 'not-signed-in',
      problemDetail: '3 of 4 pages are proved signed in',
      pages: { proved: 3, unproved: 1 },
    })
    expect((await postAsAdmin(`/scans/${scanId}/runs/1/recheck`)).body).toEqual({ pages: 1 })
    const third = await claimNextRecheck(createDeps())
    await recordRecheckResult(createDeps(), third!, proved as RecheckResult)
    expect(await readOverview()).toMatchObject({ partial: false, problem: null, pages: { proved: 4, unproved: 0 } })
  })

  it('that was walled, or lost most of its issues, is tested again with all others like it', async () => {
    const findings = Array.from({ length: 12 }, (_, number) => buildFinding(`f${number}`))
    const content = { a: buildSeen(1), b: buildSeen(1, findings), c: buildSeen(500) }
    const { scanId } = await recordRun(api, undefined, content, 'Doubtful')
    const walled = buildSeen(9000, [], { links: 0, landmarks: 0, title: 'Wait' })
    const changed = { a: walled, b: buildSeen(7000), c: buildFailed('timeout-download') }
    const second = await recordRun(api, scanId, changed)
    const readOverview = () => get<object>(`/scans/${scanId}/runs/2/overview`)
    const pages = await listPages(scanId)
    const [, before] = (await get<{ content: Page[] }>(`/pages?scanId=${scanId}&runNumber=1&sort=url,asc`)).content
    expect(await readOverview()).toMatchObject({
      partial: true,
      problem: 'wall',
      unconfirmed: { issues: 12, pageId: pages[1]!.id, previousPageId: before!.id },
      change: { notRechecked: 12, fixed: 0 },
    })
    expect((await postAsAdmin(`/scans/${scanId}/runs/1/recheck`)).status).toBe(409)
    const reply = await postAsAdmin(`/scans/${scanId}/runs/${second.number}/recheck`)
    expect([reply.status, reply.body]).toEqual([202, { pages: 2 }])
    for (const name of ['a', 'b'] as const) {
      const claim = await claimNextRecheck(createDeps())
      expect(claim!.url).toBe(`https://example.org/${name}`)
      await recordRecheckResult(createDeps(), claim!, content[name] as RecheckResult)
    }
    expect(await claimNextRecheck(createDeps())).toBeNull()
    expect(await readOverview()).toMatchObject({
      partial: false,
      problem: null,
      unconfirmed: null,
      pages: { walled: 0 },
      change: { notRechecked: 0, fixed: 0, stillOpen: 12 },
    })
    expect((await postAsAdmin(`/scans/${scanId}/runs/2/recheck`)).body).toEqual({ pages: 0 })
  })

  it('that changed when most issues disappeared has no health until it shows what it had', async () => {
    const findings = Array.from({ length: 12 }, (_, number) => buildFinding(`f${number}`))
    const content = { a: buildSeen(1), b: buildSeen(200), c: buildSeen(500, findings) }
    const { scanId } = await recordRun(api, undefined, content, 'Disappeared')
    await recordRun(api, scanId, { ...content, c: buildSeen(7000) })
    const changedPage = (await listPages(scanId)).find(({ url }) => url.endsWith('/c'))!
    const readOverview = () => get<object>(`/scans/${scanId}/runs/2/overview`)
    await recheck(changedPage.id, buildSeen(7000))
    expect(await readOverview()).toMatchObject({
      unconfirmed: { issues: 12 },
      pages: { walled: 1 },
      change: { notRechecked: 12, fixed: 0 },
    })
    await recheck(changedPage.id, buildSeen(500, findings.slice(1)))
    expect(await readOverview()).toMatchObject({ unconfirmed: null, pages: { walled: 0 }, change: { stillOpen: 11, fixed: 1 } })
  })

  it('that had failed now counts as completed', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildCompleted([]), b: buildFailed('timeout-download') }, 'Failed')
    const page = (await listPages(scanId)).find(({ status }) => status === 'failed')!
    expect(await recheck(page.id, buildCompleted([buildFinding('late')]))).toMatchObject({ status: 'completed' })
    expect(await get(`/scans/${scanId}/runs/1/overview`)).toMatchObject({
      pages: { completed: 2, failed: 0 },
      openIssues: { critical: 1 },
    })
  })

  it('records nothing after a newer run began, and is refused during an active run', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('x')]) }, 'Overtaken')
    const [a] = await listPages(scanId)
    await postAsAdmin(`/pages/${a!.id}/recheck`)
    const claim = await claimNextRecheck(createDeps())
    await postAsAdmin(`/scans/${scanId}/startRun`)
    expect(await postAsAdmin(`/pages/${a!.id}/recheck`)).toMatchObject({ status: 409, body: { code: 'run-active' } })
    await recordRecheckResult(createDeps(), claim!, buildCompleted([]))
    expect(await get(`/pages/${a!.id}/recheck`)).toMatchObject({ state: 'stale' })
    expect((await listPages(scanId))[0]).toMatchObject({ openIssues: { critical: 1 } })
    await postAsAdmin(`/scans/${scanId}/cancel`)
    const older = await postAsAdmin(`/pages/${a!.id}/recheck`)
    expect(older).toMatchObject({ status: 409, body: { code: 'not-recheckable' } })
  })

  it('is prioritized over automatic re-checks when a user requests it', async () => {
    const { scanId } = await runWithFault('Order', 2)
    const pages = await listPages(scanId)
    const countRequestedByUsers = async (name: string) => {
      const { id } = pages.find(({ url }) => url.endsWith(`/${name}`))!
      expect((await postAsAdmin(`/pages/${id}/recheck`)).status).toBe(202)
      return id
    }
    const wanted = [await countRequestedByUsers('audited'), await countRequestedByUsers('c1')]
    const order: string[] = []
    for (let claim = await claimNextRecheck(createDeps()); claim; claim = await claimNextRecheck(createDeps())) {
      order.push(claim.page_id)
      await recordRecheckResult(createDeps(), claim, buildCompleted())
    }
    expect(order.slice(0, 2).sort()).toEqual(wanted.sort())
    expect(order.length).toBe(3)
  })

  it('among many is counted in steps, and completely at the end', async () => {
    const { scanId, id } = await runWithFault('Steps', 40)
    await countCounts(id)
    const claims = []
    for (let claim = await claimNextRecheck(createDeps()); claim; claim = await claimNextRecheck(createDeps())) {
      claims.push(claim)
      // The last one fails; the remaining uncounted ones are counted nevertheless.
      const last = claims.length === 40
      await recordRecheckResult(createDeps(), claim, last ? buildFailed('http-404') : buildCompleted())
    }
    expect(claims.length).toBe(40)
    await countPendingRechecks(createDeps())
    expect(await get(`/scans/${scanId}/runs/2/overview`)).toMatchObject({
      openIssues: { critical: 3 },
      totalIssues: 3,
      change: { fixed: 39, new: 1 },
      reuse: { carried: 1 },
    })
    expect(await readRecountCount(id)).toBeLessThanOrEqual(20)
  })

  it('is counted at once when a user requested it, even while others wait', async () => {
    const { scanId } = await runWithFault('At once', 22)
    const { id } = (await listPages(scanId)).find(({ url }) => url.endsWith('/c7'))!
    await recheck(id, buildCompleted())
    expect(await get(`/scans/${scanId}/runs/2/overview`)).toMatchObject({ openIssues: { critical: 23 } })
    await api.db.deleteFrom('recheck').execute()
  })

  it('is counted as soon as the last user request failed or was given up, even while others wait', async () => {
    const { scanId } = await runWithFault('Failing last', 22)
    const overview = `/scans/${scanId}/runs/2/overview`
    const pages = await listPages(scanId)
    const claimed = async (...names: string[]) => {
      for (const name of names) await postAsAdmin(`/pages/${pages.find(({ url }) => url.endsWith(`/${name}`))!.id}/recheck`)
      return Promise.all(names.map(async () => (await claimNextRecheck(createDeps()))!))
    }
    const [first, second] = await claimed('c7', 'c8')
    await recordRecheckResult(createDeps(), first!, buildCompleted())
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 24 } })
    await recordRecheckResult(createDeps(), second!, buildFailed('http-404'))
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 23 } })

    const [third, lost] = await claimed('c9', 'c10')
    await recordRecheckResult(createDeps(), third!, buildCompleted())
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 23 } })
    await api.db
      .updateTable('recheck')
      .set({ lease_until: new Date(0), attempts: 3 })
      .where('page_id', '=', lost!.page_id)
      .execute()
    expect(await claimNextRecheck(createDeps())).toBeNull()
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 22 } })
    await api.db.deleteFrom('recheck').execute()
  })

  it('that a newer run overtakes is counted as well', async () => {
    const { scanId, id } = await runWithFault('Left', 22)
    await recordRecheckResult(createDeps(), (await claimNextRecheck(createDeps()))!, buildCompleted())
    const readCriticalCount = async () =>
      (await get<{ openIssues: { critical: number } }>(`/scans/${scanId}/runs/2/overview`)).openIssues.critical
    expect(await readCriticalCount()).toBe(24)
    await postAsAdmin(`/scans/${scanId}/startRun`)
    // The worker skips a run that another transaction has locked, and counts it next time.
    await api.db.transaction().execute(async (trx) => {
      await sql`select 1 from run where id = ${id} for no key update`.execute(trx)
      await countPendingRechecks(createDeps())
    })
    expect(await readCriticalCount()).toBe(24)
    await countPendingRechecks(createDeps())
    expect(await readCriticalCount()).toBe(23)
    await postAsAdmin(`/scans/${scanId}/cancel`)
  })

  it('is not visited without the secret of its URL', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildCompleted([]) }, 'Secret')
    const [a] = await listPages(scanId)
    await postAsAdmin(`/pages/${a!.id}/recheck`)
    const claim = await claimNextRecheck(createDeps())
    expect(await createRecheckPlan(createDeps(), claim!)).toMatchObject({ urls: [a!.url] })
    const secretClaim = { ...claim!, url: `${a!.url}?access_token=*` }
    expect(await createRecheckPlan(createDeps(), secretClaim)).toEqual({
      missing: expect.stringContaining('is not stored') as string,
    })
  })

  it('is retried when its worker is lost, and is given up after three attempts', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildCompleted([]) }, 'Lost')
    const [a] = await listPages(scanId)
    await postAsAdmin(`/pages/${a!.id}/recheck`)
    for (let n = 0; n < 3; n++) {
      expect(await claimNextRecheck(createDeps())).toMatchObject({ attempts: n + 1 })
      await api.db
        .updateTable('recheck')
        .set({ lease_until: new Date(0) })
        .where('page_id', '=', a!.id)
        .execute()
    }
    expect(await claimNextRecheck(createDeps())).toBeNull()
    expect(await get(`/pages/${a!.id}/recheck`)).toMatchObject({ state: 'failed', failure: 'task-not-processed' })
  })
})

describe('a worker', () => {
  let site: TestSite
  let worker: { stop: () => Promise<void> }
  const routes: Record<string, Route> = { '/': html('Home', '<img src="/i.png"><a href="/b">b</a>'), '/b': html('B', '') }
  beforeAll(async () => {
    site = await serve(routes)
    worker = await startWorkerRole(createDeps())
  })
  afterAll(async () => {
    await worker.stop()
    await site.close()
  })

  it('analyzes the page in a browser with the settings of its run', async () => {
    const body = { name: 'Browser', urls: [`${site.origin}/`], type: 'custom', depth: 1 }
    const scan = ((await api.call('POST', '/scans', { token: admin, body })).body as { id: string }).id
    await postAsAdmin(`/scans/${scan}/startRun`)
    const status = async () => (await get<{ status: string }>(`/scans/${scan}/runs/1/overview`)).status
    await expect.poll(status, { timeout: 60_000, interval: 300 }).toBe('completed')
    const page = (await listPages(scan)).find(({ url }) => url === `${site.origin}/`)!
    expect(page.openIssues.critical).toBe(1)
    routes['/'] = html('Home', '<img src="/i.png" alt="A house"><a href="/b">b</a>')
    const requestedRecheck = (await postAsAdmin(`/pages/${page.id}/recheck`)).body as { state: string }
    // A fast worker may already have claimed it.
    expect(['waiting', 'working']).toContain(requestedRecheck.state)
    const state = () => get<{ state: string }>(`/pages/${page.id}/recheck`)
    await expect.poll(state, { timeout: 60_000, interval: 300 }).toMatchObject({ state: 'done', issues: { fixed: 1, new: 0 } })
    expect(await get(`/scans/${scan}/runs/1/overview`)).toMatchObject({ score: 1, pages: { completed: 2 } })
  })
})
