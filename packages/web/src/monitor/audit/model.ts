import { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import * as z from 'zod/mini'
import { withDefault, listSearch } from '../../kit/list/search.ts'

const { action: AuditAction, noun: AuditNoun } = AuditEntry.shape
const emptyText = z.literal('')
/** Range of the date fields; the server accepts every date in it. */
export const dayRange = { min: '2000-01-01', max: '2999-12-31' }
const dayParam = z.iso.date().check(z.regex(/^2/))

/** URL parameters of the audit log, including the open entry. Empty texts mean no filter. */
export const AuditSearch = z.object({
  page: listSearch.page,
  size: listSearch.size,
  actor: withDefault(z.string().check(z.maxLength(255)), ''),
  action: withDefault(z.union([AuditAction, emptyText]), ''),
  noun: withDefault(z.union([AuditNoun, emptyText]), ''),
  /** Dates in the user's time zone; both are inclusive. */
  from: withDefault(z.union([dayParam, emptyText]), ''),
  until: withDefault(z.union([dayParam, emptyText]), ''),
  /** Number of the open entry. */
  entry: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
})
export type AuditSearch = z.output<typeof AuditSearch>
export const auditSearchDefaults = z.parse(AuditSearch, {})

export const noFilters = { actor: '', action: '', noun: '', from: '', until: '' } as const
export const isFiltered = (search: AuditSearch): boolean =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((key) => search[key] !== '')

/** Returns the start of a date in the user's time zone, shifted by a number of days. */
function getDayStart(isoDate: string, dayOffset = 0): string {
  const dayStart = new Date(`${isoDate}T00:00`)
  dayStart.setDate(dayStart.getDate() + dayOffset)
  return dayStart.toISOString()
}

export const toServerFilters = ({ actor, action, noun, from, until }: AuditSearch) => ({
  actor: actor || undefined,
  action: action || undefined,
  noun: noun || undefined,
  from: from ? getDayStart(from) : undefined,
  until: until ? getDayStart(until, 1) : undefined,
})

/**
 * Names that entries recorded of their subjects, by id. Of several names of one subject, the newest is the last.
 * @param entries newest first
 */
export const listRecordedNames = (
  entries: readonly Pick<AuditEntry, 'noun' | 'subject' | 'before' | 'after'>[],
): [id: string, name: string][] =>
  entries.toReversed().flatMap(({ noun, subject, before, after }): [string, string][] => {
    const name = after?.name ?? before?.name
    // The subject of a secret is its owner.
    return typeof name === 'string' && noun !== 'secret' ? [[subject, name]] : []
  })
