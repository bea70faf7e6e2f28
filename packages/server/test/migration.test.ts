import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate, type Migrations, openDatabase } from '../src/kit/database.ts'
import { type TestDatabase, createTestDatabase } from './database.ts'
import { computeFingerprints } from './migration.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('migrations', () => {
  it('are frozen: a merged migration never changes', async () => {
    const file = new URL('../../../fixtures/database/frozen-migrations.json', import.meta.url)
    const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    // The commit of a new migration adds it there. A stored one is never changed: write another.
    expect(await computeFingerprints()).toEqual(frozen)
  })

  it('keep the previous state when one fails, and continue from there', async () => {
    const db = openDatabase<Record<string, { n: number }>>(database.url, { schema: 'monitor', connections: 2 })
    const firstMigrations: Migrations = {
      '0001-first': {
        up: (migrationDb) => sql`create table kept as select 7 as n`.execute(migrationDb).then(() => undefined),
      },
    }
    const buildNextMigrations = (lastStatement: string): Migrations => ({
      ...firstMigrations,
      '0002-next': {
        async up(migrationDb) {
          await sql`alter table kept add column more text not null default 'x'`.execute(migrationDb)
          await sql`delete from kept`.execute(migrationDb)
        },
      },
      '0003-last': {
        up: (migrationDb) =>
          sql
            .raw(lastStatement)
            .execute(migrationDb)
            .then(() => undefined),
      },
    })
    try {
      await migrate(db, 'monitor', firstMigrations)
      await expect(migrate(db, 'monitor', buildNextMigrations('create table broken (n int, n int)'))).rejects.toMatchObject({
        code: '42701',
      })
      expect((await sql`select * from kept`.execute(db)).rows).toEqual([{ n: 7 }])
      const { rows } = await sql<{ name: string }>`select name from monitor.kysely_migration`.execute(db)
      expect(rows).toEqual([{ name: '0001-first' }])
      await migrate(db, 'monitor', buildNextMigrations('insert into kept (n) values (8)'))
      expect((await sql`select * from kept`.execute(db)).rows).toEqual([{ n: 8, more: 'x' }])
    } finally {
      await db.destroy()
    }
  })
})
