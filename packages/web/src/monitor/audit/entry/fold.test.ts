import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import { expect, it } from 'vitest'
import { foldEntries } from './fold.ts'

const buildEntry = (number: number, fields: Partial<AuditEntry> = {}): AuditEntry => ({
  number,
  at: '2026-03-18T06:30:00.000Z',
  actor: 'p1',
  actorName: 'Ann Lee',
  keyId: null,
  keyName: null,
  address: null,
  requestId: 'r1',
  action: 'created',
  noun: 'upload',
  subject: `s${number}`,
  scanId: 'scan',
  before: null,
  after: null,
  hash: '',
  ...fields,
})
const fold = (...entries: AuditEntry[]) => foldEntries(entries).map(({ entry, repeatCount }) => [entry.number, repeatCount])

it('folds what one request or second did to objects of one kind, and keeps everything else', () => {
  expect(fold(buildEntry(9), buildEntry(8), buildEntry(7))).toEqual([[9, 2]])
  expect(fold(buildEntry(9), buildEntry(8, { requestId: 'r2' }), buildEntry(7, { requestId: 'r3' }))).toEqual([[9, 2]])
  const nextSecond = { requestId: 'r2', at: '2026-03-18T06:30:01.000Z' }
  expect(fold(buildEntry(9), buildEntry(8, nextSecond), buildEntry(7, nextSecond))).toEqual([
    [9, 0],
    [8, 1],
  ])
  const others: Partial<AuditEntry>[] = [{ address: '192.0.2.7' }, { keyId: 'k' }, { after: { name: 'B' } }]
  for (const fields of others) expect(fold(buildEntry(9), buildEntry(8, { requestId: 'r2', ...fields }))).toHaveLength(2)
  const refusal = { noun: 'sign-in', action: 'refused', actor: null, scanId: null } as const
  expect(fold(buildEntry(9, refusal), buildEntry(8, { ...refusal, requestId: 'r2' }))).toHaveLength(2)
  const guesses = ['2026-03-18T09:00:00.000Z', '2026-03-18T06:30:00.000Z'].map((at) => ({ ...refusal, subject: 'unknown', at }))
  expect(fold(buildEntry(9, guesses[0]), buildEntry(8, { ...guesses[1], requestId: 'r2' }))).toHaveLength(2)
  const signIn = { noun: 'sign-in', action: 'signed-in', subject: 'p1', scanId: null } as const
  const [later, nextDay] = [{ at: '2026-03-18T09:00:00.000Z' }, { at: '2026-03-19T06:30:00.000Z' }]
  expect(fold(buildEntry(9, { ...signIn, ...later }), buildEntry(8, { ...signIn, requestId: 'r2' }))).toEqual([[9, 1]])
  expect(fold(buildEntry(9, { ...signIn, ...nextDay }), buildEntry(8, { ...signIn, requestId: 'r2' }))).toHaveLength(2)
  const ruleLists = [buildEntry(9, { rules: ['label'] }), buildEntry(8, { rules: ['label', 'list'] })]
  expect(foldEntries(ruleLists).map(({ rules }) => rules)).toEqual([['label', 'list']])
  expect(fold(buildEntry(9), buildEntry(8, { action: 'deleted' }), buildEntry(7))).toEqual([
    [9, 0],
    [8, 0],
    [7, 0],
  ])
})

it('folds no entries without a request', () => {
  expect(fold(buildEntry(9, { requestId: null }), buildEntry(8, { requestId: null }))).toEqual([
    [9, 0],
    [8, 0],
  ])
})
