/**
 * Writes the database of an earlier commit, with rows of every noun, as that commit's own code creates them: the API walk
 * (packages/server/test/walk.test.ts) on a copy of its files. packages/server/test/upgrade.test.ts tests how the current
 * migrations upgrade it.
 *
 *   CLEARWAY_TEST_DATABASE_URL=postgres://… npm run old-database -- COMMIT NAME
 *
 * Needs `git`, `tar` and a `pg_dump` for that PostgreSQL; a dump of 15, the oldest supported version, can be read by all.
 * Commits before 0.2.0 cannot keep their database; theirs are in fixtures/database.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { withClient } from '../packages/server/test/database.ts'
import { oldFolder } from '../packages/server/test/old.ts'

const root = join(import.meta.dirname, '..')
/** Links the packages that npm installed, except workspaces, which come from the commit. */
function linkModules(copy: string): void {
  for (const folder of ['.', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name)), 'fixtures', 'e2e']) {
    const modulesFolder = join(root, folder, 'node_modules')
    if (!existsSync(modulesFolder) || !existsSync(join(copy, folder))) continue
    mkdirSync(join(copy, folder, 'node_modules'))
    for (const name of readdirSync(modulesFolder))
      if (name !== '@clearway') symlinkSync(join(modulesFolder, name), join(copy, folder, 'node_modules', name))
  }
  mkdirSync(join(copy, 'node_modules/@clearway'))
  for (const name of readdirSync(join(root, 'node_modules/@clearway'))) {
    const workspaceFolder = ['packages', '.'].map((folder) => join(copy, folder, name)).find((path) => existsSync(path))
    if (workspaceFolder) symlinkSync(workspaceFolder, join(copy, 'node_modules/@clearway', name))
  }
}

/** Creates the database with the tests of the copy. @returns it as SQL */
async function createDump(copy: string, cluster: string): Promise<Buffer> {
  const databaseName = `old_${randomBytes(6).toString('hex')}`
  const url = new URL(cluster)
  url.pathname = `/${databaseName}`
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  try {
    execFileSync(process.execPath, [vitest, 'run', '--project', 'node', 'packages/server/test/walk.test.ts'], {
      cwd: copy,
      stdio: 'inherit',
      env: { ...process.env, KEPT_TEST_DATABASE: databaseName },
    })
    return execFileSync('pg_dump', ['--no-owner', '--no-privileges', '--inserts', url.href], { maxBuffer: 1 << 30 })
  } finally {
    await withClient(cluster, (client) => client.query(`drop database if exists ${databaseName}`))
  }
}

async function main(commit: string, name: string): Promise<void> {
  const cluster = process.env.CLEARWAY_TEST_DATABASE_URL
  if (!cluster || !commit || !name) throw new Error('Usage: see the head of scripts/old-database.ts')
  const copy = mkdtempSync(join(tmpdir(), 'clearway-old-'))
  try {
    const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', copy], { input: files })
    linkModules(copy)
    const dump = await createDump(copy, cluster)
    const file = join(oldFolder, `${name}.sql.gz`)
    writeFileSync(file, gzipSync(dump, { level: 9 }))
    console.log(`${file}: ${dump.length} bytes of SQL, by ${commit}`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const [commit = '', name = ''] = process.argv.slice(2)
await main(commit, name)
