/** @module-tag slow */
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
import { verifyBackup } from '../src/kit/backup/verify.ts'
import { writeBackup } from '../src/kit/backup/write.ts'
import { createFolderStore } from '../src/kit/object-store/folder.ts'
import { accountMigrations } from '../src/migrations/account.ts'
import { idpMigrations } from '../src/migrations/idp.ts'
import { monitorMigrations } from '../src/migrations/monitor.ts'
import { openMonitorDatabase } from '../src/process/database.ts'
import { openIdpDatabase } from '../src/process/idp.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { type TestDatabase, createTestDatabase, withClient } from './database.ts'
import { makeWorld, type World } from './world.ts'

const migrations = { monitor: monitorMigrations, account: accountMigrations, idp: idpMigrations }
const key = randomBytes(32)
const folder = mkdtempSync(join(tmpdir(), 'clearway-backup-'))
const file = join(folder, 'whole.backup')
const objects = join(folder, 'objects')
const api = useTestApi({ environment: { CLEARWAY_OBJECTS_FOLDER: objects } })
let world: World
/** Content of the database at the time of the backup. */
let originalRows: Record<string, string[]>

/** Returns the rows of every table, as sorted texts. */
const readRows = (url: string): Promise<Record<string, string[]>> =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('monitor', 'account', 'idp')
         -- Rows of partitions are rows of their table.
         and format('%I.%I', schemaname, tablename)::regclass not in (select inhrelid from pg_inherits) order by 1`,
    )
    const rowsByTable: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t order by 1`)
      rowsByTable[name] = rows.map(({ text: rowText }) => rowText)
    }
    return rowsByTable
  })

const backUp = (sourceDatabase: string, passphrase: string | null = null) =>
  writeBackup({
    url: api.config.DATABASE_URL!,
    file: sourceDatabase,
    program: { product: '1.2.3', build: 'b 4' },
    key,
    passphrase,
    objects: createFolderStore(objects),
  })
const restoreFile = (target: TestDatabase, backupFile: string, replace = false) =>
  restoreBackup({ url: target.url, file: backupFile, migrations, replace })

/** Runs a restore into an empty database, and drops it afterwards. */
async function withEmptyDatabase<T>(work: (target: TestDatabase) => Promise<T>): Promise<T> {
  const target = await createTestDatabase()
  try {
    return await work(target)
  } finally {
    await target.drop()
  }
}

/** Secrets that users type, and those that the product gives them. */
const typedSecrets = ['typed-password-71', 'typed-header-72', 'typed-variable-73', 'correct horse']
const givenSecrets: string[] = []
async function storeSecrets(): Promise<void> {
  const token = await api.token('admin', ['access', 'admin'])
  const [password, header, variable] = typedSecrets as [string, string, string]
  const settings = buildScanBody('With secrets', {
    session: { connection: { authType: 'basic', username: 'ann', password } },
    advanced: { extraHeaders: [{ name: 'X-Token', value: header }] },
    scripts: { variables: [{ name: 'SECRET', value: variable }] },
  })
  const { id } = (await api.call('POST', '/scans', { token, body: settings })).body as { id: string }
  const share = (await api.call('POST', `/scans/${id}/public-token`, { token, body: {} })).body as { token: string }
  const hookBody = { url: 'https://hooks.example.org/', events: ['finished'] }
  const hook = (await api.call('POST', `/scans/${id}/webhooks`, { token, body: hookBody })).body as { secret: string }
  const keyBody = { name: 'CI', scopes: ['read'], expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
  const apiKey = (await api.call('POST', '/api-keys', { token, body: keyBody })).body as { key: string }
  givenSecrets.push(share.token, hook.secret, apiKey.key, token)
}

beforeAll(async () => {
  world = await makeWorld(api)
  const idp = await openIdpDatabase(api.config, api.config.DATABASE_URL!)
  await addUser({ db: idp }, { username: 'dana', password: 'correct horse', roles: ['access'] })
  await idp.destroy()
  // Characters that a careless format loses: line ends, tabs, backslashes, the word for null, letters beyond the first plane.
  await api.call('POST', `/issues/${world.issue}/comments`, {
    token: await api.token('admin', ['access', 'admin']),
    body: { text: 'tab\t line\nback\\slash \\N \\. "quoted" é 漢 😀' },
  })
  await storeSecrets()
  await backUp(file)
  originalRows = await readRows(api.config.DATABASE_URL!)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

it('restores every row of every table into an empty database, which then works as before', async () => {
  await withEmptyDatabase(async (target) => {
    const summary = await restoreFile(target, file)
    expect(await readRows(target.url)).toEqual(originalRows)
    // The world has rows in most tables; an empty table proves nothing.
    expect(Object.values(originalRows).filter((tableRows) => tableRows.length > 0).length).toBeGreaterThan(30)
    expect(summary.rows).toBe(Object.values(originalRows).flat().length)
    expect(await verifyBackup(file, migrations)).toEqual(summary)
    // New rows get numbers that no old one has.
    const db = await openMonitorDatabase(api.config, target.url)
    await db.destroy()
    const readNextNumber = (url: string) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ next: string }>(
          `select string_agg(nextval(format('%I.%I', schemaname, sequencename))::text, ',' order by sequencename) as next
           from pg_sequences where schemaname = 'monitor'`,
        )
        return rows[0]!.next
      })
    expect(await readNextNumber(target.url)).toBe(await readNextNumber(api.config.DATABASE_URL!))
  })
})

