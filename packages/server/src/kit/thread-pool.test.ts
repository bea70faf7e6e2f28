import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { expect, it } from 'vitest'
import { parseImportRows } from '../monitor/access/import/model.ts'
import { inThread } from './thread-pool.ts'

const scripts = import.meta.resolve('@clearway/contract/monitor/script/model.ts')
const rows = new URL('../monitor/access/import/model.ts', import.meta.url).href

it('a long script, made to be slow, holds nobody up', async () => {
  // The thread loads its program once.
  await inThread(parseScript, scripts, '{}'.repeat(4096), 'TASK')
  const [here, all] = [process.threadCpuUsage(), process.cpuUsage()]
  const read = await inThread(parseScript, scripts, '{}'.repeat(50_000), 'TASK')
  const [mine, whole] = [process.threadCpuUsage(here), process.cpuUsage(all)]
  expect(read).toMatchObject({ ok: false })
  // What others wait for is this thread's own work, which hardly counts, however busy the machine is.
  expect(mine.user + mine.system).toBeLessThan(0.2 * (whole.user + whole.system))
}, 60_000)

it('reads the same apart as here', async () => {
  const long = `team,scan,scan group,role\n${'a,b,,scan admin\n'.repeat(2000)}`
  expect(await inThread(parseImportRows, rows, long, 10_000)).toEqual(parseImportRows(long, 10_000))
  const text = `{"a":"${'x'.repeat(10_000)}"`
  expect(await inThread(parseScript, scripts, text, 'TASK')).toEqual(parseScript(text, 'TASK'))
})

it('many at once are read one after another, all of them', async () => {
  const long = `team,scan,scan group,role\n${'a,b,,scan admin\n'.repeat(2000)}`
  const read = await Promise.all(Array.from({ length: 8 }, () => inThread(parseImportRows, rows, long, 10_000)))
  expect(read.every((one) => 'rows' in one && one.rows.length === 2000)).toBe(true)
})
