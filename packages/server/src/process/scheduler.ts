import type { Config } from '../config.ts'
import type { LogFunction } from '../kit/log.ts'
import { type ScheduledJob, startJobs } from '../kit/scheduled-job.ts'
import type { PubSub } from '../kit/pub-sub.ts'
import type { Seal } from '../kit/seal.ts'
import type { MonitorDb } from '../monitor/database.ts'
import { createAuditSealer } from '../monitor/audit/seal/service.ts'
import { deleteOldEntries } from '../monitor/audit/service.ts'
import { expireIgnores } from '../monitor/issue/register/service.ts'
import { openMailSender, openWebhookSender } from '../monitor/notification/jobs.ts'
import { deleteOldInboxEntries } from '../monitor/notification/inbox/store.ts'
import { exportDeliveryMetrics, queueMessages, sendDueMessages, type SendMessage } from '../monitor/notification/service.ts'
import { findErrorCode } from '../monitor/notification/model.ts'
import { deleteOldDeliveries } from '../monitor/notification/store.ts'
import { type OpenObjects, sweepObjects } from '../monitor/page/object/service.ts'
import { getRetention } from '../monitor/config/service.ts'
import { deleteOldBranchRuns } from '../monitor/run/branch/store.ts'
import { deleteUnwatchedTasks } from '../monitor/run/task/store.ts'
import { countUnlistedRuns } from '../monitor/issue/listed/service.ts'
import { removeOldData } from '../monitor/run/retention/service.ts'
import type { Accounts } from '../monitor/user/account/service.ts'
import { readCurrentRetention } from '../monitor/setting/service.ts'
import { deleteOldDrafts } from '../monitor/scan/draft/store.ts'
import { startDueRuns } from '../monitor/schedule/service.ts'
import { resealWebhooks } from '../monitor/notification/webhook/service.ts'
import { resealSecrets } from '../monitor/session/service.ts'
import { deleteOrphanedSecrets } from '../monitor/session/store.ts'

export type SchedulerDeps = {
  db: MonitorDb
  config: Config
  pubSub: PubSub
  seal: Seal
  publicUrl: string
  accounts: Accounts
  objects: OpenObjects
  log: LogFunction
}

const secondMs = 1000
const hourMs = 3_600_000

async function applyRetention(deps: SchedulerDeps): Promise<void> {
  const currentRetention = await readCurrentRetention(deps, getRetention(deps.config))
  await removeOldData(deps, { ...currentRetention, linkRuns: deps.config.CLEARWAY_KEEP_LINK_RUNS })
  await deleteOldBranchRuns(deps, currentRetention.deleteDays)
}

/** Logs messages that could not be sent. Their errors may contain addresses of people: only a code of the system is logged. */
const logFailures =
  (send: SendMessage, log: LogFunction): SendMessage =>
  async (delivery) => {
    const result = await send(delivery)
    if (!result.ok) {
      const { status, error } = result
      log('warn', 'delivery failed', { delivery: delivery.id, kind: delivery.kind, status, cause: findErrorCode(error) })
    }
    return result
  }

/** Starts the periodic jobs: due runs, messages, retention. Several processes may; each skips rows that another has locked. */
export async function startScheduler(deps: SchedulerDeps): Promise<{ stop: () => Promise<void> }> {
  exportDeliveryMetrics()
  const mailSender = openMailSender(deps.config)
  const sendByKind = {
    mail: logFailures(mailSender.send, deps.log),
    webhook: logFailures(openWebhookSender(deps, deps.config.CLEARWAY_ALLOW_PRIVATE), deps.log),
  }
  const sealAuditLog = createAuditSealer({ ...deps, folder: deps.config.CLEARWAY_DATA })
  const scheduledJobs: ScheduledJob[] = [
    { name: 'due runs', everyMs: 5 * secondMs, work: () => startDueRuns(deps) },
    {
      name: 'messages',
      everyMs: 10 * secondMs,
      work: async () => {
        await queueMessages(deps)
        await sendDueMessages(deps, sendByKind)
      },
    },
    { name: 'ignores that end', everyMs: 60 * secondMs, work: () => expireIgnores(deps) },
    { name: 'seal of the audit log', everyMs: 10 * secondMs, work: sealAuditLog },
    { name: 'old messages', everyMs: hourMs, work: () => deleteOldDeliveries(deps) },
    { name: 'old entries of inboxes', everyMs: hourMs, work: () => deleteOldInboxEntries(deps) },
    { name: 'old drafts of scans', everyMs: hourMs, work: () => deleteOldDrafts(deps) },
    {
      name: 'old entries of the audit log',
      everyMs: hourMs,
      work: () => deleteOldEntries(deps, deps.config.CLEARWAY_AUDIT_DAYS),
    },
    { name: 'old runs', everyMs: hourMs, work: () => applyRetention(deps) },
    { name: 'runs without counts for lists', everyMs: hourMs, work: () => countUnlistedRuns(deps) },
    { name: 'unreferenced pictures', everyMs: hourMs, work: () => sweepObjects(deps) },
    {
      name: 'secrets under an older key',
      everyMs: hourMs,
      work: async () => {
        await resealSecrets(deps)
        await resealWebhooks(deps)
      },
    },
    { name: 'unwatched previews', everyMs: 60 * secondMs, work: () => deleteUnwatchedTasks(deps) },
    { name: 'teams of the account service', everyMs: 10 * 60 * secondMs, work: () => deps.accounts.refresh() },
    { name: 'secrets of what is gone', everyMs: hourMs, work: () => deleteOrphanedSecrets(deps) },
  ]
  const { runNow: runJobNow, stop: stopJobs } = startJobs(scheduledJobs, deps.log)
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'ended' || event.kind === 'missed') runJobNow('messages')
    if (event.kind === 'queued') deps.log('info', 'run queued', { run: event.runId })
  })
  return Promise.resolve({
    stop: async () => {
      unsubscribe()
      await stopJobs()
      await sealAuditLog().catch((error: unknown) => deps.log('warn', `seal of the audit log: ${String(error)}`))
      mailSender.close()
    },
  })
}
