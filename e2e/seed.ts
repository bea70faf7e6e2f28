/**
 * Demo data: five scans of the fixture site with a year of runs, people, teams, a group, statuses, comments and labels. What
 * newcomers look at, and pictures and benches are made from.
 *
 *   npm run seed                   into ./data (CLEARWAY_DATA), while no server runs on it; then npm start
 *
 * The site is scanned once, by the real engine; the runs of the past are its results again, with findings that come and go,
 * recorded by the same code as a worker's and moved back in time. The same data comes out each time, but for the ids.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { findBrowser } from '@clearway/engine/browser/find.ts'
import { openPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { Claim } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { scan } from '@clearway/engine/scan.ts'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type Config, readConfig } from '../packages/server/src/config.ts'
import { newId } from '../packages/server/src/kit/id.ts'
import { openPubSub } from '../packages/server/src/kit/pub-sub.ts'
import type { MonitorDb } from '../packages/server/src/monitor/database.ts'
import { finishRun, openFrontier } from '../packages/server/src/monitor/run/frontier/service.ts'
import { openMonitor, startDatabase } from '../packages/server/src/process/database.ts'
import { type Client, signIn } from './product/client.ts'
import { freePort, runCommand, startProduct } from './product/start.ts'

const password = 'demo for everybody'
const people = [
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

/** What the demo's scans are: how many of the site's pages each has, how often it ran in the year, how fast its team fixes. */
const scans = [
  { name: 'City portal', share: 1, every: 1, fixes: 0.75, appears: 0.2 },
  { name: 'Online services', share: 0.7, every: 2, fixes: 0.6, appears: 0.35 },
  { name: 'Library', share: 0.5, every: 4, fixes: 0.9, appears: 0.1 },
  { name: 'Museum shop', share: 0.4, every: 4, fixes: 0.2, appears: 0.5 },
  { name: 'Intranet', share: 0.6, every: 8, fixes: 0.4, appears: 0.3 },
] as const
type Demo = (typeof scans)[number]
type Seen = { claim: Claim; outcome: PageOutcome }

/** A number from 0 to 1 that the words decide: chance that comes out the same each time. */
const chance = (...words: string[]): number =>
  createHash('sha256').update(words.join('\n')).digest().readUInt32BE() / 2 ** 32

