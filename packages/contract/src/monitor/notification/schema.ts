import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'

/** When people are notified of a run: at every end, when it failed, or when it found something new. */
export const NotificationEvent = z.enum(['finished', 'failed', 'new-issues'])

/** Who is notified of the runs of a scan. */
export const NotificationOptions = z.strictObject({
  events: z._default(z.array(NotificationEvent).check(z.maxLength(3)), ['finished', 'failed']),
  allTeamMembers: z._default(z.boolean(), false),
  /** The reader's own subscription: readers see and change only theirs. */
  me: z._default(z.boolean(), false),
  specificUsers: z._default(
    z
      .array(
        z
          .string()
          .check(
            z.trim(),
            z.minLength(3),
            z.maxLength(254),
            z.regex(/^[^\s@,;<>"]+@[^\s@,;<>".]+(\.[^\s@,;<>".]+)+$/),
          ),
      )
      .check(z.maxLength(100)),
    [],
  ),
})
export type NotificationOptions = z.output<typeof NotificationOptions>

export const WebhookId = z.string().check(z.uuid()).brand<'WebhookId'>()

/** A URL that is notified of ended runs. The secret is shown once, when it is made. */
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
  events: z._default(z.array(NotificationEvent).check(z.minLength(1), z.maxLength(3)), [
    'finished',
    'failed',
  ]),
  active: z._default(z.boolean(), true),
})

/** One try, or the series of them, to notify a URL of a run. */
export const Delivery = z.object({
  id: z.string(),
  event: z.enum(['finished', 'failed', 'new-issues', 'test']),
  runNumber: z.nullable(Count),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: Count,
  /** The HTTP status of the last answer. */
  lastStatus: z.nullable(z.int()),
  lastError: z.nullable(z.string()),
  createdAt: Instant,
  nextAt: z.nullable(Instant),
  deliveredAt: z.nullable(Instant),
})
