import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useTestApi } from './api.ts'

const api = useTestApi()

it('every index used on the big database exists', async () => {
  const plans = readFileSync(new URL('../../../bench/api/plans.txt', import.meta.url), 'utf8')
  const usedIndexes = new Set([...plans.matchAll(/using (\w+) on/g)].map(([, name]) => name!))
  const { rows: indexRows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where schemaname = 'monitor'`.execute(api.db)
  const existingIndexes = new Set(indexRows.map(({ name }) => name))
  // The lists of issues depend on this one.
  expect(usedIndexes).toContain('finding_open_list')
  expect([...usedIndexes].filter((name) => !existingIndexes.has(name))).toEqual([])
})
