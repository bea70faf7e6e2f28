import { readFileSync } from 'node:fs'
import { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi } from './api.ts'
import { messages, type Stage } from './message.ts'
import { makeWorld } from './world.ts'

let stage: Stage
beforeAll(async () => {
  let isReady = true
  const api = await openTestApi({ isReady: () => isReady })
  stage = {
    api,
    world: await makeWorld(api),
    admin: await api.token('admin', ['access', 'admin']),
    inMaintenance: async (work) => {
      isReady = false
      return work().finally(() => (isReady = true))
    },
    withoutTable: async (table, work) => {
      const renameTable = async (fromName: string, toName: string): Promise<void> =>
        void (await sql`alter table ${sql.ref(fromName)} rename to ${sql.ref(toName)}`.execute(api.db))
      await renameTable(table, 'away')
      try {
        return await work()
      } finally {
        await renameTable('away', table)
      }
    },
  }
})
afterAll(() => stage.api.close())

/**
 * Messages that a server can cause. Messages that only a browser can cause (sign-in, end of the session, chunks that do not
 * load) are tested with the screens.
 */
const requiredMessages = [
  'System status fetch failure: maintenance page',
  'not an admin of the scan or scan missing',
  'no run found',
  'scan data fetch error',
  'favorite setting errors',
  'delete scans error',
  'unknown delete error',
  'start/cancel scan failure',
  'update reports failure',
  'preset assign/remove errors',
  'apply shared script or session script errors',
  'export errors (CSV/JSON for scans, issues, pages)',
  '"Error while trying to assign issues: {errorMessage}"',
  'mark/unmark as issue errors',
  '"Error while trying to set {status} status"',
  '"Page deletion failed!"',
  '"Error creating new scan group"',
  '"Error when trying to delete scan group!"',
  '"Teams fetch error"',
  '"Team assignment error: {message}"',
  '"Upload failed in {filename}" listing team, scan, group and role errors',
  '"Error saving permissions settings: {errorMessage}"',
  'A preset submit error offers Try again',
  'Scan finish-saving error',
  '"The shared script {name} is currently applied to one or more scans',
  'Issue upload failures: not application/json',
  'invalid issues',
  'unsupported source',
  'file too large',
  'too many files',
  'server issue',
  'A warning appears when the maximum issue count per page is reached',
]

describe('the messages by their words', () => {
  it('has each message that the server can cause here', () => {
    expect([...new Set(messages.map(({ words }) => words))].sort()).toEqual([...requiredMessages].sort())
  })

  it.each(messages.map((message, n) => [message.words, n, message] as const))('%s (%i)', async (_words, _n, message) => {
    const { status, body } = await message.cause(stage)
    expect({ status, body }).toMatchObject(message.expectedReply)
  })

  // That table has the cause of each, and the test that makes it happen to a real page.
  const reasons = readFileSync(new URL('../../../docs/SCANNING.md', import.meta.url), 'utf8')
  it.each(FailureReason.options)('Page failure reasons: %s', (reason) => {
    expect(reasons).toMatch(new RegExp(`\\| .*\`${reason}\`.*\\.test\\.ts`))
  })
})
