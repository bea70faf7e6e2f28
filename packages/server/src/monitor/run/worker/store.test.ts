import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { getProcessIdentity } from '../../../kit/running-process.ts'
import { readFigures } from '../../health/store.ts'
import { recordHeartbeat, registerWorker } from './store.ts'

const api = useTestApi()
afterEach(() => api.db.deleteFrom('worker').execute())

const facts = { browser: '1', browser_source: null, problem: null }
const listWorkerIds = async () => (await api.db.selectFrom('worker').select('id').orderBy('id').execute()).map((w) => w.id)

it('keeps a worker of another container with the same process id', async () => {
  const here = getProcessIdentity()
  const there = { ...here, machine: `${here.machine.split(' ')[0]} pid:[1]` }
  const first = await registerWorker(api, there)
  const second = await registerWorker(api, here)
  expect(second.dead).toEqual([])
  expect(await listWorkerIds()).toEqual([first.id, second.id])
})

it('releases at once the leases of a previous process with its id, and of ended processes', async () => {
  const here = getProcessIdentity()
  const earlier = await registerWorker(api, { ...here, began: '1' })
  expect((await registerWorker(api, { ...here, pid: 4_194_303 })).dead).toEqual([earlier.id])
  const { id, dead } = await registerWorker(api, here)
  expect(dead).toHaveLength(1)
  expect(await listWorkerIds()).toEqual([id])
})

it('is registered again after its removal for silence', async () => {
  const here = getProcessIdentity()
  const { id } = await registerWorker(api, here)
  await sql`update worker set beat_at = now() - interval '31 minutes'`.execute(api.db)
  const other = await registerWorker(api, here)
  expect(await listWorkerIds()).toEqual([other.id])
  await recordHeartbeat(api, { ...here, id, ...facts })
  expect(await listWorkerIds()).toEqual([id, other.id].sort())
})

it('counts a killed worker as silent for half an hour', async () => {
  const here = getProcessIdentity()
  const { id: silentId } = await registerWorker(api, { ...here, machine: 'another machine' })
  const { id } = await registerWorker(api, here)
  const countSilentWorkers = async (minutes: number) => {
    await sql`update worker set beat_at = now() - make_interval(mins => ${minutes}) where id = ${silentId}`.execute(api.db)
    // The heartbeats of others forget it.
    await recordHeartbeat(api, { ...here, id, ...facts })
    return (await readFigures(api)).silentWorkers
  }
  expect([await countSilentWorkers(1), await countSilentWorkers(2), await countSilentWorkers(29)]).toEqual([0, 1, 1])
  expect(await countSilentWorkers(31)).toBe(0)
  expect(await listWorkerIds()).toEqual([id])
})

it('sends heartbeats by the clock of the database', async () => {
  const here = getProcessIdentity()
  const { id } = await registerWorker(api, here)
  const clock = Date.now
  // Simulates a machine whose clock is an hour behind.
  Date.now = () => clock() - 3_600_000
  try {
    await recordHeartbeat(api, { ...here, id, ...facts })
  } finally {
    Date.now = clock
  }
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from now() - beat_at)::float8 as age from worker where id = ${id}`.execute(api.db)
  expect(rows[0]!.age).toBeLessThan(60)
})
