import { html, serve, type Route, type TestSite } from '../../../../../engine/test/harness.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { completed, failed, finding, wholeRun } from '../../../../test/run.ts'
import { startWorkerRole } from '../../../process/worker.ts'
import { countRechecked, endOfRecheck, nextRecheck, type Rechecked } from './service.ts'

const api = apiOfFile({ environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
let admin: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
})

const get = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T
const post = (path: string) => api.call('POST', path, { token: admin })
type Page = { id: string; url: string; openIssues: { critical: number }; fixedIssues: number; status: string }
const pagesOf = async (scan: string) =>
  (await get<{ content: Page[] }>(`/pages?scanId=${scan}&sort=url,asc&size=100`)).content
type Issue = { selector: string; change: string; status: string; id: string }
const issuesOf = async (scan: string) => {
  const { content } = await get<{ content: Issue[] }>(`/issues?scanId=${scan}&size=100`)
  return Object.fromEntries(content.map(({ selector, change, status }) => [selector, `${change} ${status}`]))
}
const lists = async (scan: string, pageId: string) => {
  const statuses = ['open', 'fixed', 'ignored'].map((status) => `status=${status}`).join('&')
  const { content } = await get<{ content: Issue[] }>(
    `/issues?scanId=${scan}&pageId=${pageId}&${statuses}&size=100`,
  )
  return content.length
}
const deps = () => ({ ...api, log: () => undefined })

/** Asks for a re-check and ends it as said, as a worker would. */
async function recheck(pageId: string, result: Rechecked) {
  expect((await post(`/pages/${pageId}/recheck`)).status).toBe(202)
  const claim = await nextRecheck(deps())
  expect(claim?.page_id).toBe(pageId)
  await endOfRecheck(deps(), claim!, result)
  return get<{ state: string; issues: object | null; detail: string | null }>(`/pages/${pageId}/recheck`)
}

/** The second run of a scan that carried `n` pages over, and an audit of another says that this cannot be relied on. */
async function runWithFault(name: string, n: number) {
  const carried = Array.from({ length: n }, (_, i) => `c${i}`)
  const print = (outcome: ReturnType<typeof completed>, more: object) =>
    ({ ...outcome, ...more }) as typeof outcome
  const pages = (of: (key: string) => ReturnType<typeof completed>) =>
    Object.fromEntries(carried.map((key) => [key, of(key)]))
  const first = await wholeRun(
    api,
    undefined,
    {
      audited: print(completed([finding('x')]), { fingerprint: 'p' }),
      ...pages((key) => print(completed([finding(key)]), { fingerprint: key })),
    },
    name,
  )
  return wholeRun(
    api,
    first.scanId,
    {
      audited: print(completed([finding('x'), finding('more')]), { fingerprint: 'p', audited: true }),
      ...pages(() => print(completed(), { unchanged: true })),
    },
    undefined,
    { reuseDays: 30 },
  )
}

/** Has the database count how often a run is counted. */
async function countCounts(runId: string) {
  await sql`create table counted (run_id uuid)`.execute(api.db)
  await sql`create function note_count() returns trigger language plpgsql as
    $$ begin insert into counted values (new.id); return null; end $$`.execute(api.db)
  await sql`create trigger note_count after update of open_groups on run
    for each row when (new.id = ${sql.lit(runId)}) execute function note_count()`.execute(api.db)
}
const countsOf = async (runId: string) =>
  (await sql`select 1 from counted where run_id = ${runId}`.execute(api.db)).rows.length

