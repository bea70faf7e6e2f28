import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUser } from '../src/idp/service.ts'
import { computeKeyFingerprint, openWithPassphrase } from '../src/kit/backup/passphrase.ts'
import { readBackupHead, restoreBackup } from '../src/kit/backup/read.ts'
import { writeBackup } from '../src/kit/backup/write.ts'
import { folderStore } from '../src/kit/object-store/folder.ts'
import { accountMigrations } from '../src/migrations/account.ts'
import { idpMigrations } from '../src/migrations/idp.ts'
import { monitorMigrations } from '../src/migrations/monitor.ts'
import { openMonitorDatabase } from '../src/process/database.ts'
import { openIdpDatabase } from '../src/process/idp.ts'
import { apiOfFile } from './api.ts'
import { type TestDatabase, testDatabase, withClient } from './database.ts'
import { makeWorld, type World } from './world.ts'

const migrations = { monitor: monitorMigrations, account: accountMigrations, idp: idpMigrations }
const key = randomBytes(32)
const folder = mkdtempSync(join(tmpdir(), 'clearway-backup-'))
const file = join(folder, 'whole.backup')
const objects = join(folder, 'objects')
const api = apiOfFile({ environment: { CLEARWAY_OBJECTS_FOLDER: objects } })
let world: World
/** What was in the database when the backup was made. */
let written: Record<string, string[]>

/** Rows of every table, as texts in an order of their own. */
const contents = (url: string): Promise<Record<string, string[]>> =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('monitor', 'account', 'idp') order by 1`,
    )
    const found: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select t::text as text from ${name} t order by 1`,
      )
      found[name] = rows.map(({ text }) => text)
    }
    return found
  })

const write = (to: string, passphrase: string | null = null) =>
  writeBackup({
    url: api.config.DATABASE_URL!,
    file: to,
    product: '1.2.3',
    key,
    passphrase,
    objects: folderStore(objects),
  })
const restore = (target: TestDatabase, from: string, replace = false) =>
  restoreBackup({ url: target.url, file: from, migrations, replace })

/** An empty database for one restore, and what became of it. */
async function intoEmpty<T>(work: (target: TestDatabase) => Promise<T>): Promise<T> {
  const target = await testDatabase()
  try {
    return await work(target)
  } finally {
    await target.drop()
  }
}

beforeAll(async () => {
  world = await makeWorld(api)
  const idp = await openIdpDatabase(api.config, api.config.DATABASE_URL!)
  await addUser({ db: idp }, { username: 'dana', password: 'correct horse', roles: ['access'] })
  await idp.destroy()
  // What a careless format loses: line ends, tabs, backslashes, the word for nothing, letters beyond the first plane.
  await api.call('POST', `/issues/${world.issue}/comments`, {
    token: await api.token('admin', ['access', 'admin']),
    body: { text: 'tab\t line\nback\\slash \\N \\. "quoted" é 漢 😀' },
  })
  await write(file)
  written = await contents(api.config.DATABASE_URL!)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

it('restores every row of every table into an empty database, which then works as before', async () => {
  await intoEmpty(async (target) => {
    const done = await restore(target, file)
    expect(await contents(target.url)).toEqual(written)
    // The world has rows in most of them; a table that nothing fills proves nothing.
    expect(Object.values(written).filter((rows) => rows.length > 0).length).toBeGreaterThan(30)
    expect(done.rows).toBe(Object.values(written).flat().length)
    // New rows have numbers that no old one has.
    const db = await openMonitorDatabase(api.config, target.url)
    await db.destroy()
    const next = (url: string) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ next: string }>(
          `select string_agg(nextval(format('%I.%I', schemaname, sequencename))::text, ',' order by sequencename) as next
           from pg_sequences where schemaname = 'monitor'`,
        )
        return rows[0]!.next
      })
    expect(await next(target.url)).toBe(await next(api.config.DATABASE_URL!))
  })
})

it('brings the objects of the folder along', async () => {
  const [from, to] = [folderStore(objects), folderStore(join(folder, 'restored'))]
  const names: string[] = []
  for await (const portion of from.list()) names.push(...portion)
  const done = await intoEmpty((target) =>
    restoreBackup({ url: target.url, file, migrations, replace: false, objects: to }),
  )
  expect([done.objects > 1, done.objects]).toEqual([true, names.length])
  for (const name of names) expect(await to.get(name)).toEqual(await from.get(name))
})

it('is one moment of the database, while people go on working', async () => {
  const busy = join(folder, 'busy.backup')
  const stop = new AbortController()
  let comments = 0
  const admin = await api.token('admin', ['access', 'admin'])
  const work = (async () => {
    while (!stop.signal.aborted) {
      await api.call('POST', `/issues/${world.issue}/comments`, {
        token: admin,
        body: { text: `number ${comments}` },
      })
      comments += 1
    }
  })()
  const done = await write(busy)
  stop.abort()
  await work
  expect(comments).toBeGreaterThan(0)
  await intoEmpty(async (target) => {
    expect((await restore(target, busy)).rows).toBe(done.rows)
  })
})

