import { createHmac } from 'node:crypto'
import { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'
import { ImpactCounts } from '@clearway/contract/monitor/ruleset/schema.ts'
import * as z from 'zod/mini'

type RunEvent = z.output<typeof NotificationEvent>

/** Content of a message about a run: enough to write it in any language, and to sign it. */
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
      pages: z.object({
        completed: z.number(),
        failed: z.number(),
        /** Tested pages whose content was not seen. Older messages lack this number and the next one. */
        walled: z._default(z.number(), 0),
        overLimit: z._default(z.number(), 0),
      }),
      openIssues: ImpactCounts,
      change: z.nullable(ChangeCounts),
      problem: z.nullable(z.string()),
    }),
  ),
  url: z.string(),
  /** Only for mails. */
  language: z.optional(z.string()),
})
export type RunPayload = z.output<typeof RunPayload>

/** Content of a mail to a person mentioned in a comment. */
const MentionPayload = z.object({
  event: z.literal('mentioned'),
  scanName: z.string(),
  /** Author of the comment. */
  author: z.string(),
  /** The problem, in English. */
  issue: z.string(),
  /** Beginning of the comment. */
  text: z.string(),
  url: z.string(),
  /** Page where readers can opt out of such mails. */
  settingsUrl: z.string(),
  language: z.string(),
})
export type MentionPayload = z.output<typeof MentionPayload>

/** Stored content of a message. */
export const Payload = z.discriminatedUnion('event', [RunPayload, MentionPayload])
export type Payload = z.output<typeof Payload>

/** Events of the end of a run. */
export function getRunEvents(run: {
  status: string
  change: { new: number; back: number } | null
  openIssues: number
}): Set<RunEvent> {
  const runEvents = new Set<RunEvent>(['finished'])
  if (run.status === 'failed') runEvents.add('failed')
  // All issues of a first run are new.
  const newIssueCount = run.change ? run.change.new + run.change.back : run.openIssues
  if (run.status === 'completed' && newIssueCount > 0) runEvents.add('new-issues')
  return runEvents
}

/** The most significant event that a receiver wants; null for none. */
export function selectEvent(events: ReadonlySet<RunEvent>, wantedEvents: readonly RunEvent[]): RunEvent | null {
  return (
    (['failed', 'new-issues', 'finished'] as const).find(
      (candidate) => events.has(candidate) && wantedEvents.includes(candidate),
    ) ?? null
  )
}

const minuteMs = 60_000
/** Back-off between attempts. After the last attempt the message is given up. */
const backOffDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * 60 * minuteMs, 6 * 60 * minuteMs, 12 * 60 * minuteMs]

/** Delay after a number of attempts; null to give up. */
export const getRetryDelay = (attempts: number): number | null => backOffDelaysMs[attempts - 1] ?? null

/**
 * Signature of a webhook's body: `t=SECONDS,v1=HEX`, HMAC-SHA256 over `SECONDS.BODY`. The time is signed as well, so that
 * replays of old messages can be detected.
 */
export function signWebhookBody(secret: string, body: string, currentTime: Date): string {
  const timestampSeconds = Math.floor(currentTime.getTime() / 1000)
  const hexDigest = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex')
  return `t=${timestampSeconds},v1=${hexDigest}`
}

/** Codes of Node for a server that cannot be reached, or whose certificate or password is wrong. */
const errorCode =
  /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|EAUTH|ERR_(?:TLS|SSL)_[A-Z_]+|[A-Z_]*(?:CERT|VERIFY)_[A-Z_]+|[A-Z_]+_CERT)\b/

/** Finds such a code in the text of an error; null for none. */
export const findErrorCode = (text: string): string | null => errorCode.exec(text)?.[0] ?? null
