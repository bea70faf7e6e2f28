import type { ScanPlan } from '@clearway/engine/settings.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { createWorkerPreviews } from './service.ts'

const api = useTestApi()

it('says that no worker tested a URL', async () => {
  const pendingVerdict = createWorkerPreviews(api).test({} as ScanPlan, 'https://example.org/a', 'admin')
  // As if another process had given up the task.
  let deletions: Promise<unknown> = Promise.resolve()
  const deleteTimer = setInterval(() => {
    deletions = deletions.then(() => sql`delete from preview_task`.execute(api.db))
  }, 50)
  try {
    expect(await pendingVerdict).toMatchObject({
      verdict: 'failed',
      reason: 'browser-cluster',
      detail: 'This task no longer exists. Try again.',
    })
  } finally {
    clearInterval(deleteTimer)
    // The database is closed after the test.
    await deletions
  }
})
