import { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import * as z from 'zod/mini'
import { withDefault, listSearch } from '../../kit/list/search.ts'

const { action: AuditAction, noun: AuditNoun } = AuditEntry.shape
const none = z.literal('')
/** Days of years that a date field takes, or none: each is a moment that the server takes. */
export const days = { min: '2000-01-01', max: '2999-12-31' }
const day = z.iso.date().check(z.regex(/^2/))

/** The audit log as the address bar keeps it, the open entry included. An empty text is no filter. */
export const AuditSearch = z.object({
  page: listSearch.page,
  size: listSearch.size,
  /** Id of the person. */
  actor: withDefault(z.string().check(z.maxLength(255)), ''),
  action: withDefault(z.union([AuditAction, none]), ''),
  noun: withDefault(z.union([AuditNoun, none]), ''),
  /** Days, in the reader's own zone; both are part of the span. */
  from: withDefault(z.union([day, none]), ''),
  until: withDefault(z.union([day, none]), ''),
  /** Number of the entry that is open. */
  entry: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
})
export type AuditSearch = z.output<typeof AuditSearch>
export const auditSearchDefaults = z.parse(AuditSearch, {})

/** What takes every filter away. */
export const noFilters = { actor: '', action: '', noun: '', from: '', until: '' } as const
export const isFiltered = (search: AuditSearch): boolean =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((key) => search[key] !== '')

/** When a day begins, or one so many days later. */
function startOf(text: string, later = 0): string {
  const at = new Date(`${text}T00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

/** The filters as the server takes them. */
export const filterOf = ({ actor, action, noun, from, until }: AuditSearch) => ({
  actor: actor || undefined,
  action: action || undefined,
  noun: noun || undefined,
  from: from ? startOf(from) : undefined,
  until: until ? startOf(until, 1) : undefined,
})
