import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/**
 * Returns the cluster of this test run: that of CLEARWAY_TEST_DATABASE_URL (another PostgreSQL, 15 for example), else an
 * embedded one that the first test file starts, that all files share, and that ends with the run.
 */
async function getClusterUrl(): Promise<string> {
  const external = process.env.CLEARWAY_TEST_DATABASE_URL
  if (external) return external
  // Test files run in child processes of the one that exits last.
  const folder = join(tmpdir(), `clearway-test-${process.ppid}`)
  let isFirst = true
  try {
    mkdirSync(folder, { mode: 0o755 })
  } catch {
    isFirst = false
  }
  if (isFirst)
    spawn(process.execPath, [fileURLToPath(new URL('./cluster.ts', import.meta.url)), folder, String(process.ppid)], {
      detached: true,
      stdio: 'ignore',
    }).unref()
  const file = join(folder, 'url')
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50))
    if (existsSync(file)) {
      const url = readFileSync(file, 'utf8')
      if (url) return url
    }
  throw new Error('The cluster for the tests did not start within a minute')
}

/** Runs work with a separate connection, and closes it afterwards. */
export async function withClient<T>(connection: string | pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection)
  // A server that stops during the work fails the work, not the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const execute = (url: string, statement: string) => withClient(url, (client) => client.query(statement))

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** Name of the one database that a test file keeps after its end, for `npm run old-database`. */
export const keptDatabase = process.env.KEPT_TEST_DATABASE

function getDatabaseUrl(cluster: string, name: string): string {
  const url = new URL(cluster)
  url.pathname = `/${name}`
  return url.href
}

const createTestName = () => keptDatabase ?? `test_${randomBytes(6).toString('hex')}`

const describeDatabase = (cluster: string, name: string): TestDatabase => ({
  url: getDatabaseUrl(cluster, name),
  drop: async () => {
    if (name !== keptDatabase) await execute(cluster, `drop database if exists ${name} with (force)`)
  },
})

async function createWithSchemas(cluster: string, name: string): Promise<void> {
  await execute(cluster, `create database ${name}`)
  await execute(getDatabaseUrl(cluster, name), 'create schema monitor; create schema account; create schema idp')
}

/** Creates an empty database with the services' schemas, for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = await getClusterUrl()
  const name = createTestName()
  await createWithSchemas(cluster, name)
  return describeDatabase(cluster, name)
}

/** Copies the template of a fingerprint; returns false if there is none. */
async function copyTemplate(cluster: string, template: string, name: string): Promise<boolean> {
  try {
    await execute(cluster, `create database ${name} template ${template} strategy file_copy`)
    return true
  } catch (error) {
    // 3D000: the template does not exist.
    if ((error as { code?: unknown }).code === '3D000') return false
    throw error
  }
}

/** Key of the advisory lock under which the template is created. */
const templateLock = 5_316_207

/**
 * Creates a database with all tables for one test file: a copy of a template, since migrations take several times as long.
 * @param fingerprint identifies the migrations; templates of other fingerprints are removed
 * @param migrateDatabase applies the migrations; called once for all test files
 */
export async function createMigratedDatabase(
  fingerprint: string,
  migrateDatabase: (url: string) => Promise<void>,
): Promise<TestDatabase> {
  const cluster = await getClusterUrl()
  const name = createTestName()
  const template = `template_${fingerprint}`
  if (await copyTemplate(cluster, template, name)) return describeDatabase(cluster, name)
  await withClient(cluster, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rows } = await client.query<{ datname: string }>(`select datname from pg_database where datname like 'template\\_%'`)
    if (rows.some(({ datname }) => datname === template)) return
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
    const unfinished = `template_unfinished`
    await createWithSchemas(cluster, unfinished)
    await migrateDatabase(getDatabaseUrl(cluster, unfinished))
    await client.query(`alter database ${unfinished} rename to ${template}`)
  })
  if (!(await copyTemplate(cluster, template, name))) throw new Error(`The template ${template} is gone`)
  return describeDatabase(cluster, name)
}
