import type { Frontier, NewEntry } from '@clearway/engine/frontier.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { formatBucket } from '@clearway/contract/monitor/run/bucket/model.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { createId } from '../../../kit/id.ts'
import { finishRun, openFrontier } from '../frontier/service.ts'
import { findRunById } from '../store.ts'

// The representative order: any number of workers, and the frontier in memory, choose the same pages.

const api = useTestApi({})
let admin: string
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
})

async function startRun() {
  const body = { name: createId(), urls: ['https://example.org/'] }
  const { id } = (await api.call('POST', '/scans', { token: admin, body })).body as { id: string }
  const { number } = (await api.call('POST', `/scans/${id}/startRun`, { token: admin })).body as { number: number }
  const run = await api.db.selectFrom('run').select('id').where('scan_id', '=', id).executeTakeFirstOrThrow()
  return { id: run.id, scanId: id, number }
}

/** A frontier of a run; each belongs to a worker of its own. */
const openWorker = (run: Awaited<ReturnType<typeof startRun>>, pageLimit: number, order: CrawlOrder = 'representative') =>
  openFrontier(
    {
      db: api.db,
      runId: run.id,
      scanId: run.scanId,
      runNumber: run.number,
      worker: createId(),
      pageLimit,
      issuesPerPage: 500,
      order,
    },
    api.pubSub,
  ).frontier

const sections = ['news', 'shop', 'calendar', 'forms']
/** Pages of the shop link to views of themselves and of others. */
const createEntry = (key: string, wave: number): NewEntry => {
  const [section = '', ...others] = key.split('-')
  const isView = section === 'shop' && others.length > 1
  const kind = key === 'forms-3' ? 'contact' : ''
  const bucket = formatBucket({
    depth: 0,
    kind,
    language: '',
    section,
    shape: section === 'shop' ? `/shop/*?${isView ? 'post' : ''}` : `/${section}/${others.length}`,
    source: 'main',
    prior: 1,
  })
  return {
    url: `https://example.org/${key}`,
    key,
    depth: wave,
    wave,
    foundOn: key === 'start' ? null : 'https://example.org/start',
    exclusion: null,
    bucket: key === 'start' ? null : bucket,
    ...(isView ? { base: others.at(-1)! } : {}),
  }
}

const buildOutcome = (url: string, content: string, template: string): PageOutcome => ({
  kind: 'completed',
  finalUrl: url,
  httpStatus: 200,
  mimeType: 'text/html',
  durationMs: 5,
  title: template,
  health: 'good',
  findings: [],
  notices: [],
  content: null,
  signature: { content, masked: content, template, isUnlisted: false },
})

/** Calendar pages are all alike and lead to further ones; other pages differ. */
function visitSite(key: string): { outcome: PageOutcome; links: string[] } {
  const [section = ''] = key.split('-')
  const content = section === 'calendar' ? 'No events' : key
  const outcome = buildOutcome(`https://example.org/${key}`, content, section)
  const number = Number(key.split('-').at(-1))
  if (key === 'start')
    return { outcome, links: sections.flatMap((name) => Array.from({ length: 12 }, (_, index) => `${name}-${index}`)) }
  if (section === 'calendar') return { outcome, links: [`calendar-${number + 20}`, `calendar-${number + 21}`] }
  return { outcome, links: number < 5 ? [`${section}-x-${number}`] : [] }
}

/** Visits with several workers; returns the keys of each batch. */
async function crawl(frontiers: readonly Frontier[], isReversed: boolean, visit = visitSite): Promise<string[]> {
  const keys: string[] = []
  await frontiers[0]!.seed([createEntry('start', 0)])
  for (;;) {
    const activeClaims = []
    for (const frontier of frontiers)
      for (const claim of await frontier.claim(3)) {
        keys.push(claim.key)
        activeClaims.push({ frontier, claim })
      }
    if (activeClaims.length === 0 && (await frontiers[0]!.state()) === 'drained') break
    for (const { frontier, claim } of isReversed ? activeClaims.reverse() : activeClaims) {
      const { outcome, links } = visit(claim.key)
      const newEntries = links.map((key) => createEntry(key, claim.wave + 1))
      expect(await frontier.record(claim, outcome, newEntries)).toBe(true)
    }
  }
  return keys
}

