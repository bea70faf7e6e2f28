/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  harmless,
  laterWalls,
  partialWalls,
  serveWalledSite,
  walledPaths,
  walls,
  type WalledSite,
} from '../../engine/test/walls.ts'
import { startWorkerRole } from '../src/process/worker.ts'
import { useTestApi } from './api.ts'

// Real runs in a real browser: the first one sees the content, the second one meets a wall. The server only sees the notices
// and the evidence of pages, so that walls with the same ones stand for each other here; the engine's tests meet every wall.
const wallNames = [
  'modal dialog',
  'redirect to a consent page',
  'an empty page',
  'captcha',
  'a refusal that names the address',
  'interface down',
] as const
const harmlessNames = [
  'a window-filling application',
  'a newsletter that comes late',
  'numbered pages without a link',
  'copies under other queries',
] as const

const api = useTestApi({ environment: { CLEARWAY_ALLOW_PRIVATE: '127.0.0.1', CLEARWAY_SANDBOX: 'off' } })
const site = {} as WalledSite
let worker: { stop: () => Promise<void> }
let admin: string

type Overview = {
  status: string
  partial: boolean
  problem: string | null
  score: number | null
  pages: { completed: number; walled: number }
  pagesByHealth: Record<string, number>
  openIssues: { critical: number }
  change: { fixed: number; notRechecked: number; new: number } | null
}
const get = async <T>(path: string) => (await api.call('GET', path, { token: admin })).body as T

beforeAll(async () => {
  Object.assign(site, await serveWalledSite())
  admin = await api.token('admin', ['access', 'admin'])
  worker = await startWorkerRole({ ...api, log: () => undefined })
})
afterAll(async () => {
  await worker.stop()
  await site.close()
})

async function createScan(name: string): Promise<string> {
  const body = {
    name,
    urls: [`${site.origin}/`],
    type: 'custom',
    depth: 5,
    pageLimit: 50,
    advanced: { savePictures: false, pagesAtOnce: 4 },
  }
  return ((await api.call('POST', '/scans', { token: admin, body })).body as { id: string }).id
}
async function run(scanId: string): Promise<Overview> {
  const { number } = (await api.call('POST', `/scans/${scanId}/startRun`, { token: admin })).body as { number: number }
  const readOverview = () => get<Overview>(`/scans/${scanId}/runs/${number}/overview`)
  await vi.waitFor(async () => expect((await readOverview()).status).toMatch(/completed|failed/), {
    timeout: 60_000,
    interval: 300,
  })
  return readOverview()
}
async function countChanges(scanId: string, run: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const change of ['still', 'fixed', 'not-rechecked', 'page-gone', 'new', 'back']) {
    const { page } = await get<{ page: { totalElements: number } }>(
      `/issues?scanId=${scanId}&runNumber=${run}&change=${change}&size=1&status=open&status=fixed`,
    )
    counts[change] = page.totalElements
  }
  return counts
}

