import type { ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { withDefault, listSearch } from '../../kit/list/search.ts'

const { page, size } = listSearch
export const InboxSearch = z.object({ page, size, unread: withDefault(z.boolean(), false) })
export type InboxSearch = z.output<typeof InboxSearch>
export const inboxSearchDefaults = z.parse(InboxSearch, {})

export const WebhookSearch = z.object({
  scan: z.catch(z.optional(z.custom<ScanId>((value) => z.safeParse(z.uuid(), value).success)), undefined),
})
export type WebhookSearch = z.output<typeof WebhookSearch>