it.each([20, 300])('is the same for one worker, for three, and in memory (limit %i)', async (pageLimit) => {
  const run = await startRun()
  const open = () => openWorker(run, pageLimit)
  const inDatabase = await crawl([open(), open(), open()], true)
  const randomUrls = new Set<string>()
  const onRecorded = ({ url, isRandom }: NewEntry) => void (isRandom && randomUrls.add(url))
  const memory = (isReversed: boolean) =>
    crawl([openMemoryFrontier({ pageLimit, order: 'representative', seed: run.id, onRecorded })], isReversed)
  const inMemory = await memory(false)
  expect(inDatabase).toEqual(inMemory)
  expect(await memory(true)).toEqual(inMemory)
  expect(inMemory.slice(0, 2)).toEqual(['start', 'forms-3'])
  expect(await open().state()).toBe('drained')
  expect(await finishRun(api, run.id, { kind: 'drained' })).toBe(true)
  const ended = (await findRunById(api, run.id))!
  // The random share is the same, and counted by health.
  const { rows: randomRows } = await sql<{ url: string }>`
    select p.url from page p join run_page r on r.id = p.id where p.run_id = ${run.id} and r.is_random`.execute(api.db)
  expect(new Set(randomRows.map(({ url }) => url))).toEqual(randomUrls)
  expect(randomUrls.size).toBeGreaterThan(1)
  expect(ended.sample_pages).toEqual([0, 0, 0, randomUrls.size])
  const overview = await api.call('GET', `/scans/${run.scanId}/runs/${run.number}/overview`, { token: admin })
  // Too few random pages, or nothing left out.
  expect(overview.body).toMatchObject({ score: 1, sample: null })
  const { rows } = await sql<{ exclusion: string; detail: string | null }>`
    select distinct exclusion, detail from page where run_id = ${run.id} and exclusion is not null`.execute(api.db)
  // Together, the tested pages stand for all known ones.
  const knownCount = ended.site_weights?.slice(0, 4).reduce((sum, weight) => sum + weight)
  if (pageLimit === 20) expect(knownCount).toBeCloseTo(20 + ended.over_limit, 2)
  else expect(knownCount).toBeUndefined()
  if (pageLimit === 20)
    return expect([ended.completed, ended.over_limit > 0, rows[0]?.exclusion]).toEqual([20, true, 'over-limit'])
  // Everything but the calendar is visited.
  expect(inMemory.filter((key) => !key.startsWith('calendar'))).toHaveLength(1 + 3 * 12 + 3 * 5)
  expect(inMemory.filter((key) => key.startsWith('calendar')).length).toBeLessThan(30)
  expect(rows).toEqual([{ exclusion: 'trap', detail: expect.stringContaining('had no new content') as string }])
})

/** Each page has three addresses, which differ in a parameter. */
function visitAliases(key: string): { outcome: PageOutcome; links: string[] } {
  const content = key.split('?')[0]!
  const links = Array.from({ length: 12 }, (_, page) => ['', '?x=1', '?x=2'].map((query) => `news-${page}${query}`)).flat()
  return { outcome: buildOutcome(`https://example.org/${key}`, content, 'news'), links: key === 'start' ? links : [] }
}

it.each(['breadth', 'representative'] as const)('gives places of joined pages to others, in the order %s', async (order) => {
  const run = await startRun()
  const open = () => openWorker(run, 8, order)
  const inDatabase = await crawl([open(), open(), open()], true, visitAliases)
  const countPages = (keys: readonly string[]) => new Set(keys.map((key) => key.split('?')[0])).size
  const visitedKeys: string[] = []
  const countJoined = () => visitedKeys.length - countPages(visitedKeys)
  const onRecorded = ({ key }: { key: string }) => void visitedKeys.push(key)
  const frontier = openMemoryFrontier({ pageLimit: 8, order, seed: run.id, onRecorded, countJoined })
  const inMemory = await crawl([frontier], false, visitAliases)
  expect(inDatabase).toEqual(inMemory)
  expect(await finishRun(api, run.id, { kind: 'drained' })).toBe(true)
  const ended = (await findRunById(api, run.id))!
  expect(ended.completed).toBe(countPages(inDatabase))
  // At most as many pages again as the limit.
  expect(inDatabase.length).toBe(order === 'breadth' ? 16 : inDatabase.length)
  expect(ended.completed).toBeGreaterThan(countPages(inDatabase.slice(0, 8)))
})
