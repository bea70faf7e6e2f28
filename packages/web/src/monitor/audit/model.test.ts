import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AuditSearch, auditSearchDefaults, filterOf, isFiltered } from './model.ts'

it('takes no value of an edited address that the server would refuse', () => {
  const edited = {
    from: '2026-02-30',
    until: '10000-01-01',
    noun: 'nothing',
    action: 7,
    page: -1,
    entry: 'x',
  }
  expect(z.parse(AuditSearch, edited)).toEqual(auditSearchDefaults)
  expect(z.parse(AuditSearch, { from: '0202-03-18' }).from).toBe('')
  expect(isFiltered(auditSearchDefaults)).toBe(false)
})

it('asks for whole days of the reader, the last one with all its hours', () => {
  const search = z.parse(AuditSearch, { from: '2026-03-18', until: '2026-03-18', noun: 'scan' })
  const { from, until, ...rest } = filterOf(search)
  expect(isFiltered(search)).toBe(true)
  expect(new Date(from!)).toEqual(new Date(2026, 2, 18))
  expect(new Date(until!)).toEqual(new Date(2026, 2, 19))
  expect(rest).toEqual({ actor: undefined, action: undefined, noun: 'scan' })
})
