import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AuditSearch, auditSearchDefaults, listRecordedNames, toServerFilters, isFiltered } from './model.ts'

it('ignores values of an edited URL that the server would refuse', () => {
  const edited = { from: '2026-02-30', until: '10000-01-01', noun: 'nothing', action: 7, page: -1, entry: 'x' }
  expect(z.parse(AuditSearch, edited)).toEqual(auditSearchDefaults)
  expect(z.parse(AuditSearch, { from: '0202-03-18' }).from).toBe('')
  expect(isFiltered(auditSearchDefaults)).toBe(false)
})

it('queries whole days in the local time zone, including the last day', () => {
  const search = z.parse(AuditSearch, { from: '2026-03-18', until: '2026-03-18', noun: 'scan' })
  const { from, until, ...otherFilters } = toServerFilters(search)
  expect(isFiltered(search)).toBe(true)
  expect(new Date(from!)).toEqual(new Date(2026, 2, 18))
  expect(new Date(until!)).toEqual(new Date(2026, 2, 19))
  expect(otherFilters).toEqual({ actor: undefined, action: undefined, noun: 'scan' })
})

it('names a deleted object as it was last named, and never by one of its secrets', () => {
  const scan = { noun: 'scan', subject: 's' } as const
  const entries = [
    { ...scan, before: { name: 'City portal' }, after: null },
    { noun: 'secret', subject: 's', before: { name: 'authorization' }, after: null } as const,
    { ...scan, before: { name: 'Portal' }, after: { name: 'City portal' } },
    { ...scan, before: null, after: { name: 'Portal' } },
  ]
  expect(new Map(listRecordedNames(entries))).toEqual(new Map([['s', 'City portal']]))
})
