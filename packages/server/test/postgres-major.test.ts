/** @module-tag slow */
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

// Debian's older PostgreSQL, to upgrade from.
const programs = '/usr/lib/postgresql/15'
const hasOlder = existsSync(join(programs, 'bin/postgres'))
if (!hasOlder) process.stderr.write('NOT SHOWN here: a new major version of PostgreSQL. It needs postgresql-15.\n')

const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-major-'))
chmodSync(dataFolder, 0o755)
const folder = join(dataFolder, 'database')
const cluster = join(folder, 'cluster')
const config = readConfig({ CLEARWAY_DATA: dataFolder }) as Config
const secret = 'the password of before'

/** Creates a cluster as a Clearway with PostgreSQL 15 would have left it, with one row. */
async function createOlderCluster(): Promise<void> {
  const runAsOptions = getPostgresUser()
  mkdirSync(folder, { mode: 0o755 })
  writeFileSync(join(folder, 'password'), secret)
  const pwfile = join(dataFolder, 'pwfile')
  writeFileSync(pwfile, secret)
  mkdirSync(cluster, { mode: 0o700 })
  if (runAsOptions) for (const path of [folder, pwfile, cluster]) chownSync(path, runAsOptions.uid, runAsOptions.gid)
  const args = ['-D', cluster, '-U', 'clearway', '-A', 'scram-sha-256', `--pwfile=${pwfile}`, '-E', 'UTF8', '--no-sync']
  execFileSync(join(programs, 'bin/initdb'), [...args, '--locale=C.UTF-8'], { ...runAsOptions, cwd: cluster, stdio: 'ignore' })
  const oldCluster: DatabaseCluster = {
    binaries: { folder: programs, version: '15' },
    as: runAsOptions,
    data: cluster,
    log: join(folder, 'postgres.log'),
    passwordFile: join(folder, 'password'),
    throwAway: true,
  }
  const { url } = await startCluster(oldCluster)
  await createSchemas(url)
  const db = await openMonitorDatabase(config, url)
  await db.insertInto('team').values({ id: 'a', name: 'Before' }).execute()
  await db.destroy()
  await stopCluster(oldCluster)
}

async function listTeams(url: string): Promise<string[]> {
  const db = await openMonitorDatabase(config, url)
  const teamRows = await db.selectFrom('team').select('name').execute()
  await db.destroy()
  return teamRows.map(({ name }) => name)
}

beforeAll(async () => {
  if (hasOlder) await createOlderCluster()
})
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

it.runIf(hasOlder)('explains the next step where the older programs were not kept', async () => {
  await expect(startDatabase(config)).rejects.toThrow(/is of PostgreSQL 15.*clearway backup FILE/s)
})

it.runIf(hasOlder)('upgrades the embedded database to a new major version, and keeps the old files', async () => {
  mkdirSync(join(dataFolder, 'runtime'), { recursive: true })
  symlinkSync(programs, join(dataFolder, 'runtime/postgres-15'))
  const database = await startDatabase(config)
  expect(database.version).toMatch(/^1[89]\./)
  expect(await listTeams(database.url)).toEqual(['Before'])
  await database.stop()
  expect(readFileSync(`${cluster}-15/PG_VERSION`, 'utf8').trim()).toBe('15')
  // Files of this version that the next upgrade will need.
  expect(existsSync(join(dataFolder, `runtime/postgres-${database.version.split('.')[0]}/bin/postgres`))).toBe(true)
})

it.runIf(hasOlder)('continues after an interruption between the folders', async () => {
  renameSync(cluster, `${cluster}.next`)
  writeFileSync(`${cluster}.next.complete`, '')
  const database = await startDatabase(config)
  expect(await listTeams(database.url)).toEqual(['Before'])
  await database.stop()
  expect(existsSync(`${cluster}.next.complete`)).toBe(false)
})
