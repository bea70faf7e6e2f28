/** @module-tag slow */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountApi } from '@clearway/contract/account/api.ts'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { loadKeys } from '../src/idp/keys.ts'
import { findPersonByName } from '../src/idp/store.ts'
import type { IdpTables } from '../src/idp/table.ts'
import { migrate, openDatabase } from '../src/kit/database.ts'
import { createSeal } from '../src/kit/seal.ts'
import { createSecretReader, sealOldHeaders } from '../src/monitor/session/service.ts'
import { openTestApi, type TestApi } from './api.ts'
import { buildBranchRun } from './branch-run.ts'
import { createTestDatabase, withClient } from './database.ts'
import { migrationsBySchema } from './migration.ts'
import { createOldDatabase, oldDatabases, oldSecretKey, countRows } from './old.ts'

let api: TestApi | null = null
afterEach(async () => {
  await api?.close()
  api = null
})

/** Calls that may return nothing for an old database. */
const mayBeMissing = new Set([
  'readPageContent',
  'readPageView',
  'readPagePicture',
  'readIssuePicture',
  'readRecheck',
  'readPublicToken',
])
/** An endless stream. */
const streams = new Set(['runEvents'])
/** Required query parameters. */
const queries: Readonly<Record<string, string>> = {
  searchAll: 'q=http',
  comparedIssues: 'side=both',
  comparedPages: 'side=both',
  listIssueGroups: 'by=rule',
}

type Ids = Readonly<Record<string, readonly string[]>>
/** Collects the ids of everything in the database, by the first word of the paths that take them. */
async function collectIds({ db }: TestApi): Promise<Ids> {
  const listIds = async (table: string, where = 'true') =>
    (await sql<{ id: string }>`select id::text from ${sql.table(table)} where ${sql.raw(where)} order by 1`.execute(db)).rows.map(
      ({ id }) => id,
    )
  const scans = await listIds('scan', 'deleted_at is null')
  const visible = `scan_id in (select id from scan where deleted_at is null)`
  return {
    scans,
    users: scans,
    pages: await listIds('page', visible),
    issues: await listIds('issue', visible),
    groups: await listIds('scan_group'),
    presets: await listIds('preset'),
    scripts: await listIds('script'),
    'axe-account': await listIds('team', 'stale_since is null'),
  }
}

/** Parameters of objects within a scan, each with its table. */
const innerParameters = [
  ['{webhook}', 'webhook'],
  ['{branchRun}', 'branch_run'],
  ['{annotation}', 'scan_annotation'],
] as const

