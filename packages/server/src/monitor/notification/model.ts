import { createHmac } from 'node:crypto'
import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import type * as z from 'zod/mini'

type Event = z.output<typeof NotificationEvent>

/** What a message says: enough to write it in any language, and to sign it. */
export type Payload = {
  event: Event | 'test'
  scanId: string
  scanName: string
  run: {
    number: number
    status: string
    startedAt: string | null
    endedAt: string | null
    score: number | null
    pages: { completed: number; failed: number }
    openIssues: { critical: number; serious: number; moderate: number; minor: number; needsReview: number }
    change: { new: number; fixed: number; back: number } | null
    problem: string | null
  } | null
  url: string
  /** Of a mail. */
  language?: string
}

/** Which events the end of a run is. */
export function eventsOf(run: {
  status: string
  change: { new: number; back: number } | null
  openIssues: number
}): Set<Event> {
  const events = new Set<Event>(['finished'])
  if (run.status === 'failed') events.add('failed')
  // Of a first run everything is new.
  const fresh = run.change ? run.change.new + run.change.back : run.openIssues
  if (run.status === 'completed' && fresh > 0) events.add('new-issues')
  return events
}

/** The event of which a receiver is notified, the most telling first; null for none. */
export function eventFor(events: ReadonlySet<Event>, wanted: readonly Event[]): Event | null {
  return (
    (['failed', 'new-issues', 'finished'] as const).find((e) => events.has(e) && wanted.includes(e)) ?? null
  )
}

const minute = 60_000
/** Waits between tries. After the last one the message is given up. */
const backOffMs = [minute, 5 * minute, 30 * minute, 2 * 60 * minute, 6 * 60 * minute, 12 * 60 * minute]

/** When to try again after so many tries; null when it is enough. */
export const nextTry = (attempts: number, now: Date): Date | null => {
  const wait = backOffMs[attempts - 1]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}

/**
 * The signature of a webhook's body: `t=SECONDS,v1=HEX`, HMAC-SHA256 over `SECONDS.BODY`. The time is signed too, so that
 * an old message cannot be sent again unnoticed.
 */
export function signature(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hex}`
}
