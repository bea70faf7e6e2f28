/**
 * Demo data: five scans of the fixture site with a year of runs, people, teams, a group, statuses, comments and labels.
 * Newcomers explore it, and screenshots and benchmarks use it.
 *
 *   npm run seed                   into ./data (CLEARWAY_DATA), while no server runs on it; then npm start
 *
 * The real engine scans the site once. Past runs reuse its results, with findings that come and go; the worker's code
 * records them, and they are moved back in time. The data is the same each time, except for ids.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { findBrowser } from '@clearway/engine/browser/find-browser.ts'
import { openPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { Claim } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { scan } from '@clearway/engine/scan.ts'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type Config, readConfig } from '../packages/server/src/config.ts'
import { createId } from '../packages/server/src/kit/id.ts'
import { openPubSub } from '../packages/server/src/kit/pub-sub.ts'
import type { MonitorDb } from '../packages/server/src/monitor/database.ts'
import { finishRun, openFrontier } from '../packages/server/src/monitor/run/frontier/service.ts'
import { openMonitor, startDatabase } from '../packages/server/src/process/database.ts'
import { type Client, signIn } from './product/client.ts'
import { findFreePort, runCommand, startProduct } from './product/start.ts'

const password = 'demo for everybody'
const demoPeople = [
  { name: 'dana', role: 'admin' },
  { name: 'ben', role: 'access' },
  { name: 'chiyo', role: 'access' },
  { name: 'elif', role: 'access' },
] as const
const teams = [
  { name: 'Editors', members: ['ben', 'chiyo'], role: 'scanMember', on: ['City portal', 'Library'] },
  { name: 'Shop team', members: ['elif'], role: 'scanAdmin', on: ['Museum shop'] },
] as const
const week = 7 * 24 * 60 * 60_000

/** Properties of the demo's scans: number of pages, number of runs in the year, and how fast the team fixes issues. */
const scans = [
  { name: 'City portal', share: 1, every: 1, fixes: 0.75, appears: 0.2 },
  { name: 'Online services', share: 0.7, every: 2, fixes: 0.6, appears: 0.35 },
  { name: 'Library', share: 0.5, every: 4, fixes: 0.9, appears: 0.1 },
  { name: 'Museum shop', share: 0.4, every: 4, fixes: 0.2, appears: 0.5 },
  { name: 'Intranet', share: 0.6, every: 8, fixes: 0.4, appears: 0.3 },
] as const
type Demo = (typeof scans)[number]
type RecordedPage = { claim: Claim; outcome: PageOutcome }

/** Returns a number from 0 to 1 that depends only on the words: reproducible randomness. */
const computeChance = (...seedWords: string[]): number =>
  createHash('sha256').update(seedWords.join('\n')).digest().readUInt32BE() / 2 ** 32

/** Scans the site once, and returns the outcome of each page. */
async function recordResults(config: Config, url: string): Promise<RecordedPage[]> {
  const browser = await findBrowser({
    setting: config.CLEARWAY_BROWSER,
    cacheFolder: join(config.CLEARWAY_DATA, 'cache'),
    sandbox: config.CLEARWAY_SANDBOX !== 'off',
  })
  if (!browser.found) throw new Error(`No browser could be started. ${browser.remedy}`)
  const recordedPages: RecordedPage[] = []
  const pool = await openPool(browser.facts, { pages: config.CLEARWAY_WORKER_PAGES })
  const frontier = openMemoryFrontier({
    pageLimit: 1000,
    onRecorded: (claim, outcome) => void recordedPages.push({ claim: claim as Claim, outcome }),
  })
  const plan = {
    urls: [`${url}/`],
    domains: [new URL(url).host],
    depth: null,
    pageLimit: 1000,
    ruleSet: defaultRuleSet,
    advanced: z.parse(AdvancedSettings, { pageTimeoutMs: 4000 }),
    allowPrivate: ['all'],
    concurrency: config.CLEARWAY_WORKER_PAGES,
  }
  await scan({ pool, frontier }, plan, new AbortController().signal)
  await pool.close()
  // On an overloaded machine the start page may fail, and no other page is found.
  if (recordedPages.every(({ outcome }) => outcome.kind !== 'completed'))
    throw new Error('No page of the site could be analyzed; try again when the machine is less busy')
  return recordedPages
}

