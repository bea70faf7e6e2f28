import type { ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'

/** The scan whose webhooks are shown, as the address bar keeps it. */
export const WebhookSearch = z.object({
  scan: z.catch(z.optional(z.custom<ScanId>((value) => z.safeParse(z.uuid(), value).success)), undefined),
})
export type WebhookSearch = z.output<typeof WebhookSearch>
