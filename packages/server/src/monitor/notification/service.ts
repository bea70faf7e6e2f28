import { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'
import { Counter } from 'prom-client'
import * as z from 'zod/mini'
import type { Config } from '../../config.ts'
import type { MonitorDb } from '../database.ts'
import { type RunPayload, getRunEvents, getRetryDelay, selectEvent } from './model.ts'
import {
  claimDeliveries,
  deleteDelivery,
  type Delivery,
  type EndedRun,
  findLanguages,
  findMailReaders,
  type NewDelivery,
  recordDelivery,
  processEndedRun,
} from './store.ts'
import { listWebhooks } from './webhook/store.ts'
import { insertRunEntries } from './inbox/store.ts'
import { shouldStillSend } from './mention/service.ts'
import { exportMetrics } from '../../kit/metrics/registry.ts'
import { processAll } from '../../kit/scheduled-job.ts'

export type NotificationDeps = { db: MonitorDb; config: Config; publicUrl: string }

/** Result of sending one message. `final`: a retry would fail as well. */
export type SendResult = { ok: true; status: number | null } | { ok: false; status: number | null; error: string; final: boolean }
export type SendMessage = (delivery: Delivery) => Promise<SendResult>

/** The parts of a change that messages have: all counts of issues. */
const toChangeCounts = (change: NonNullable<EndedRun['change']>): ChangeCounts => z.parse(ChangeCounts, change)

type SelectedEvent = NonNullable<ReturnType<typeof selectEvent>>

function buildRunPayload(deps: NotificationDeps, { run, scanName, change }: EndedRun, event: SelectedEvent): RunPayload {
  return {
    event,
    scanId: run.scan_id,
    scanName,
    run: {
      number: run.number,
      status: run.status,
      startedAt: run.started_at?.toISOString() ?? null,
      endedAt: run.ended_at?.toISOString() ?? null,
      score: run.score,
      pages: { completed: run.completed, failed: run.failed, walled: run.walled, overLimit: run.over_limit },
      openIssues: {
        critical: run.critical,
        serious: run.serious,
        moderate: run.moderate,
        minor: run.minor,
        needsReview: run.needs_review,
      },
      change: change && toChangeCounts(change),
      problem: run.problem_detail,
    },
    url: `${deps.publicUrl}/monitor/scans/${run.scan_id}/${run.number}`,
  }
}

/** All messages about one ended run: a mail for each reader in their language, and one for each webhook. */
async function composeMessages(deps: NotificationDeps, trx: MonitorDb, ended: EndedRun): Promise<NewDelivery[]> {
  const { run, settings: runSettings } = ended
  if (run.status !== 'cancelled') await insertRunEntries(trx, { scanId: run.scan_id, number: run.number })
  const openIssues = run.critical + run.serious + run.moderate + run.minor
  const runEvents = getRunEvents({ status: run.status, change: ended.change, openIssues })
  const newMessages: NewDelivery[] = []
  const addMessage = (kind: NewDelivery['kind'], receiver: string, webhookId: string | null, payload: RunPayload) =>
    newMessages.push({ kind, scanId: run.scan_id, webhookId, runNumber: run.number, receiver, payload })
  const notificationSettings = runSettings.notification
  const mailEvent = notificationSettings && selectEvent(runEvents, notificationSettings.events)
  if (mailEvent && deps.config.CLEARWAY_SMTP_URL !== null) {
    const languageByEmail = new Map<string, string | null>()
    for (const { email, language } of await findMailReaders(trx, run.scan_id, notificationSettings.allTeamMembers))
      languageByEmail.set(email.toLowerCase(), language)
    const knownLanguages = await findLanguages(trx, notificationSettings.specificUsers)
    for (const email of notificationSettings.specificUsers)
      if (!languageByEmail.has(email.toLowerCase()))
        languageByEmail.set(email.toLowerCase(), knownLanguages.get(email.toLowerCase()) ?? null)
    const mailPayload = buildRunPayload(deps, ended, mailEvent)
    for (const [email, language] of languageByEmail)
      addMessage('mail', email, null, { ...mailPayload, language: language ?? deps.config.CLEARWAY_MAIL_LANGUAGE })
  }
  for (const webhook of await listWebhooks(trx, run.scan_id)) {
    const webhookEvent = webhook.active ? selectEvent(runEvents, webhook.events) : null
    if (webhookEvent) addMessage('webhook', webhook.id, webhook.id, buildRunPayload(deps, ended, webhookEvent))
  }
  return newMessages
}

/** Queues messages about runs that ended since the previous call, in any process. */
export async function queueMessages(deps: NotificationDeps): Promise<void> {
  await processAll(() => processEndedRun(deps, (trx, ended) => composeMessages(deps, trx, ended)))
}

const deliveryCounter = new Counter({
  name: 'clearway_deliveries_total',
  help: 'Delivery attempts by result: delivered, retried later, or given up.',
  labelNames: ['kind', 'result'],
  registers: [],
})

/** Exports the number of deliveries, from 0. For processes that send. */
export function exportDeliveryMetrics(): void {
  exportMetrics([deliveryCounter])
  for (const kind of ['mail', 'webhook'] as const)
    for (const result of ['delivered', 'retried', 'given-up'] as const) deliveryCounter.inc({ kind, result }, 0)
}

const maxConcurrentSends = 10

/** Sends due messages. A failed message is retried for about a day. */
export async function sendDueMessages(deps: NotificationDeps, send: Record<'mail' | 'webhook', SendMessage>): Promise<void> {
  for (;;) {
    const dueDeliveries = await claimDeliveries(deps, maxConcurrentSends)
    await Promise.all(
      dueDeliveries.map(async (delivery) => {
        if (!(await shouldStillSend(deps, delivery))) return deleteDelivery(deps, delivery.id)
        const sendResult = await send[delivery.kind](delivery)
        const retryDelayMs = sendResult.ok || sendResult.final ? null : getRetryDelay(delivery.attempts)
        const errorMessage = sendResult.ok ? null : sendResult.error
        await recordDelivery(deps, delivery.id, { status: sendResult.status, error: errorMessage, retryDelayMs })
        const resultLabel = sendResult.ok ? 'delivered' : retryDelayMs ? 'retried' : 'given-up'
        deliveryCounter.inc({ kind: delivery.kind, result: resultLabel })
        return undefined
      }),
    )
    if (dueDeliveries.length < maxConcurrentSends) return
  }
}