it('holds nothing of what another moment or a lost end would bring', async () => {
  const bytes = readFileSync(file)
  const damaged: [string, (path: string) => void, RegExp][] = [
    ['cut', (path) => (writeFileSync(path, bytes), truncateSync(path, bytes.length - 400)), /damaged/],
    [
      'without its end',
      (path) => {
        const whole = gunzipSync(bytes)
        // Two empty blocks end a tar file; before them is the last part with its head.
        writeFileSync(
          path,
          gzipSync(Buffer.concat([whole.subarray(0, whole.lastIndexOf('end.json')), Buffer.alloc(1024)])),
        )
      },
      /ends before its end/,
    ],
    [
      'changed',
      (path) => {
        const whole = gunzipSync(bytes)
        const at = whole.indexOf('Look at this')
        whole.write('Look at that', at)
        writeFileSync(path, gzipSync(whole))
      },
      /issue_comment is not what was written/,
    ],
    ['something else', (path) => writeFileSync(path, randomBytes(5000)), /not a backup/],
    ['empty', (path) => writeFileSync(path, ''), /not a backup|damaged/],
  ]
  await intoEmpty(async (target) => {
    for (const [what, damage, says] of damaged) {
      const path = join(folder, what)
      damage(path)
      await expect(restore(target, path), what).rejects.toThrow(says)
      expect(await contents(target.url), what).toEqual({})
    }
    await restore(target, file)
    expect(await contents(target.url)).toEqual(written)
  })
})

it('leaves what is there unless it may be replaced, and brings it back when that fails', async () => {
  await intoEmpty(async (target) => {
    const db = await openMonitorDatabase(api.config, target.url)
    await db
      .insertInto('system_setting')
      .values({ name: 'mine', value: '1' } as never)
      .execute()
    await db.destroy()
    const before = await contents(target.url)
    await expect(restore(target, file)).rejects.toThrow(/in use/)
    const cut = join(folder, 'cut again')
    writeFileSync(cut, readFileSync(file).subarray(0, -400))
    await expect(restore(target, cut, true)).rejects.toThrow(/damaged/)
    expect(await contents(target.url)).toEqual(before)
    await restore(target, file, true)
    expect(await contents(target.url)).toEqual(written)
  })
})

it('refuses while another Clearway is connected', async () => {
  await intoEmpty(async (target) => {
    const db = await openMonitorDatabase(api.config, target.url)
    await expect(restore(target, file, true)).rejects.toThrow(/Another Clearway/)
    await db.destroy()
  })
})

it('takes a backup of an older version and brings it up to date, and refuses that of a newer one', async () => {
  const lasts = Object.keys(monitorMigrations)
  await intoEmpty(async (older) => {
    // As a program of before would have left it.
    await withClient(older.url, async (client) => {
      const { createSchemaAt, createKyselyOnClient: through } = await import('../src/kit/database.ts')
      await client.query('set search_path = monitor')
      await createSchemaAt(through(client), monitorMigrations, lasts.slice(0, 3))
      for (const name of lasts.slice(0, 3))
        await client.query('insert into monitor.kysely_migration values ($1, now()::text)', [name])
      await client.query(`insert into monitor.kysely_migration_lock values ('migration_lock', 0)`)
      await client.query(`insert into monitor.team values ('t', 'Old friends')`)
    })
    const path = join(folder, 'older.backup')
    await writeBackup({ url: older.url, file: path, product: '0.1.0', key, passphrase: null })
    await intoEmpty(async (target) => {
      await restore(target, path)
      const db = await openMonitorDatabase(api.config, target.url)
      expect(await db.selectFrom('team').select('name').execute()).toEqual([{ name: 'Old friends' }])
      await db.destroy()
    })
  })
  const fewer = { ...migrations, monitor: Object.fromEntries(Object.entries(monitorMigrations).slice(0, -1)) }
  await intoEmpty(async (target) => {
    const newer = restoreBackup({ url: target.url, file, migrations: fewer, replace: false })
    await expect(newer).rejects.toThrow(`it has the change ${lasts.at(-1)} of monitor`)
  })
})

it('has the secret key only sealed, and only with a passphrase', async () => {
  expect((await readBackupHead(file)).secretKey).toEqual({ fingerprint: computeKeyFingerprint(key), sealed: null })
  const path = join(folder, 'sealed.backup')
  await write(path, 'correct horse battery')
  const { sealed } = (await readBackupHead(path)).secretKey
  expect(await openWithPassphrase(sealed!, 'correct horse battery')).toEqual(key)
  expect(await openWithPassphrase(sealed!, 'another horse battery')).toBeNull()
  const plain = gunzipSync(readFileSync(path))
  expect(plain.includes(key)).toBe(false)
  expect(plain.includes(key.toString('base64'))).toBe(false)
  expect(plain.includes(createHash('sha256').update(key).digest('hex'))).toBe(false)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('is a gzipped tar file that other programs list', () => {
  const names = execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n')
  expect([names[0], names.at(-1)]).toEqual(['backup.json', 'end.json'])
  expect(names).toContain('monitor/scan.000001')
})
