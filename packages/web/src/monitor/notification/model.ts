import * as z from 'zod/mini'
import { withDefault, listSearch } from '../../kit/list/search.ts'

const { page, size } = listSearch
export const InboxSearch = z.object({ page, size, unread: withDefault(z.boolean(), false) })
export type InboxSearch = z.output<typeof InboxSearch>
export const inboxSearchDefaults = z.parse(InboxSearch, {})

export const WebhookSearch = z.object({ page, size })
export type WebhookSearch = z.output<typeof WebhookSearch>
export const webhookSearchDefaults = z.parse(WebhookSearch, {})