/** Lists the URLs of a call for everything in the database. */
async function listUrls(testApi: TestApi, ids: Ids, path: string): Promise<string[]> {
  if (!path.includes('{')) return [path]
  const noun = path.split('/')[1]!
  const innerParameter = innerParameters.find(([parameter]) => path.includes(parameter))
  const urls: string[] = []
  for (const id of ids[noun] ?? []) {
    const withId = path.replace('{id}', id)
    if (path.includes('{run}')) {
      const { rows } = await sql<{ number: number }>`
        select number from run where scan_id = ${id} and ended_at is not null and archived_at is null`.execute(testApi.db)
      for (const { number } of rows)
        urls.push(withId.replace('{run}', String(number)).replace('{other}', String(number)).replace('{rule}', 'image-alt'))
    } else if (innerParameter) {
      const [parameter, table] = innerParameter
      const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} where scan_id = ${id}`.execute(testApi.db)
      for (const row of rows) urls.push(withId.replace(parameter, row.id))
    } else urls.push(withId.replace('{number}', '1'))
  }
  return urls
}

const countEntries = (body: unknown): number => {
  const { page, content } = body as { page?: { totalElements: number }; content?: unknown[] }
  return page?.totalElements ?? content?.length ?? (Array.isArray(body) ? body.length : 1)
}

/** Findings of all runs, as rows of a table or of a view of spans. */
const readFindings = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<object>(
      `select run_id, issue_id, page_id, group_id, rule_id, impact, change, encode(evidence, 'hex') as evidence
       from monitor.finding order by run_id, issue_id`,
    )
    return rows
  })

describe.each(oldDatabases)('a database of %s', (name) => {
  it('keeps every row, is read by every call, and opens its secrets', { timeout: 120_000 }, async () => {
    const database = await createOldDatabase(name)
    const previousCounts = await countRows(database.url)
    for (const table of ['scan', 'run', 'page', 'finding', 'issue', 'preset', 'script', 'scan_group', 'secret'])
      expect(previousCounts[`monitor.${table}`], table).toBeGreaterThan(0)
    const previousFindings = await readFindings(database.url)
    api = await openTestApi({ database, environment: { CLEARWAY_SECRET_KEY: oldSecretKey } })
    expect(await readFindings(database.url)).toEqual(previousFindings)
    const currentCounts = await countRows(database.url)
    const migrations = new Set(['monitor', 'account', 'idp'].map((schema) => `${schema}.kysely_migration`))
    for (const [table, rowCount] of Object.entries(previousCounts))
      if (!migrations.has(table)) expect([table, currentCounts[table]]).toEqual([table, rowCount])

    // Same state as at the first start.
    await sealOldHeaders(api)
    for (const table of ['scan', 'preset', 'run_plan']) {
      const { rows } = await sql`select settings from ${sql.table(table)}`.execute(api.db)
      expect(JSON.stringify(rows)).not.toContain('header-secret')
    }

    const token = await api.token('admin', ['access', 'admin'])
    const ids = await collectIds(api)
    // A noun that is younger than some of the databases.
    const uploaded = await api.call('POST', `/scans/${ids['scans']![0]!}/branchRuns`, { token, body: buildBranchRun() })
    expect(uploaded.status).toBe(201)
    const resultCounts: Record<string, number> = {}
    const wrong: unknown[] = []
    const callAll = async (endpoints: Readonly<Record<string, Endpoint>>, sendRequest: TestApi['call'] | TestApi['account']) => {
      for (const [call, { method, path }] of Object.entries(endpoints)) {
        if (method !== 'GET' || streams.has(call)) continue
        const query = queries[call] ? `?${queries[call]}` : ''
        for (const url of await listUrls(api!, ids, path)) {
          const reply = await sendRequest('GET', url.replace('/axe-account', '') + query, { token })
          const fits = reply.status === 200 || (reply.status === 404 && mayBeMissing.has(call))
          if (!fits) wrong.push([url, reply.status, reply.body])
          if (reply.status === 200) resultCounts[call] = (resultCounts[call] ?? 0) + countEntries(reply.body)
        }
      }
    }
    await callAll(monitorApi, api.call)
    await callAll(accountApi, api.account)
    expect(wrong).toEqual([])
    const nonEmptyCounts = Object.fromEntries(Object.entries(resultCounts).filter(([, count]) => count > 0))
    for (const call of ['listScans', 'readScanSettings', 'runOverview', 'listIssues', 'listPages', 'listPresets'])
      expect(Object.keys(nonEmptyCounts)).toContain(call)
    for (const call of [
      'listScripts',
      'listGroups',
      'listIgnores',
      'listIssueComments',
      'listTeams',
      'listMembers',
      'readBranchRun',
    ])
      expect(Object.keys(nonEmptyCounts)).toContain(call)

    for (const { owner_id, name: secret } of await api.db.selectFrom('secret').selectAll().execute())
      expect((await createSecretReader(api, owner_id))(secret), secret).not.toBeNull()
  })
})

it('has the database of each released version', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  // 0.1.0 has one for each state of its schema.
  const releases = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)]
    .map(([, version]) => `v${version}`)
    .filter((name) => name !== 'v0.1.0')
  expect(releases).toContain('v0.2.0')
  expect(releases.filter((name) => !oldDatabases.includes(name))).toEqual([])
})

describe('an identity provider from before its secrets were sealed', () => {
  it('keeps its people and its keys, and ends their sessions', async () => {
    const database = await createTestDatabase()
    const db = openDatabase<IdpTables>(database.url, { schema: 'idp', connections: 2 })
    try {
      const { '0001-foundation': firstMigration } = migrationsBySchema.idp
      await migrate(db, 'idp', { '0001-foundation': firstMigration! })
      await sql`insert into person (id, username, first_name, last_name, email, password, roles)
        values (gen_random_uuid(), 'ann', 'Ann', 'Lee', null, 'scrypt', '{access}')`.execute(db)
      await sql`insert into artifact (kind, id, payload) values ('Session', 'in-the-clear', '{"accountId":"ann"}')`.execute(db)
      await sql`insert into secret (name, value) values ('signing-keys', '{"keys":[{"kty":"RSA","kid":"key-of-before"}]}'),
        ('secrets', '{"cookie":"c","envelope":"ZQ"}')`.execute(db)
      await sql`insert into attempt (subject, failures) values ('ann', 11)`.execute(db)
      await migrate(db, 'idp', migrationsBySchema.idp)
      expect(await findPersonByName({ db }, 'ANN')).toMatchObject({ firstName: 'Ann', roles: ['access'] })
      expect((await sql`select 1 from artifact`.execute(db)).rows).toEqual([])
      const keys = await loadKeys({ db, seal: createSeal(Buffer.alloc(32, 7)) })
      expect(keys.jwks.keys).toEqual([{ kty: 'RSA', kid: 'key-of-before' }])
      expect(JSON.stringify((await sql`select * from secret`.execute(db)).rows)).not.toContain('key-of-before')
    } finally {
      await db.destroy()
      await database.drop()
    }
  })
})