it('restores the objects of the folder, too', async () => {
  const [sourceStore, targetStore] = [createFolderStore(objects), createFolderStore(join(folder, 'restored'))]
  const objectNames: string[] = []
  for await (const portion of sourceStore.list()) objectNames.push(...portion)
  const summary = await withEmptyDatabase((target) =>
    restoreBackup({ url: target.url, file, migrations, replace: false, objects: targetStore }),
  )
  expect([summary.objects > 1, summary.objects]).toEqual([true, objectNames.length])
  for (const name of objectNames) expect(await targetStore.get(name)).toEqual(await sourceStore.get(name))
})

it('is a consistent snapshot of a database in use', async () => {
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
  const summary = await backUp(busy)
  stop.abort()
  await work
  expect(comments).toBeGreaterThan(0)
  await withEmptyDatabase(async (target) => {
    expect((await restoreFile(target, busy)).rows).toBe(summary.rows)
  })
})

it('rejects a truncated or damaged file', async () => {
  const bytes = readFileSync(file)
  const damaged: [string, (path: string) => void, RegExp][] = [
    ['cut', (path) => (writeFileSync(path, bytes), truncateSync(path, bytes.length - 400)), /damaged/],
    [
      'without its end',
      (path) => {
        const tarBytes = gunzipSync(bytes)
        // Two empty blocks end a tar file, after the last part with its header.
        writeFileSync(path, gzipSync(Buffer.concat([tarBytes.subarray(0, tarBytes.lastIndexOf('end.json')), Buffer.alloc(1024)])))
      },
      /ends before its end/,
    ],
    [
      'changed',
      (path) => {
        const tarBytes = gunzipSync(bytes)
        const position = tarBytes.indexOf('Look at this')
        tarBytes.write('Look at that', position)
        writeFileSync(path, gzipSync(tarBytes))
      },
      /issue_comment is not what was written/,
    ],
    // The checksum of all bytes, of which objects have no other.
    ['with other bytes', (path) => writeFileSync(path, bytes.with(bytes.length - 8, bytes.at(-8)! ^ 1)), /damaged/],
    ['without its checksum', (path) => (writeFileSync(path, bytes), truncateSync(path, bytes.length - 8)), /damaged/],
    ['something else', (path) => writeFileSync(path, randomBytes(5000)), /not a backup/],
    ['empty', (path) => writeFileSync(path, ''), /not a backup|damaged/],
  ]
  await withEmptyDatabase(async (target) => {
    for (const [damageName, damage, errorText] of damaged) {
      const path = join(folder, damageName)
      damage(path)
      await expect(restoreFile(target, path), damageName).rejects.toThrow(errorText)
      await expect(verifyBackup(path, migrations), damageName).rejects.toThrow(errorText)
      expect(await readRows(target.url), damageName).toEqual({})
    }
    await restoreFile(target, file)
    expect(await readRows(target.url)).toEqual(originalRows)
  })
})

