/**
 * Writes the database of an earlier commit, with rows of every noun, as that commit's own code makes them: the walk
 * through its API, on a copy of its files. What the migrations of now make of it is tested in packages/server/test/upgrade.test.ts.
 *
 *   CLEARWAY_TEST_DATABASE_URL=postgres://… npm run old-database -- COMMIT NAME
 *
 * Needs `git`, `tar` and a `pg_dump` that knows that PostgreSQL; 15, the oldest that is supported, can be read by all.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { withClient } from '../packages/server/test/database.ts'
import { oldFolder, oldSecretKey } from '../packages/server/test/old.ts'

const root = join(import.meta.dirname, '..')
/** Links what npm installed, but the workspaces: those are the commit's own. */
function linkModules(copy: string): void {
  for (const folder of [
    '.',
    ...readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
    'fixtures',
    'e2e',
  ]) {
    const from = join(root, folder, 'node_modules')
    if (!existsSync(from) || !existsSync(join(copy, folder))) continue
    mkdirSync(join(copy, folder, 'node_modules'))
    for (const name of readdirSync(from))
      if (name !== '@clearway') symlinkSync(join(from, name), join(copy, folder, 'node_modules', name))
  }
  mkdirSync(join(copy, 'node_modules/@clearway'))
  for (const name of readdirSync(join(root, 'node_modules/@clearway'))) {
    const own = ['packages', '.'].map((folder) => join(copy, folder, name)).find((path) => existsSync(path))
    if (own) symlinkSync(own, join(copy, 'node_modules/@clearway', name))
  }
}

/** What the walk does not leave behind, by the same API or, where only a worker writes it, as a row. What a commit lacks is left out. */
const more = String.raw`
describe('line by line, and more', () => {
  it('leaves what the walk does not', async () => {
    const { sql } = await import('kysely')
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await api.call(method as 'GET', path, { token: admin, body })
      if (reply.status >= 300) console.error(method, path, reply.status, JSON.stringify(reply.body).slice(0, 400))
      return reply.body as { id: string }
    }
    const row = (text: string) => sql.raw(text).execute(api.db).catch((error) => console.error(text, String(error)))
    const connection = { authType: 'basic', username: 'ann', password: 'hush-hush' }
    const text = "projects:\n  - name: P\n    id: p\n    pageList:\n      - name: Start\n        url: https://example.org/\n        actions:\n          - 'type \"<PASSWORD>\" into element \"input\"'\n"
    const daily = { frequency: 'weekly', startDate: '2099-01-05', startTime: '08:00', timeZone: 'Europe/Berlin', weekdays: ['monday'] }
    const scan = await call('POST', '/scans', {
      name: 'Signs in', urls: ['https://example.org/'], session: { connection }, schedule: daily,
      scripts: { own: [{ name: 'Sign in', type: 'SESSION', text }], variables: [{ name: 'PASSWORD', value: 'open-sesame' }] },
      advanced: { extraHeaders: [{ name: 'X-Token', value: 'header-secret' }] },
    })
    await call('POST', '/scans', { name: 'Signs in plainly', urls: ['https://example.org/'], session: { connection } })
    await call('POST', '/scans', { name: 'Weekly', urls: ['https://example.org/'], schedule: daily })
    await call('POST', '/api-keys', { name: 'CI', scopes: ['read'], expiresAt: new Date(Date.now() + 86400000 * 300).toISOString() })
    await call('POST', '/scans/' + world.scan + '/public-token', {})
    await call('POST', '/scans/' + world.scan + '/webhooks', { url: 'https://hooks.example.org/clearway', events: ['finished'] })
    await row("insert into recheck (page_id, state, requested_by, ended_at) values ('" + world.page + "', 'done', 'scanAdmin', now())")
    await call('POST', '/scans/' + world.otherScan + '/startRun')
    const run = "select id from run where scan_id = '" + world.otherScan + "' order by number desc limit 1"
    await row("insert into worker (id, host, pid, browser) values (gen_random_uuid(), 'an-old-host', 7, '140')")
    await row("insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, place, depth, url, key) values ((" + run + "), decode('aa', 'hex'), 0, 0, 0, 0, 1, 0, 'https://example.org/a', 'https://example.org/a')")
    await row("insert into host_pace (run_id, host) values ((" + run + "), 'example.org')")
    await row("insert into page_link (run_id, url, targets) values ((" + run + "), 'https://example.org/', '{1,2}')")
    await row("insert into subscriber (scan_id, person_id) values ('" + world.scan + "', 'scanAdmin')")
    await row("insert into scan_group_admin (group_id, person_id) select id, 'scanAdmin' from scan_group limit 1")
    await row("insert into delivery (id, kind, scan_id, webhook_id, run_number, event, receiver, payload, state, attempts, last_status) select gen_random_uuid(), 'webhook', scan_id, id, 2, 'finished', url, '{\"event\":\"finished\"}', 'delivered', 1, 200 from webhook limit 1")
  })
})
`

