import { createHmac } from 'node:crypto'
import { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { ImpactCounts } from '@clearway/contract/monitor/ruleset/schema.ts'
import * as z from 'zod/mini'

type Event = z.output<typeof NotificationEvent>

/** What a message about a run says: enough to write it in any language, and to sign it. */
const RunPayload = z.object({
  event: z.union([NotificationEvent, z.literal('test')]),
  scanId: z.string(),
  scanName: z.string(),
  run: z.nullable(
    z.object({
      number: z.number(),
      status: z.string(),
      startedAt: z.nullable(z.string()),
      endedAt: z.nullable(z.string()),
      score: z.nullable(z.number()),
      pages: z.object({ completed: z.number(), failed: z.number() }),
      openIssues: ImpactCounts,
      change: z.nullable(z.object({ new: z.number(), fixed: z.number(), back: z.number() })),
      problem: z.nullable(z.string()),
    }),
  ),
  url: z.string(),
  /** Of a mail. */
  language: z.optional(z.string()),
})
export type RunPayload = z.output<typeof RunPayload>

/** What a mail about a comment says to somebody whom it mentions. */
const MentionPayload = z.object({
  event: z.literal('mentioned'),
  scanName: z.string(),
  /** Who wrote it. */
  author: z.string(),
  /** What is wrong, in English. */
  issue: z.string(),
  /** Its beginning. */
  text: z.string(),
  url: z.string(),
  /** Where its reader turns such mails off. */
  settingsUrl: z.string(),
  language: z.string(),
})
export type MentionPayload = z.output<typeof MentionPayload>

/** What is stored of a message. */
export const Payload = z.discriminatedUnion('event', [RunPayload, MentionPayload])
export type Payload = z.output<typeof Payload>

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

/** How long to wait after so many tries; null when it is enough. */
export const waitAfter = (attempts: number): number | null => backOffMs[attempts - 1] ?? null

/**
 * The signature of a webhook's body: `t=SECONDS,v1=HEX`, HMAC-SHA256 over `SECONDS.BODY`. The time is signed too, so that
 * an old message cannot be sent again unnoticed.
 */
export function signature(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hex}`
}