/** Outcome of a page at the time `at` (0 to 1 of the year): some violations are new since, some were fixed, some came back. */
function computeOutcome(demo: Demo, { claim, outcome }: RecordedPage, yearFraction: number, newest: boolean): PageOutcome {
  if (outcome.kind !== 'completed') return outcome
  const findings = outcome.findings.filter(({ rule, elementKey, ordinal }) => {
    const computeOdds = (event: string) => computeChance(demo.name, claim.key, rule, elementKey, String(ordinal), event)
    const appearsAt = computeOdds('new') < demo.appears ? computeOdds('from') : 0
    const fixedAt = computeOdds('fixed') < demo.fixes ? appearsAt + (1.1 - appearsAt) * computeOdds('until') : 2
    const returnsAt = computeOdds('back') < 0.1 ? fixedAt + 0.1 : 2
    return yearFraction >= appearsAt && (yearFraction < fixedAt || yearFraction >= returnsAt)
  })
  const contentOverride = newest ? {} : { content: null, views: [] }
  const ownFindings = newest ? findings : findings.map((finding) => ({ ...finding, picture: null }))
  return {
    ...outcome,
    ...contentOverride,
    findings: ownFindings,
    health: computeHealth(ownFindings.map(({ severity }) => severity)),
  }
}

type Deps = { db: MonitorDb; pubSub: Awaited<ReturnType<typeof openPubSub>>; admin: Client }

/** Moves all rows written since a moment back by a number of milliseconds. The audit log stays: its hashes cover the times. */
async function moveBack({ db }: Deps, writtenSince: Date, byMs: number): Promise<void> {
  const { rows: tableRows } = await sql<{ name: string; columns: string[] }>`
    select c.table_name as name, array_agg(c.column_name::text) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'monitor' and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone'
      and c.table_name not in ('worker', 'migration', 'audit') group by 1`.execute(db)
  for (const { name, columns } of tableRows) {
    const moved = columns.map(
      (column) => sql`${sql.ref(column)} = case when ${sql.ref(column)} >= ${writtenSince}
      then ${sql.ref(column)} - ${byMs} * interval '1 ms' else ${sql.ref(column)} end`,
    )
    const touched = columns.map((column) => sql`${sql.ref(column)} >= ${writtenSince}`)
    await sql`update ${sql.table(name)} set ${sql.join(moved)} where ${sql.join(touched, sql` or `)}`.execute(db)
  }
}

/** Records one past run with the worker's code. */
async function playRun(deps: Deps, scanId: string, pages: readonly { claim: Claim; outcome: PageOutcome }[], ago: number) {
  const startedAt = new Date()
  const run = await deps.admin<{ id: string; number: number }>('POST', `/scans/${scanId}/startRun`)
  const runContext = { db: deps.db, runId: run.id, scanId, runNumber: run.number }
  const { frontier, close } = openFrontier(
    { ...runContext, worker: createId(), pageLimit: 1000, issuesPerPage: 500 },
    deps.pubSub,
  )
  await sql`update run set status = 'running', started_at = now() where id = ${run.id}`.execute(deps.db)
  const outcomes = new Map(pages.map(({ claim, outcome }) => [claim.key, outcome]))
  await frontier.seed(
    pages.map(({ claim: { url, key, foundOn } }) => ({
      url,
      key,
      foundOn,
      depth: foundOn === null ? 0 : 1,
      wave: 0,
      exclusion: null,
    })),
  )
  for (let claims = await frontier.claim(100); claims.length > 0; claims = await frontier.claim(100))
    for (const claim of claims) await frontier.record(claim, outcomes.get(claim.key)!, [])
  close()
  await finishRun(deps, run.id, { kind: 'drained' })
  if (ago > 0) await moveBack(deps, startedAt, ago)
  // It took as long as a real one.
  const took = pages.length * 1500 + Math.round(computeChance(run.id) * 20_000)
  await sql`update run set queued_at = ended_at - ${took} * interval '1 ms', started_at = ended_at - ${took} * interval '1 ms'
    where id = ${run.id}`.execute(deps.db)
}

type IssueRow = { id: string; rule: string; severity: string }