describe('a page that is checked again', () => {
  it('has its issues fixed, back and new, and keeps what the run said of the others', async () => {
    const { scanId } = await wholeRun(
      api,
      undefined,
      {
        a: completed([finding('old'), finding('stays')]),
        b: completed([finding('other')]),
      },
      'Checked again',
    )
    await wholeRun(api, scanId, {
      a: completed([finding('old'), finding('stays'), finding('fresh')]),
      b: completed([finding('other')]),
    })
    const [a] = await pagesOf(scanId)
    const first = await recheck(a!.id, completed([finding('stays'), finding('fresh')]))
    expect(first).toMatchObject({ state: 'done', issues: { new: 0, back: 0, fixed: 1, still: 2 } })
    const [now] = await pagesOf(scanId)
    expect(now).toMatchObject({ id: a!.id, openIssues: { critical: 2 }, fixedIssues: 1 })
    expect(await issuesOf(scanId)).toMatchObject({
      'img.fresh\uFFFD': 'new open',
      'img.stays\uFFFD': 'still open',
    })
    const overview = await get<object>(`/scans/${scanId}/runs/2/overview`)
    expect(overview).toMatchObject({
      openIssues: { critical: 3 },
      totalIssues: 3,
      change: { fixed: 1, new: 1, stillOpen: 2 },
    })
    const again = await recheck(
      a!.id,
      completed([finding('old'), finding('stays'), finding('fresh'), finding('n')]),
    )
    expect(again.issues).toEqual({ new: 1, back: 1, fixed: 0, still: 2 })
    expect(await issuesOf(scanId)).toMatchObject({ 'img.old\uFFFD': 'back open', 'img.n\uFFFD': 'new open' })
    expect((await pagesOf(scanId))[0]).toMatchObject({ openIssues: { critical: 4 }, fixedIssues: 0 })
    // The next run goes on from there.
    await wholeRun(api, scanId, { a: completed([finding('old')]), b: completed([finding('other')]) })
    expect(await get(`/scans/${scanId}/runs/3/overview`)).toMatchObject({
      change: { fixed: 3, stillOpen: 2, new: 0 },
    })
  })

  it('changes nothing when it fails, or when it was not seen whole', async () => {
    const pages = { a: completed([finding('x'), finding('y')]) }
    const { scanId } = await wholeRun(api, undefined, pages, 'Unchanged')
    const [a] = await pagesOf(scanId)
    expect(await recheck(a!.id, { ...failed('http-404'), detail: 'HTTP 404' } as Rechecked)).toMatchObject({
      state: 'failed',
      failure: 'http-404',
      detail: 'HTTP 404',
      issues: null,
    })
    expect(await recheck(a!.id, { kind: 'problem', detail: 'No browser' })).toMatchObject({ state: 'failed' })
    const half = { ...completed([finding('x')]), notices: ['not-fully-loaded'] } as Rechecked
    expect((await recheck(a!.id, half)).issues).toEqual({ new: 0, back: 0, fixed: 0, still: 1 })
    expect((await pagesOf(scanId))[0]).toMatchObject({ openIssues: { critical: 2 } })
    expect(await lists(scanId, a!.id)).toBe(2)
  })

  it('that had failed counts as completed from then on', async () => {
    const { scanId } = await wholeRun(
      api,
      undefined,
      { a: completed([]), b: failed('timeout-download') },
      'Failed',
    )
    const page = (await pagesOf(scanId)).find(({ status }) => status === 'failed')!
    expect(await recheck(page.id, completed([finding('late')]))).toMatchObject({ status: 'completed' })
    expect(await get(`/scans/${scanId}/runs/1/overview`)).toMatchObject({
      pages: { completed: 2, failed: 0 },
      openIssues: { critical: 1 },
    })
  })

  it('records nothing once a newer run has begun, and is refused while one goes on', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: completed([finding('x')]) }, 'Overtaken')
    const [a] = await pagesOf(scanId)
    await post(`/pages/${a!.id}/recheck`)
    const claim = await nextRecheck(deps())
    await post(`/scans/${scanId}/startRun`)
    expect(await post(`/pages/${a!.id}/recheck`)).toMatchObject({ status: 409, body: { code: 'run-active' } })
    await endOfRecheck(deps(), claim!, completed([]))
    expect(await get(`/pages/${a!.id}/recheck`)).toMatchObject({ state: 'stale' })
    expect((await pagesOf(scanId))[0]).toMatchObject({ openIssues: { critical: 1 } })
    await post(`/scans/${scanId}/cancel`)
    const older = await post(`/pages/${a!.id}/recheck`)
    expect(older).toMatchObject({ status: 409, body: { code: 'not-recheckable' } })
  })

  it('is opened before those that nobody asked for, also when it was one of them', async () => {
    const { scanId } = await runWithFault('Order', 2)
    const pages = await pagesOf(scanId)
    const byPeople = async (name: string) => {
      const { id } = pages.find(({ url }) => url.endsWith(`/${name}`))!
      expect((await post(`/pages/${id}/recheck`)).status).toBe(202)
      return id
    }
    const wanted = [await byPeople('audited'), await byPeople('c1')]
    const order: string[] = []
    for (let claim = await nextRecheck(deps()); claim; claim = await nextRecheck(deps())) {
      order.push(claim.page_id)
      await endOfRecheck(deps(), claim, completed())
    }
    expect(order.slice(0, 2).sort()).toEqual(wanted.sort())
    expect(order.length).toBe(3)
  })

  it('among many is counted in its run in steps, and all are in the end', async () => {
    const { scanId, id } = await runWithFault('Steps', 40)
    await countCounts(id)
    const claims = []
    for (let claim = await nextRecheck(deps()); claim; claim = await nextRecheck(deps())) {
      claims.push(claim)
      // The last one fails: what the others left uncounted is counted all the same.
      const last = claims.length === 40
      await endOfRecheck(deps(), claim, last ? failed('http-404') : completed())
    }
    expect(claims.length).toBe(40)
    await countRechecked(deps())
    expect(await get(`/scans/${scanId}/runs/2/overview`)).toMatchObject({
      openIssues: { critical: 3 },
      totalIssues: 3,
      change: { fixed: 39, new: 1 },
      reuse: { carried: 1 },
    })
    expect(await countsOf(id)).toBeLessThanOrEqual(20)
  })

  it('is counted at once where somebody asked for it, whatever else waits', async () => {
    const { scanId } = await runWithFault('At once', 22)
    const { id } = (await pagesOf(scanId)).find(({ url }) => url.endsWith('/c7'))!
    await recheck(id, completed())
    expect(await get(`/scans/${scanId}/runs/2/overview`)).toMatchObject({ openIssues: { critical: 23 } })
    await api.db.deleteFrom('recheck').execute()
  })

  it('is counted as soon as the last that people asked for has failed or was given up, whatever else waits', async () => {
    const { scanId } = await runWithFault('Failing last', 22)
    const overview = `/scans/${scanId}/runs/2/overview`
    const pages = await pagesOf(scanId)
    const claimed = async (...names: string[]) => {
      for (const name of names)
        await post(`/pages/${pages.find(({ url }) => url.endsWith(`/${name}`))!.id}/recheck`)
      return Promise.all(names.map(async () => (await nextRecheck(deps()))!))
    }
    const [first, second] = await claimed('c7', 'c8')
    await endOfRecheck(deps(), first!, completed())
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 24 } })
    await endOfRecheck(deps(), second!, failed('http-404'))
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 23 } })

    const [third, lost] = await claimed('c9', 'c10')
    await endOfRecheck(deps(), third!, completed())
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 23 } })
    await api.db
      .updateTable('recheck')
      .set({ lease_until: new Date(0), attempts: 3 })
      .where('page_id', '=', lost!.page_id)
      .execute()
    expect(await nextRecheck(deps())).toBeNull()
    expect(await get(overview)).toMatchObject({ openIssues: { critical: 22 } })
    await api.db.deleteFrom('recheck').execute()
  })

  it('that a newer run overtakes is counted, too', async () => {
    const { scanId, id } = await runWithFault('Left', 22)
    await endOfRecheck(deps(), (await nextRecheck(deps()))!, completed())
    const critical = async () =>
      (await get<{ openIssues: { critical: number } }>(`/scans/${scanId}/runs/2/overview`)).openIssues
        .critical
    expect(await critical()).toBe(24)
    await post(`/scans/${scanId}/startRun`)
    // A run that somebody else changes just now is left for the next time: the worker does not wait.
    await api.db.transaction().execute(async (trx) => {
      await sql`select 1 from run where id = ${id} for no key update`.execute(trx)
      await countRechecked(deps())
    })
    expect(await critical()).toBe(24)
    await countRechecked(deps())
    expect(await critical()).toBe(23)
    await post(`/scans/${scanId}/cancel`)
  })

  it('comes back when its worker is lost, and is given up after three', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: completed([]) }, 'Lost')
    const [a] = await pagesOf(scanId)
    await post(`/pages/${a!.id}/recheck`)
    for (let n = 0; n < 3; n++) {
      expect(await nextRecheck(deps())).toMatchObject({ attempts: n + 1 })
      await api.db
        .updateTable('recheck')
        .set({ lease_until: new Date(0) })
        .where('page_id', '=', a!.id)
        .execute()
    }
    expect(await nextRecheck(deps())).toBeNull()
    expect(await get(`/pages/${a!.id}/recheck`)).toMatchObject({
      state: 'failed',
      failure: 'task-not-processed',
    })
  })
})

