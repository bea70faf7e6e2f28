/** @module-tag slow */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'
import { buildUrl, makeWorld, type World } from './world.ts'

const api = useTestApi()
let world: World
let member: string
/** Counts the statements of a call, and not those of work that runs at the same time. */
const currentCall = new AsyncLocalStorage<{ statements: number }>()
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const query = pg.Client.prototype.query
beforeAll(async () => {
  world = await makeWorld(api)
  member = await api.token('scanMember')
  await api.call('GET', '/users/permissions', { token: member })
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    // A connection that last served another person or limit is told so: that depends on the pool, not on the call.
    if (typeof args[0] !== 'string' || !args[0].startsWith("select set_config('clearway.actor'")) {
      const call = currentCall.getStore()
      if (call) call.statements += 1
    }
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
})
afterAll(async () => {
  pg.Client.prototype.query = query
})

/** Reading calls, with the number of statements for each: identification, permissions, then the data. */
const expectedCounts: Readonly<Record<string, number>> = {
  compareRuns: 8,
  fetchScanScores: 1,
  listIgnores: 2,
  listIssueComments: 3,
  listIssues: 2,
  listPageFolders: 1,
  listPageTemplates: 1,
  listPages: 2,
  listRuns: 3,
  listScans: 2,
  listTags: 1,
  listViolations: 1,
  readIssue: 4,
  readPage: 5,
  readScan: 2,
  readScanSettings: 3,
  runCommonIssues: 3,
  runIssueOverview: 3,
  runOverview: 4,
  runPageOverview: 6,
  runPages: 4,
  runSelectors: 3,
  runStats: 3,
  runViolationGroups: 3,
  runViolationPages: 3,
  runViolations: 3,
  scanActivity: 2,
  scanRuleset: 3,
  scanTrend: 2,
  scansWithPresets: 1,
}
/** Calls without a row in the table. */
const otherwise = 4

const reading = (Object.entries(monitorApi) as [string, Endpoint][]).filter(
  ([, { method, reply, permission }]) => method === 'GET' && !('events' in reply) && permission !== 'open',
)
async function countStatements(endpoint: Endpoint): Promise<number> {
  const call = { statements: 0 }
  await currentCall.run(call, () => api.call('GET', buildUrl(endpoint.path, world), { token: member }))
  return call.statements
}

describe('statements of the database', () => {
  it('match the table for each call, regardless of the amount of data', async () => {
    const initialCounts = Object.fromEntries(await countAll())
    expect(initialCounts.runPageOverview).toBe(expectedCounts.runPageOverview)
    const buildFindings = (key: string) => Array.from({ length: 20 }, (_, n) => buildFinding(`${key}${n}`))
    const pages = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`more${n}`, buildCompleted(buildFindings(`k${n}`))]))
    await recordRun(api, world.scan, pages)
    expect(Object.fromEntries(await countAll())).toEqual(initialCounts)
    for (const [name, statementCount] of Object.entries(initialCounts))
      expect(statementCount, name).toBeLessThanOrEqual(expectedCounts[name] ?? otherwise)
  })
})

async function countAll(): Promise<[string, number][]> {
  const counts: [string, number][] = []
  for (const [name, endpoint] of reading) counts.push([name, await countStatements(endpoint)])
  return counts
}
