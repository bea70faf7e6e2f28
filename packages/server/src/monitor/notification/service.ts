import { Counter } from 'prom-client'
import type { Config } from '../../config.ts'
import type { MonitorDb } from '../database.ts'
import { eventsOf, waitAfter, eventFor } from './model.ts'
import {
  claimDeliveries,
  deleteDelivery,
  type Delivery,
  dropOldDeliveries,
  type Ended,
  languagesOf,
  mailReaders,
  type NewDelivery,
  recordDelivery,
  takeEnded,
} from './store.ts'
import { webhooksOf } from './webhook/store.ts'
import { insertRunEntries } from './inbox/store.ts'
import { isStillMeant } from './mention/service.ts'
import type { RunPayload } from './model.ts'
import { registry } from '../../kit/metrics/registry.ts'
import { eachOnce } from '../../kit/scheduled-job.ts'

export type NotificationDeps = { db: MonitorDb; config: Config; publicUrl: string }

/** What came of sending one message. `final`: no other try will do better. */
export type Sent =
  { ok: true; status: number | null } | { ok: false; status: number | null; error: string; final: boolean }
export type Send = (delivery: Delivery) => Promise<Sent>

type Event = NonNullable<ReturnType<typeof eventFor>>

function payloadOf(deps: NotificationDeps, { run, scanName, change }: Ended, event: Event): RunPayload {
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
      pages: { completed: run.completed, failed: run.failed },
      openIssues: {
        critical: run.critical,
        serious: run.serious,
        moderate: run.moderate,
        minor: run.minor,
        needsReview: run.needs_review,
      },
      change: change && { new: change.new, fixed: change.fixed, back: change.back },
      problem: run.problem_detail,
    },
    url: `${deps.publicUrl}/monitor/scans/${run.scan_id}/${run.number}`,
  }
}

/** Every message about one ended run: a mail for each reader, in their language, and one for each webhook. */
async function messagesOf(deps: NotificationDeps, trx: MonitorDb, ended: Ended): Promise<NewDelivery[]> {
  const { run, settings } = ended
  if (run.status !== 'cancelled') await insertRunEntries(trx, { scanId: run.scan_id, number: run.number })
  const openIssues = run.critical + run.serious + run.moderate + run.minor
  const events = eventsOf({ status: run.status, change: ended.change, openIssues })
  const messages: NewDelivery[] = []
  const add = (kind: NewDelivery['kind'], receiver: string, webhookId: string | null, payload: RunPayload) =>
    messages.push({ kind, scanId: run.scan_id, webhookId, runNumber: run.number, receiver, payload })
  const options = settings.notification
  const mailed = options && eventFor(events, options.events)
  if (mailed && deps.config.CLEARWAY_SMTP_URL !== null) {
    const readers = new Map<string, string | null>()
    for (const { email, language } of await mailReaders(trx, run.scan_id, options.allTeamMembers))
      readers.set(email.toLowerCase(), language)
    const known = await languagesOf(trx, options.specificUsers)
    for (const email of options.specificUsers)
      if (!readers.has(email.toLowerCase()))
        readers.set(email.toLowerCase(), known.get(email.toLowerCase()) ?? null)
    const payload = payloadOf(deps, ended, mailed)
    for (const [email, language] of readers)
      add('mail', email, null, { ...payload, language: language ?? deps.config.CLEARWAY_MAIL_LANGUAGE })
  }
  for (const hook of await webhooksOf(trx, run.scan_id)) {
    const event = hook.active ? eventFor(events, hook.events) : null
    if (event) add('webhook', hook.url, hook.id, payloadOf(deps, ended, event))
  }
  return messages
}

/** Writes the messages of the runs that have ended since it was called last, by whichever process. */
export async function writeMessages(deps: NotificationDeps): Promise<void> {
  await eachOnce(() => takeEnded(deps, (trx, ended) => messagesOf(deps, trx, ended)))
}

const tries = new Counter({
  name: 'clearway_deliveries_total',
  help: 'Tries to deliver a message: delivered, tried again later, or given up.',
  labelNames: ['kind', 'result'],
  registers: [registry],
})

for (const kind of ['mail', 'webhook'] as const)
  for (const result of ['delivered', 'retried', 'given-up'] as const) tries.inc({ kind, result }, 0)

const atOnce = 10

/** Sends what is due. A message that fails is tried again later, for about a day. */
export async function sendDue(deps: NotificationDeps, send: Record<'mail' | 'webhook', Send>): Promise<void> {
  for (;;) {
    const due = await claimDeliveries(deps, atOnce)
    await Promise.all(
      due.map(async (delivery) => {
        if (!(await isStillMeant(deps, delivery))) return deleteDelivery(deps, delivery.id)
        const sent = await send[delivery.kind](delivery)
        const againMs = sent.ok || sent.final ? null : waitAfter(delivery.attempts)
        const error = sent.ok ? null : sent.error
        await recordDelivery(deps, delivery.id, { status: sent.status, error, againMs })
        const result = sent.ok ? 'delivered' : againMs ? 'retried' : 'given-up'
        tries.inc({ kind: delivery.kind, result })
        return undefined
      }),
    )
    if (due.length < atOnce) return
  }
}

export const forgetOldMessages = (deps: NotificationDeps): Promise<void> => dropOldDeliveries(deps)