/** Work of users on the issues between two runs, so that the newest run shows its effect. */
async function reviewIssues(deps: Deps, callers: Map<string, Client>, scanId: string): Promise<void> {
  const { content } = await deps.admin<{ content: IssueRow[] }>(
    'GET',
    `/issues?scanId=${scanId}&status=open&size=60&sort=severity,asc`,
  )
  const commentTexts = [
    'The template of the news teaser is the cause. Fixed in the next release.',
    'Editors can change this themselves: the alternative text is missing in the media library.',
    'Third-party widget. Reported to the vendor.',
    'Checked with a screen reader: confirmed.',
  ]
  for (const [index, { id }] of content.entries()) {
    const odds = computeChance(scanId, String(index))
    const caller = callers.get(demoPeople[index % demoPeople.length]!.name)!
    const editIssue = (fieldsToUpdate: object) => deps.admin('PATCH', `/issues/${id}`, { fieldsToUpdate })
    if (index % 4 === 0) await caller('POST', `/issues/${id}/comments`, { text: commentTexts[(index / 4) % commentTexts.length] })
    if (odds < 0.2)
      await editIssue({ status: 'ignored', ignore: { scope: 'issue', reason: 'Decoration: people lose nothing without it.' } })
    else if (odds < 0.45) await editIssue({ addLabels: [odds < 0.3 ? 'next release' : 'content team'] })
  }
}

/** Creates scans, a group and teams with their access, by the calls of the screens. */
async function createScans(deps: Deps, callers: Map<string, Client>, url: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { name } of scans) {
    const body = {
      name,
      type: 'custom',
      urls: [`${url}/`],
      depth: null,
      pageLimit: 1000,
      advanced: { pageTimeoutMs: 4000, savePictures: true },
    }
    ids.set(name, (await deps.admin<{ id: string }>('POST', '/scans', body)).id)
  }
  await deps.admin('POST', '/groups', { scanGroupName: 'City of Example', scans: [...ids.values()].slice(0, 3) })
  const findScanId = async (name: string) => (await callers.get(name)!<{ id: string }>('GET', '/../axe-account/me')).id
  const assignments = []
  for (const { name, members, role, on: scanNames } of teams) {
    const team = { name, members: await Promise.all(members.map(findScanId)) }
    const { id } = await deps.admin<{ id: string }>('POST', '/../axe-account/teams', team)
    assignments.push(...scanNames.map((scan) => ({ teamId: id, scanId: ids.get(scan)!, role })))
  }
  await deps.admin('POST', '/team-access', { assignments })
  return ids
}

async function seedDatabase(): Promise<string> {
  const sitePort = process.env.CLEARWAY_SITE_PORT ?? '4480'
  // The fixture site's private address, not the product's: the guard would refuse it.
  delete process.env.CLEARWAY_SITE_PORT
  const config = readConfig(process.env)
  if ('problem' in config) throw new Error(config.problem)
  const dataFolder = config.CLEARWAY_DATA
  const database = await startDatabase(config)
  // No worker: this script records past runs itself. Everything else is real.
  const env = { CLEARWAY_ROLES: 'api,account,idp', DATABASE_URL: database.url }
  const product = await startProduct({ data: dataFolder, port: await findFreePort(), env })
  const site = await startSite(Number(sitePort))
  const db = openMonitor(config, database.url)
  const pubSub = await openPubSub(database.url, () => undefined)
  try {
    for (const { name, role } of demoPeople) runCommand(dataFolder, 'user', 'add', name, '--role', role, '--password', password)
    const callers = new Map<string, Client>()
    for (const { name } of demoPeople) callers.set(name, await signIn(product.url, name, password))
    for (const caller of callers.values()) await caller('GET', '/users/permissions')
    const deps: Deps = { db, pubSub, admin: callers.get('dana')! }
    console.log('Scanning the site once …')
    const recordedPages = await recordResults(config, site.url)
    const ids = await createScans(deps, callers, site.url)
    for (const demo of scans) {
      const pages = recordedPages.filter(({ claim }) => claim.depth === 0 || computeChance(demo.name, claim.key) < demo.share)
      for (let ago = 52 - (52 % demo.every); ago >= 0; ago -= demo.every) {
        const yearFraction = 1 - ago / 52
        const pageResults = pages.map((page) => ({
          claim: page.claim,
          outcome: computeOutcome(demo, page, yearFraction, ago === 0),
        }))
        const runStartedAt = new Date()
        await playRun(deps, ids.get(demo.name)!, pageResults, ago * week)
        if (ago === demo.every * 2) {
          await reviewIssues(deps, callers, ids.get(demo.name)!)
          await moveBack(deps, runStartedAt, ago * week - week / 3)
        }
      }
      console.log(`${demo.name}: ${pages.length} pages`)
    }
    return `Done. Start with: npm start. Sign in as ${demoPeople.map(({ name }) => name).join(', ')} with the password "${password}".`
  } finally {
    await pubSub.stop()
    await db.destroy()
    await site.close()
    await product.stop()
    await database.stop()
  }
}

await seedDatabase().then(console.log, (error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
