/** @module-tag slow */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { useTestApi } from '../../../test/api.ts'

const api = useTestApi()
const folder = mkdtempSync(join(tmpdir(), 'clearway-compact-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runCompact = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'compact.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: api.config.DATABASE_URL!, CLEARWAY_DATA: folder },
    encoding: 'utf8',
  })
/** Bytes of a table and of its indexes. */
const readSizes = async () => {
  const { rows } = await sql<{ table: number; indexes: number }>`select pg_table_size('monitor.person')::float8 as table,
    pg_indexes_size('monitor.person')::float8 as indexes`.execute(api.db)
  return rows[0]!
}

it('returns the space of removed rows: that of indexes during operation, that of tables with --full', async () => {
  await sql`insert into person (id, username, first_name, last_name) select gen_random_uuid()::text, 'user' || n, repeat('n', 200), 'N'
    from generate_series(1, 5000) n`.execute(api.db)
  const filled = await readSizes()
  await sql`delete from person where ctid in (select ctid from person order by random() limit 4900)`.execute(api.db)
  expect(runCompact()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^The database had [\d.]+ MB, and has [\d.]+ MB\.\n$/) as string,
  })
  const rebuilt = await readSizes()
  expect(rebuilt.indexes).toBeLessThan(filled.indexes / 4)
  expect(runCompact('--full').status).toBe(0)
  expect((await readSizes()).table).toBeLessThan(filled.table / 4)
  expect((await api.call('GET', '/scans')).status).toBe(200)
}, 60_000)

it('refuses what it does not know', () => {
  expect(runCompact('--all')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: clearway compact') as string })
}, 30_000)
