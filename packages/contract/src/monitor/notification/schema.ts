import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'
import { ScanId } from '../../kit/id.ts'
import { Instant } from '../../kit/time.ts'

/** Events that trigger a notification: a run finished, failed, or found new issues. */
export const NotificationEvent = z.enum(['finished', 'failed', 'new-issues'])

export const NotificationOptions = z.strictObject({
  events: z._default(z.array(NotificationEvent).check(z.maxLength(3)), ['finished', 'failed']),
  allTeamMembers: z._default(z.boolean(), false),
  /** The caller's own subscription. Readers can see and change only their own. */
  me: z._default(z.boolean(), false),
  specificUsers: z._default(
    z
      .array(
        z.string().check(z.trim(), z.minLength(3), z.maxLength(254), z.regex(/^[^\s@,;<>"]+@[^\s@,;<>".]+(\.[^\s@,;<>".]+)+$/)),
      )
      .check(z.maxLength(100)),
    [],
  ),
})
export type NotificationOptions = z.output<typeof NotificationOptions>

export const WebhookId = z.string().check(z.uuid()).brand<'WebhookId'>()

/** A URL that is notified of ended runs. The secret is returned once, on creation. */
export const Webhook = z.object({
  id: WebhookId,
  url: z.string(),
  events: z.array(NotificationEvent),
  active: z.boolean(),
  createdAt: Instant,
})
export const NewWebhook = z.extend(Webhook, { secret: z.string() })
export const WebhookBody = z.strictObject({
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(4000)),
  events: z._default(z.array(NotificationEvent).check(z.minLength(1), z.maxLength(3)), ['finished', 'failed']),
  active: z._default(z.boolean(), true),
})

export const Delivery = z.object({
  id: z.string(),
  event: z.enum(['finished', 'failed', 'new-issues', 'test']),
  runNumber: z.nullable(Count),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: Count,
  /** HTTP status of the last response. */
  lastStatus: z.nullable(z.int()),
  lastError: z.nullable(z.string()),
  createdAt: Instant,
  nextAt: z.nullable(Instant),
  deliveredAt: z.nullable(Instant),
})

/** A webhook among those of all scans. Its URL may contain a token, so only the address is listed. */
export const ListedWebhook = z.object({
  ...z.omit(Webhook, { url: true }).shape,
  scanId: ScanId,
  scanName: z.string(),
  address: z.string(),
  lastDelivery: z.nullable(z.pick(Delivery, { status: true, lastStatus: true, lastError: true, createdAt: true, nextAt: true })),
})