it('keeps existing data unless replacing is allowed, and restores it on failure', async () => {
  await withEmptyDatabase(async (target) => {
    const db = await openMonitorDatabase(api.config, target.url)
    await db
      .insertInto('system_setting')
      .values({ name: 'mine', value: '1' } as never)
      .execute()
    await db.destroy()
    const previousRows = await readRows(target.url)
    await expect(restoreFile(target, file)).rejects.toThrow(/in use/)
    const cut = join(folder, 'cut again')
    writeFileSync(cut, readFileSync(file).subarray(0, -400))
    await expect(restoreFile(target, cut, true)).rejects.toThrow(/damaged/)
    expect(await readRows(target.url)).toEqual(previousRows)
    await restoreFile(target, file, true)
    expect(await readRows(target.url)).toEqual(originalRows)
  })
})

it('refuses while another Clearway is connected', async () => {
  await withEmptyDatabase(async (target) => {
    const db = await openMonitorDatabase(api.config, target.url)
    await expect(restoreFile(target, file, true)).rejects.toThrow(/Another Clearway/)
    await db.destroy()
  })
})

it('accepts a backup of an older version and migrates it, and refuses one of a newer version', async () => {
  const lasts = Object.keys(monitorMigrations)
  await withEmptyDatabase(async (older) => {
    // State that an earlier version would have left.
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
    await writeBackup({ url: older.url, file: path, program: { product: '0.1.0' }, key, passphrase: null })
    await withEmptyDatabase(async (target) => {
      await restoreFile(target, path)
      const db = await openMonitorDatabase(api.config, target.url)
      expect(await db.selectFrom('team').select('name').execute()).toEqual([{ name: 'Old friends' }])
      await db.destroy()
    })
  })
  const fewer = { ...migrations, monitor: Object.fromEntries(Object.entries(monitorMigrations).slice(0, -1)) }
  await withEmptyDatabase(async (target) => {
    const newer = restoreBackup({ url: target.url, file, migrations: fewer, replace: false })
    await expect(newer).rejects.toThrow(`it has the change ${lasts.at(-1)} of monitor`)
    await expect(verifyBackup(file, fewer)).rejects.toThrow(`it has the change ${lasts.at(-1)} of monitor`)
  })
})

it('contains the secret key only sealed, and only with a passphrase', async () => {
  expect(await readBackupHead(file)).toMatchObject({ product: '1.2.3', build: 'b 4' })
  expect((await readBackupHead(file)).secretKey).toEqual({ fingerprint: computeKeyFingerprint(key), sealed: null })
  const path = join(folder, 'sealed.backup')
  await backUp(path, 'correct horse battery')
  const { sealed } = (await readBackupHead(path)).secretKey
  expect(await openWithPassphrase(sealed!, 'correct horse battery')).toEqual(key)
  expect(await openWithPassphrase(sealed!, 'another horse battery')).toBeNull()
  const plain = gunzipSync(readFileSync(path))
  expect(plain.includes(key)).toBe(false)
  expect(plain.includes(key.toString('base64'))).toBe(false)
  expect(plain.includes(createHash('sha256').update(key).digest('hex'))).toBe(false)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('contains no secret that users typed or were given', () => {
  const plain = gunzipSync(readFileSync(file))
  expect(givenSecrets.filter((secret) => typeof secret !== 'string' || secret.length < 10)).toEqual([])
  const contained = [...typedSecrets, ...givenSecrets].filter(
    (secret) => plain.includes(secret) || plain.includes(Buffer.from(secret).toString('base64')),
  )
  expect(contained).toEqual([])
})

it('is a gzipped tar file that other programs list', () => {
  const entryNames = execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n')
  expect([entryNames[0], entryNames.at(-1)]).toEqual(['backup.json', 'end.json'])
  expect(entryNames).toContain('monitor/scan.000001')
})
