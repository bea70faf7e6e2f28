import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate, type Migrations, openDatabase } from '../src/kit/database.ts'
import { type TestDatabase, createTestDatabase } from './database.ts'
import { fingerprints } from './migration.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('migrations', () => {
  it('are frozen: one that has landed does for ever what it did', async () => {
    const file = new URL('../../../fixtures/database/frozen-migrations.json', import.meta.url)
    const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    // A new one is added there in the commit that brings it. One that is stored there is never changed: write another.
    expect(await fingerprints()).toEqual(frozen)
  })

  it('leave what was when one fails, and go on from there', async () => {
    const db = openDatabase<Record<string, { n: number }>>(database.url, {
      schema: 'monitor',
      connections: 2,
    })
    const first: Migrations = {
      '0001-first': {
        up: (own) => sql`create table kept as select 7 as n`.execute(own).then(() => undefined),
      },
    }
    const next = (last: string): Migrations => ({
      ...first,
      '0002-next': {
        async up(own) {
          await sql`alter table kept add column more text not null default 'x'`.execute(own)
          await sql`delete from kept`.execute(own)
        },
      },
      '0003-last': {
        up: (own) =>
          sql
            .raw(last)
            .execute(own)
            .then(() => undefined),
      },
    })
    try {
      await migrate(db, 'monitor', first)
      await expect(migrate(db, 'monitor', next('create table broken (n int, n int)'))).rejects.toMatchObject({
        code: '42701',
      })
      expect((await sql`select * from kept`.execute(db)).rows).toEqual([{ n: 7 }])
      const { rows } = await sql<{ name: string }>`select name from monitor.kysely_migration`.execute(db)
      expect(rows).toEqual([{ name: '0001-first' }])
      await migrate(db, 'monitor', next('insert into kept (n) values (8)'))
      expect((await sql`select * from kept`.execute(db)).rows).toEqual([{ n: 8, more: 'x' }])
    } finally {
      await db.destroy()
    }
  })
})
