/** @module-tag slow */
import {
  computeContainment,
  findDisappearedPages,
  findRepeatedPages,
  hasWall,
  isShortened,
  isUnlikeLastTime,
  minProvingShare,
} from '@clearway/contract/monitor/page/wall/model.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tryScan, useTestPool } from '../../../test/harness.ts'
import { harmless, laterWalls, serveWalledSite, walls, type WalledSite, walledPaths } from '../../../test/walls.ts'

// The evidence of real pages in a real browser: every wall shows in it, nothing else does.

const pool = useTestPool()
const site = {} as WalledSite
let clearEvidence: Record<string, PageEvidence>

type Seen = { path: string; notices: string[]; evidence: PageEvidence; isRepeated: boolean }
async function visitSite(): Promise<Seen[]> {
  const { pages } = await tryScan(pool, site, { advanced: { savePictures: false, savePageContent: false } })
  const seen = Object.entries(pages).flatMap(([path, outcome]) =>
    outcome.kind === 'completed' && outcome.evidence
      ? [{ path, notices: outcome.notices, evidence: outcome.evidence, isClear: outcome.health !== null }]
      : [],
  )
  for (const { notices, isClear } of seen) expect(isClear).toBe(!hasWall(notices as Parameters<typeof hasWall>[0]))
  const repeated = new Set(
    findRepeatedPages(
      seen.map(({ path, evidence: { textHash, textLength } }) => ({ url: site.origin + path, path, textHash, textLength })),
      seen.length,
    ).map(({ path }) => path),
  )
  return seen.map((page) => ({ ...page, isRepeated: repeated.has(page.path) }))
}
/** Returns true if the page shows the wall to a first scan already. */
const showsWall = ({ notices, isRepeated }: Seen) => isRepeated || hasWall(notices as Parameters<typeof hasWall>[0])
const isWalled = (page: Seen) =>
  showsWall(page) || (clearEvidence[page.path] !== undefined && isUnlikeLastTime(page.evidence, clearEvidence[page.path]!))

beforeAll(async () => {
  Object.assign(site, await serveWalledSite())
  clearEvidence = Object.fromEntries((await visitSite()).map(({ path, evidence }) => [path, evidence]))
  expect(Object.keys(clearEvidence)).toHaveLength(walledPaths.length)
})
afterAll(() => site.close())

it('reads what is reachable', () =>
  expect(clearEvidence['/boats']).toMatchObject({
    outOfReach: 0,
    links: walledPaths.length,
    landmarks: 2,
    title: 'boats',
    failedRequests: 0,
  }))

it.each(Object.entries({ ...walls, ...laterWalls }))('a page that was seen before shows the wall: %s', async (name, wall) => {
  site.setWall(wall)
  const seen = await visitSite()
  if (name in walls) {
    expect(seen.filter((page) => !showsWall(page))).toEqual([])
    expect(seen.length).toBeGreaterThan(0)
  }
  // The consent page itself has a URL of its own.
  const known = seen.filter(({ path }) => path in clearEvidence)
  const changed = known.flatMap(({ path, evidence }) => {
    const previous = clearEvidence[path]!
    const hasLostWords = computeContainment(previous.words, evidence.words) < minProvingShare
    return hasLostWords || isShortened({ evidence, previous }) ? [{ path, evidence, previous, hasLostWords }] : []
  })
  const disappeared = new Set(findDisappearedPages(changed).map(({ path }) => path))
  expect(
    known.filter((page) => !isWalled(page) && !disappeared.has(page.path)).map(({ path, evidence }) => ({ path, evidence })),
  ).toEqual([])
  if (!name.startsWith('redirect to a consent page')) expect(known.length).toBeGreaterThan(0)
})

it.each(Object.entries(harmless))('no wall: %s', async (_name, change) => {
  site.setWall(change)
  const seen = await visitSite()
  expect(seen.filter(showsWall)).toEqual([])
})