/** Scans the site once, and answers what became of each of its pages. */
async function takeResults(config: Config, url: string): Promise<Seen[]> {
  const browser = await findBrowser({
    setting: config.CLEARWAY_BROWSER,
    cacheFolder: join(config.CLEARWAY_DATA, 'cache'),
    sandbox: config.CLEARWAY_SANDBOX !== 'off',
  })
  if (!browser.found) throw new Error(`No browser could be started. ${browser.remedy}`)
  const seen: Seen[] = []
  const pool = await openPool(browser.facts, { pages: config.CLEARWAY_WORKER_PAGES })
  const frontier = openMemoryFrontier({
    pageLimit: 1000,
    onRecorded: (claim, outcome) => void seen.push({ claim: claim as Claim, outcome }),
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
  return seen
}

/** What a page came to in the week `at` (0 to 1 of the year): some faults are new since, some were fixed, some came back. */
function outcomeAt(demo: Demo, { claim, outcome }: Seen, at: number, newest: boolean): PageOutcome {
  if (outcome.kind !== 'completed') return outcome
  const findings = outcome.findings.filter(({ rule, elementKey, ordinal }) => {
    const odds = (what: string) => chance(demo.name, claim.key, rule, elementKey, String(ordinal), what)
    const from = odds('new') < demo.appears ? odds('from') : 0
    const until = odds('fixed') < demo.fixes ? from + (1.1 - from) * odds('until') : 2
    const back = odds('back') < 0.1 ? until + 0.1 : 2
    return at >= from && (at < until || at >= back)
  })
  const rest = newest ? {} : { content: null, views: [] }
  const own = newest ? findings : findings.map((finding) => ({ ...finding, picture: null }))
  return { ...outcome, ...rest, findings: own, health: computeHealth(own.map(({ severity }) => severity)) }
}

type Deps = { db: MonitorDb; pubSub: Awaited<ReturnType<typeof openPubSub>>; admin: Client }

/** Moves all that was written since a moment back by so many milliseconds, in every table of the monitor. */
async function moveBack({ db }: Deps, since: Date, byMs: number): Promise<void> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.table_name as name, array_agg(c.column_name::text) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'monitor' and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone'
      and c.table_name not in ('worker', 'migration') group by 1`.execute(db)
  for (const { name, columns } of rows) {
    const moved = columns.map(
      (column) => sql`${sql.ref(column)} = case when ${sql.ref(column)} >= ${since}
      then ${sql.ref(column)} - ${byMs} * interval '1 ms' else ${sql.ref(column)} end`,
    )
    const touched = columns.map((column) => sql`${sql.ref(column)} >= ${since}`)
    await sql`update ${sql.table(name)} set ${sql.join(moved)} where ${sql.join(touched, sql` or `)}`.execute(
      db,
    )
  }
}

/** One run of the past, by the code that a worker runs. */
async function playRun(
  deps: Deps,
  scanId: string,
  pages: readonly { claim: Claim; outcome: PageOutcome }[],
  ago: number,
) {
  const since = new Date()
  const run = await deps.admin<{ id: string; number: number }>('POST', `/scans/${scanId}/startRun`)
  const own = { db: deps.db, runId: run.id, scanId, runNumber: run.number }
  const { frontier, close } = openFrontier(
    { ...own, worker: newId(), pageLimit: 1000, issuesPerPage: 500 },
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
  if (ago > 0) await moveBack(deps, since, ago)
  // It took as long as a real one.
  const took = pages.length * 1500 + Math.round(chance(run.id) * 20_000)
  await sql`update run set queued_at = ended_at - ${took} * interval '1 ms', started_at = ended_at - ${took} * interval '1 ms'
    where id = ${run.id}`.execute(deps.db)
}

type IssueRow = { id: string; rule: string; severity: string }

/** What people did with the issues: between two runs, so that the newest run shows what became of it. */
async function review(deps: Deps, callers: Map<string, Client>, scanId: string): Promise<void> {
  const { content } = await deps.admin<{ content: IssueRow[] }>(
    'GET',
    `/issues?scanId=${scanId}&status=open&size=60&sort=severity,asc`,
  )
  const texts = [
    'The template of the news teaser is the cause. Fixed in the next release.',
    'Editors can change this themselves: the alternative text is missing in the media library.',
    'Third-party widget. Reported to the vendor.',
    'Checked with a screen reader: confirmed.',
  ]
  for (const [index, { id }] of content.entries()) {
    const odds = chance(scanId, String(index))
    const caller = callers.get(people[index % people.length]!.name)!
    const edit = (fieldsToUpdate: object) => deps.admin('PATCH', `/issues/${id}`, { fieldsToUpdate })
    if (index % 4 === 0)
      await caller('POST', `/issues/${id}/comments`, { text: texts[(index / 4) % texts.length] })
    if (odds < 0.2)
      await edit({
        status: 'ignored',
        ignore: { scope: 'issue', reason: 'Decoration: people lose nothing without it.' },
      })
    else if (odds < 0.45) await edit({ addLabels: [odds < 0.3 ? 'next release' : 'content team'] })
  }
}

/** Scans, a group and teams with what they may do, by the calls that the screens make. */
async function makeScans(
  deps: Deps,
  callers: Map<string, Client>,
  url: string,
): Promise<Map<string, string>> {
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
  await deps.admin('POST', '/groups', {
    scanGroupName: 'City of Example',
    scans: [...ids.values()].slice(0, 3),
  })
  const idOf = async (name: string) =>
    (await callers.get(name)!<{ id: string }>('GET', '/../axe-account/me')).id
  const assignments = []
  for (const { name, members, role, on } of teams) {
    const team = { name, members: await Promise.all(members.map(idOf)) }
    const { id } = await deps.admin<{ id: string }>('POST', '/../axe-account/teams', team)
    assignments.push(...on.map((scan) => ({ teamId: id, scanId: ids.get(scan)!, role })))
  }
  await deps.admin('POST', '/team-access', { assignments })
  return ids
}

async function seed(): Promise<string> {
  const sitePort = process.env.CLEARWAY_SITE_PORT ?? '4480'
  // The fixture site's, not the product's: it would be refused there.
  delete process.env.CLEARWAY_SITE_PORT
  const config = readConfig(process.env)
  if ('problem' in config) throw new Error(config.problem)
  const data = config.CLEARWAY_DATA
  const database = await startDatabase(config)
  // No worker: the runs of the past are ours. Everything else is the real thing.
  const env = { CLEARWAY_ROLES: 'api,account,idp', DATABASE_URL: database.url }
  const product = await startProduct({ data, port: await freePort(), env })
  const site = await startSite(Number(sitePort))
  const db = openMonitor(config, database.url)
  const pubSub = await openPubSub(database.url, () => undefined)
  try {
    for (const { name, role } of people)
      runCommand(data, 'user', 'add', name, '--role', role, '--password', password)
    const callers = new Map<string, Client>()
    for (const { name } of people) callers.set(name, await signIn(product.url, name, password))
    for (const caller of callers.values()) await caller('GET', '/users/permissions')
    const deps: Deps = { db, pubSub, admin: callers.get('dana')! }
    console.log('Scanning the site once …')
    const seen = await takeResults(config, site.url)
    const ids = await makeScans(deps, callers, site.url)
    for (const demo of scans) {
      const pages = seen.filter(({ claim }) => claim.depth === 0 || chance(demo.name, claim.key) < demo.share)
      for (let ago = 52 - (52 % demo.every); ago >= 0; ago -= demo.every) {
        const at = 1 - ago / 52
        const results = pages.map((page) => ({
          claim: page.claim,
          outcome: outcomeAt(demo, page, at, ago === 0),
        }))
        const since = new Date()
        await playRun(deps, ids.get(demo.name)!, results, ago * week)
        if (ago === demo.every * 2) {
          await review(deps, callers, ids.get(demo.name)!)
          await moveBack(deps, since, ago * week - week / 3)
        }
      }
      console.log(`${demo.name}: ${pages.length} pages`)
    }
    return `Done. Start with: npm start. Sign in as ${people.map(({ name }) => name).join(', ')} with the password "${password}".`
  } finally {
    await pubSub.stop()
    await db.destroy()
    await site.close()
    await product.stop()
    await database.stop()
  }
}

await seed().then(console.log, (error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