describe('a worker', () => {
  let site: TestSite
  let worker: { stop: () => Promise<void> }
  const routes: Record<string, Route> = {
    '/': html('Home', '<img src="/i.png"><a href="/b">b</a>'),
    '/b': html('B', ''),
  }
  beforeAll(async () => {
    site = await serve(routes)
    worker = await startWorkerRole(deps())
  })
  afterAll(async () => {
    await worker.stop()
    await site.close()
  })

  it('analyses the page in a browser, by the settings of its run', async () => {
    const body = { name: 'Browser', urls: [`${site.origin}/`], type: 'custom', depth: 1 }
    const scan = ((await api.call('POST', '/scans', { token: admin, body })).body as { id: string }).id
    await post(`/scans/${scan}/startRun`)
    const status = async () => (await get<{ status: string }>(`/scans/${scan}/runs/1/overview`)).status
    await expect.poll(status, { timeout: 60_000, interval: 300 }).toBe('completed')
    const page = (await pagesOf(scan)).find(({ url }) => url === `${site.origin}/`)!
    expect(page.openIssues.critical).toBe(1)
    routes['/'] = html('Home', '<img src="/i.png" alt="A house"><a href="/b">b</a>')
    const asked = (await post(`/pages/${page.id}/recheck`)).body as { state: string }
    // A worker may be as quick as the answer.
    expect(['waiting', 'working']).toContain(asked.state)
    const state = () => get<{ state: string }>(`/pages/${page.id}/recheck`)
    await expect.poll(state, { timeout: 60_000, interval: 300 }).toMatchObject({
      state: 'done',
      issues: { fixed: 1, new: 0 },
    })
    expect(await get(`/scans/${scan}/runs/1/overview`)).toMatchObject({ score: 1, pages: { completed: 2 } })
  })
})
