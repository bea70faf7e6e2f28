import type { Config } from '../config.ts'
import { type ScheduledJob, startJobs } from '../kit/scheduled-job.ts'
import type { PubSub } from '../kit/pub-sub.ts'
import type { Seal } from '../kit/seal.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { deleteOldEntries } from '../monitor/audit/service.ts'
import { openMail, openWebhooks } from '../monitor/notification/jobs.ts'
import { forgetOldInbox } from '../monitor/notification/inbox/service.ts'
import { forgetOldMessages, sendDue, writeMessages } from '../monitor/notification/service.ts'
import { type OpenObjects, sweepObjects } from '../monitor/page/object/service.ts'
import { getRetention } from '../monitor/config/service.ts'
import { deleteUnwatchedTasks } from '../monitor/run/task/service.ts'
import { removeOldData } from '../monitor/run/retention/service.ts'
import type { Accounts } from '../monitor/user/account/service.ts'
import { retentionNow } from '../monitor/setting/service.ts'
import { deleteOldDrafts } from '../monitor/scan/draft/service.ts'
import { startDueRuns } from '../monitor/schedule/service.ts'
import { renewWebhooks } from '../monitor/notification/webhook/service.ts'
import { forgetOrphans, renewSecrets } from '../monitor/session/service.ts'

export type SchedulerDeps = {
  db: MonitorDb
  config: Config
  pubSub: PubSub
  seal: Seal
  publicUrl: string
  accounts: Accounts
  objects: OpenObjects
  log: (level: 'info' | 'warn' | 'error', message: string) => void
}

const second = 1000
const hour = 3_600_000

/** Clears away as it is set at this moment. */
async function clearAway(deps: SchedulerDeps): Promise<void> {
  const retention = await retentionNow(deps, getRetention(deps.config))
  await removeOldData(deps, { ...retention, linkRuns: deps.config.CLEARWAY_KEEP_LINK_RUNS })
}

/**
 * What is done without anybody asking: due runs, messages, clearing away. Any number of processes may do so at once; rows
 * that one has in hand are passed over by the others.
 */
export async function startScheduler(deps: SchedulerDeps): Promise<{ stop: () => Promise<void> }> {
  const mail = openMail(deps.config)
  const send = { mail: mail.send, webhook: openWebhooks(deps, deps.config.CLEARWAY_ALLOW_PRIVATE) }
  const jobs: ScheduledJob[] = [
    { name: 'due runs', everyMs: 5 * second, work: () => startDueRuns(deps) },
    {
      name: 'messages',
      everyMs: 10 * second,
      work: async () => {
        await writeMessages(deps)
        await sendDue(deps, send)
      },
    },
    { name: 'old messages', everyMs: hour, work: () => forgetOldMessages(deps) },
    { name: 'old entries of inboxes', everyMs: hour, work: () => forgetOldInbox(deps) },
    { name: 'old drafts of scans', everyMs: hour, work: () => deleteOldDrafts(deps) },
    {
      name: 'old entries of the audit log',
      everyMs: hour,
      work: () => deleteOldEntries(deps, deps.config.CLEARWAY_AUDIT_DAYS),
    },
    { name: 'old runs', everyMs: hour, work: () => clearAway(deps) },
    { name: 'pictures that nobody shows', everyMs: hour, work: () => sweepObjects(deps) },
    {
      name: 'secrets under an older key',
      everyMs: hour,
      work: async () => {
        await renewSecrets(deps)
        await renewWebhooks(deps)
      },
    },
    { name: 'previews that nobody watches', everyMs: 60 * second, work: () => deleteUnwatchedTasks(deps) },
    { name: 'teams of the account service', everyMs: 10 * 60 * second, work: () => deps.accounts.refresh() },
    { name: 'secrets of what is gone', everyMs: hour, work: () => forgetOrphans(deps) },
  ]
  const { hurry, stop } = startJobs(jobs, deps.log)
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'ended' || event.kind === 'missed') hurry('messages')
  })
  return Promise.resolve({
    stop: async () => {
      unsubscribe()
      await stop()
      mail.close()
    },
  })
}
