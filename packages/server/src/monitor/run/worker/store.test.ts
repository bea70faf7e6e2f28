import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { thisProcess } from '../../../kit/running-process.ts'
import { beat, signOn } from './store.ts'

const api = apiOfFile()
afterEach(() => api.db.deleteFrom('worker').execute())

const facts = { browser: '1', browser_source: null, problem: null }
const ids = async () =>
  (await api.db.selectFrom('worker').select('id').orderBy('id').execute()).map((w) => w.id)

it('strikes out no worker of another container, whose process has its number', async () => {
  const here = thisProcess()
  const there = { ...here, machine: `${here.machine.split(' ')[0]} pid:[1]` }
  const first = await signOn(api, there)
  const second = await signOn(api, here)
  expect(second.dead).toEqual([])
  expect(await ids()).toEqual([first.id, second.id])
})

it('takes back at once what a process of its number held before it, and what one held that is gone', async () => {
  const here = thisProcess()
  const earlier = await signOn(api, { ...here, began: '1' })
  expect((await signOn(api, { ...here, pid: 4_194_303 })).dead).toEqual([earlier.id])
  const { id, dead } = await signOn(api, here)
  expect(dead).toHaveLength(1)
  expect(await ids()).toEqual([id])
})

it('is among the workers again after it was struck out for its silence', async () => {
  const here = thisProcess()
  const { id } = await signOn(api, here)
  await sql`update worker set beat_at = now() - interval '11 minutes'`.execute(api.db)
  const other = await signOn(api, here)
  expect(await ids()).toEqual([other.id])
  await beat(api, { ...here, id, ...facts })
  expect(await ids()).toEqual([id, other.id].sort())
})

it('gives its signs of life by the clock of the database', async () => {
  const here = thisProcess()
  const { id } = await signOn(api, here)
  const clock = Date.now
  // A machine whose clock is an hour behind.
  Date.now = () => clock() - 3_600_000
  try {
    await beat(api, { ...here, id, ...facts })
  } finally {
    Date.now = clock
  }
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from now() - beat_at)::float8 as age from worker where id = ${id}`.execute(api.db)
  expect(rows[0]!.age).toBeLessThan(60)
})