describe('a wall', () => {
  // One scan for all of them: the content returns after each wall, so that it is the run before the next one, too.
  describe('in front of the whole site', () => {
    let scanId: string
    let runCount = 0
    let contentCount: number
    const contentResult = { score: 0, partial: false, openIssues: { critical: walledPaths.length } }
    const runNext = (wall: Parameters<WalledSite['setWall']>[0]) => {
      site.setWall(wall)
      runCount += 1
      return run(scanId)
    }
    beforeAll(async () => {
      scanId = await createScan('Walls')
      expect(await runNext(null)).toMatchObject(contentResult)
      contentCount = (await countChanges(scanId, runCount)).new!
      expect(contentCount).toBeGreaterThanOrEqual(walledPaths.length)
    })

    it.each(wallNames)('fixes nothing, and is not called clean: %s', async (name) => {
      // A consent page with an address of its own has issues, too, which no later run sees again.
      const { fixed: _fixed, 'page-gone': _gone, ...openChanges } = await countChanges(scanId, runCount)
      const foundCount = Object.values(openChanges).reduce((sum, count) => sum + count, 0)
      const walledRun = await runNext(walls[name])
      const changes = await countChanges(scanId, runCount)
      expect([changes.fixed, changes['page-gone']]).toEqual([0, 0])
      expect((changes.still ?? 0) + (changes['not-rechecked'] ?? 0)).toBe(foundCount)
      expect(walledRun.pages.walled).toBeGreaterThan(0)
      expect(walledRun).toMatchObject({ status: 'completed', partial: true, problem: 'wall', score: null })
      expect(Object.values(walledRun.pagesByHealth)).toEqual([0, 0, 0, 0])
      expect(await runNext(null)).toMatchObject(contentResult)
      expect((await countChanges(scanId, runCount)).still).toBe(contentCount)
    })
  })

  it.each(Object.entries(partialWalls))(
    'in front of some pages fixes nothing, and makes none good: %s',
    async (name, createWall) => {
      site.setWall(null)
      const scanId = await createScan(name)
      await run(scanId)
      const { new: foundCount } = await countChanges(scanId, 1)
      site.setWall(createWall())
      const second = await run(scanId)
      const changes = await countChanges(scanId, 2)
      expect([changes.fixed, changes['page-gone']]).toEqual([0, 0])
      expect((changes.still ?? 0) + (changes['not-rechecked'] ?? 0)).toBe(foundCount)
      expect(second.pages.walled).toBeGreaterThan(0)
      expect({ score: second.score || null, good: second.pagesByHealth.good }).toEqual({ score: null, good: 0 })
    },
  )

  it.each(['an empty page within the layout', 'a teaser'] as const)(
    'that leaves the layout closes nothing, until the next run shows the same: %s',
    async (name) => {
      site.setWall(null)
      const scanId = await createScan(`Layout ${name}`)
      await run(scanId)
      site.setWall(laterWalls[name])
      expect(await run(scanId)).toMatchObject({ status: 'completed', score: null, pages: { walled: walledPaths.length } })
      expect(await countChanges(scanId, 2)).toMatchObject({ fixed: 0, 'page-gone': 0, 'not-rechecked': walledPaths.length })
      await run(scanId)
      expect(await countChanges(scanId, 3)).toMatchObject({ fixed: walledPaths.length, 'not-rechecked': 0 })
    },
  )

  it.each(harmlessNames)('is not seen in %s', async (name) => {
    site.setWall(harmless[name])
    const scanId = await createScan(`Harmless ${name}`)
    expect(await run(scanId)).toMatchObject({ status: 'completed', partial: false, pages: { walled: 0 } })
    expect(await run(scanId)).toMatchObject({ status: 'completed', partial: false, pages: { walled: 0 } })
  })
})

describe('a person who looked at the pages', () => {
  const accept = async (scanId: string, number: number) => {
    const reply = await api.call('POST', `/scans/${scanId}/runs/${number}/accept`, { token: admin })
    return reply.body as { code?: string; partial?: boolean; problem?: string | null; score?: number | null }
  }

  it('accepts them as they are, which fixes what they no longer show', async () => {
    site.setWall(null)
    const scanId = await createScan('New design')
    await run(scanId)
    const { new: foundCount } = await countChanges(scanId, 1)
    const cleanOverview = await get<Overview>(`/scans/${scanId}/runs/1/overview`)
    const cleanChanges = await countChanges(scanId, 1)
    expect(await accept(scanId, 1)).toMatchObject({ partial: false, score: 0 })
    expect(await get<Overview>(`/scans/${scanId}/runs/1/overview`)).toEqual(cleanOverview)
    expect(await countChanges(scanId, 1)).toEqual(cleanChanges)

    site.setWall(({ path, respond }) => {
      respond(
        200,
        `<!doctype html><html lang="en"><title>Soon${path}</title><main><h1>${path.length} new</h1><p>Everything${path} moves.</p></main></html>`,
      )
      return null
    })
    const second = await run(scanId)
    expect(second).toMatchObject({ partial: true, problem: 'wall', score: null })
    expect((await countChanges(scanId, 2)).fixed).toBe(0)
    expect(await accept(scanId, 1)).toMatchObject({ code: 'edit-conflict' })

    expect(await accept(scanId, 2)).toMatchObject({ partial: false, problem: null, score: 1 })
    const accepted = await get<Overview>(`/scans/${scanId}/runs/2/overview`)
    expect(accepted).toMatchObject({ pages: { walled: 0 }, openIssues: { critical: 0 } })
    const changes = await countChanges(scanId, 2)
    expect([changes.still, (changes.fixed ?? 0) + (changes['page-gone'] ?? 0) + (changes['not-rechecked'] ?? 0)]).toEqual([
      0,
      foundCount,
    ])
    expect(changes.fixed).toBeGreaterThan(0)
    expect(await run(scanId)).toMatchObject({ partial: false, score: 1, pages: { walled: 0 } })
  })

  it('cannot accept what was never seen', async () => {
    site.setWall(null)
    const scanId = await createScan('Behind a dialog')
    await run(scanId)
    site.setWall(walls['modal dialog'])
    await run(scanId)
    await accept(scanId, 2)
    expect(await countChanges(scanId, 2)).toMatchObject({ fixed: 0, 'page-gone': 0 })
    expect(await get<Overview>(`/scans/${scanId}/runs/2/overview`)).toMatchObject({ partial: true, problem: 'wall', score: null })
  })
})
