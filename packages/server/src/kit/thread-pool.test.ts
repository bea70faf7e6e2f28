import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { expect, it } from 'vitest'
import { parseImportRows } from '../monitor/access/import/model.ts'
import { runInThread } from './thread-pool.ts'

const scriptModule = import.meta.resolve('@clearway/contract/monitor/script/model.ts')
const importModule = new URL('../monitor/access/import/model.ts', import.meta.url).href

it('keeps the main thread responsive during a slow script', async () => {
  // Warms up the thread, which loads its program once.
  await runInThread(parseScript, scriptModule, '{}'.repeat(4096), 'TASK')
  const [threadUsageBefore, processUsageBefore] = [process.threadCpuUsage(), process.cpuUsage()]
  const parsedScript = await runInThread(parseScript, scriptModule, '{}'.repeat(50_000), 'TASK')
  const [threadUsage, processUsage] = [process.threadCpuUsage(threadUsageBefore), process.cpuUsage(processUsageBefore)]
  expect(parsedScript).toMatchObject({ ok: false })
  // Only this thread's own work delays others. It hardly counts, regardless of the machine's load.
  expect(threadUsage.user + threadUsage.system).toBeLessThan(0.2 * (processUsage.user + processUsage.system))
}, 60_000)

it('returns the same in a thread as without one', async () => {
  const longCsv = `team,scan,scan group,role\n${'a,b,,scan admin\n'.repeat(2000)}`
  expect(await runInThread(parseImportRows, importModule, longCsv, 10_000)).toEqual(parseImportRows(longCsv, 10_000))
  const longScript = `{"a":"${'x'.repeat(10_000)}"`
  expect(await runInThread(parseScript, scriptModule, longScript, 'TASK')).toEqual(parseScript(longScript, 'TASK'))
})

it('processes many concurrent calls, one after another', async () => {
  const longCsv = `team,scan,scan group,role\n${'a,b,,scan admin\n'.repeat(2000)}`
  const results = await Promise.all(Array.from({ length: 8 }, () => runInThread(parseImportRows, importModule, longCsv, 10_000)))
  expect(results.every((result) => 'rows' in result && result.rows.length === 2000)).toBe(true)
})
