import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Config, readConfig } from '../src/config.ts'
import { createSchemas } from '../src/kit/database.ts'
import { getPostgresUser } from '../src/kit/postgres/binaries.ts'
import { type DatabaseCluster, startCluster, stopCluster } from '../src/kit/postgres/cluster.ts'
import { openMonitorDatabase, startDatabase } from '../src/process/database.ts'

// An older PostgreSQL to come from; Debian's.
const programs = '/usr/lib/postgresql/15'
const hasOlder = existsSync(join(programs, 'bin/postgres'))
if (!hasOlder)
  process.stderr.write('NOT SHOWN here: a new major version of PostgreSQL. It needs postgresql-15.\n')

const data = mkdtempSync(join(tmpdir(), 'clearway-major-'))
chmodSync(data, 0o755)
const folder = join(data, 'database')
const cluster = join(folder, 'cluster')
const config = readConfig({ CLEARWAY_DATA: data }) as Config
const secret = 'the password of before'

/** Makes a cluster as a Clearway with PostgreSQL 15 would have left it, with a row in it. */
async function makeOlder(): Promise<void> {
  const as = getPostgresUser()
  mkdirSync(folder, { mode: 0o755 })
  writeFileSync(join(folder, 'password'), secret)
  const pwfile = join(data, 'pwfile')
  writeFileSync(pwfile, secret)
  mkdirSync(cluster, { mode: 0o700 })
  if (as) for (const path of [folder, pwfile, cluster]) chownSync(path, as.uid, as.gid)
  const args = [
    '-D',
    cluster,
    '-U',
    'clearway',
    '-A',
    'scram-sha-256',
    `--pwfile=${pwfile}`,
    '-E',
    'UTF8',
    '--no-sync',
  ]
  execFileSync(join(programs, 'bin/initdb'), [...args, '--locale=C.UTF-8'], {
    ...as,
    cwd: cluster,
    stdio: 'ignore',
  })
  const old: DatabaseCluster = {
    binaries: { folder: programs, version: '15' },
    as,
    data: cluster,
    log: join(folder, 'postgres.log'),
    passwordFile: join(folder, 'password'),
    throwAway: true,
  }
  const { url } = await startCluster(old)
  await createSchemas(url)
  const db = await openMonitorDatabase(config, url)
  await db.insertInto('team').values({ id: 'a', name: 'Before' }).execute()
  await db.destroy()
  await stopCluster(old)
}

async function teams(url: string): Promise<string[]> {
  const db = await openMonitorDatabase(config, url)
  const rows = await db.selectFrom('team').select('name').execute()
  await db.destroy()
  return rows.map(({ name }) => name)
}

beforeAll(async () => {
  if (hasOlder) await makeOlder()
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

it.runIf(hasOlder)('says what to do where the older programs were not kept', async () => {
  await expect(startDatabase(config)).rejects.toThrow(/is of PostgreSQL 15.*clearway backup FILE/s)
})

it.runIf(hasOlder)(
  'brings the embedded database to a new major version, and keeps the old files',
  async () => {
    mkdirSync(join(data, 'runtime'), { recursive: true })
    symlinkSync(programs, join(data, 'runtime/postgres-15'))
    const database = await startDatabase(config)
    expect(database.version).toMatch(/^1[89]\./)
    expect(await teams(database.url)).toEqual(['Before'])
    await database.stop()
    expect(readFileSync(`${cluster}-15/PG_VERSION`, 'utf8').trim()).toBe('15')
    // What the next version will need of this one.
    expect(existsSync(join(data, `runtime/postgres-${database.version.split('.')[0]}/bin/postgres`))).toBe(
      true,
    )
  },
)

it.runIf(hasOlder)('goes on where it was interrupted between the folders', async () => {
  renameSync(cluster, `${cluster}.next`)
  writeFileSync(`${cluster}.next.complete`, '')
  const database = await startDatabase(config)
  expect(await teams(database.url)).toEqual(['Before'])
  await database.stop()
  expect(existsSync(`${cluster}.next.complete`)).toBe(false)
})