/** The commit's tests with their walk, changed so that what it makes stays. */
function keepRows(copy: string): string {
  const server = join(copy, 'packages/server')
  const files = (readdirSync(server, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !file.includes('node_modules'),
  )
  const edits: [RegExp, string][] = [
    [/drop: \(\) =>\s*execute\([^\n]*drop database[^\n]*\)/, 'drop: () => Promise.resolve()'],
    [/^ *\.\.\.lastSteps,$/m, ''],
    [/openSeal\(\{ setting: (null|config\.CLEARWAY_SECRET_KEY)/, `openSeal({ setting: '${oldSecretKey}'`],
  ]
  for (const file of files) {
    const path = join(server, file)
    const text = readFileSync(path, 'utf8')
    const edited = edits.reduce((now, [pattern, instead]) => now.replace(pattern, instead), text)
    if (edited !== text) writeFileSync(path, edited)
  }
  const walk = files.find((file) => /(^|\/)walk\.test\.ts$/.test(file))
  if (!walk) throw new Error('That commit has no walk through its API')
  const path = join(server, walk)
  writeFileSync(path, readFileSync(path, 'utf8') + more)
  return join('packages/server', walk)
}

const databases = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const query = `select datname as name from pg_database where datname like 'test\\_%'`
    return (await client.query<{ name: string }>(query)).rows.map(({ name }) => name)
  })

async function main(commit: string, name: string): Promise<void> {
  const cluster = process.env.CLEARWAY_TEST_DATABASE_URL
  if (!cluster || !commit || !name) throw new Error('Usage: see the head of scripts/old-database.ts')
  const copy = mkdtempSync(join(tmpdir(), 'clearway-old-'))
  try {
    const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', copy], { input: files })
    linkModules(copy)
    const before = new Set(await databases(cluster))
    const walk = keepRows(copy)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    // A step that this machine or time fails leaves the rows of the others.
    try {
      execFileSync(process.execPath, [vitest, 'run', '--project', 'node', '-t', 'line by line', walk], {
        cwd: copy,
        stdio: 'inherit',
      })
    } catch {
      console.error('Some steps of the walk failed; see above.')
    }
    const made = (await databases(cluster)).filter((one) => !before.has(one))
    if (made.length !== 1) throw new Error(`Expected one database, found ${made.length}`)
    const url = new URL(cluster)
    url.pathname = `/${made[0]}`
    const dump = execFileSync('pg_dump', ['--no-owner', '--no-privileges', '--inserts', url.href], {
      maxBuffer: 1 << 30,
    })
    const file = join(oldFolder, `${name}.sql.gz`)
    writeFileSync(file, gzipSync(dump, { level: 9 }))
    console.log(`${file}: ${dump.length} bytes of SQL, by ${commit}`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const [commit = '', name = ''] = process.argv.slice(2)
await main(commit, name)
