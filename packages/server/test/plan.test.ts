import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useTestApi } from './api.ts'

const api = useTestApi()

it('every index that answers on the big database exists', async () => {
  const plans = readFileSync(new URL('../../../bench/api/plans.txt', import.meta.url), 'utf8')
  const used = new Set([...plans.matchAll(/using (\w+) on/g)].map(([, name]) => name!))
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where schemaname = 'monitor'`.execute(api.db)
  const there = new Set(rows.map(({ name }) => name))
  // The lists of issues live on this one.
  expect(used).toContain('finding_list')
  expect([...used].filter((name) => !there.has(name))).toEqual([])
})
