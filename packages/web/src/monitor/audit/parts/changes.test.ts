import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import { describe, expect, it } from 'vitest'
import { changesOf, nameOf } from './changes.ts'

describe('what an entry says is different', () => {
  it('names each value by its path, and leaves out what stayed', () => {
    const before = { name: 'Shop', settings: { depth: 3, urls: ['a'], session: { user: 'ann' }, note: '' } }
    const after = { name: 'Shop', settings: { depth: 4, urls: ['a', 'b'], session: {}, note: null } }
    expect(changesOf({ before, after })).toEqual([
      { path: 'settings.depth', before: '3', after: '4' },
      { path: 'settings.urls', before: '["a"]', after: '["a","b"]' },
      { path: 'settings.session.user', before: 'ann', after: undefined },
      { path: 'settings.note', before: '""', after: 'null' },
      { path: 'settings.session', before: undefined, after: '{}' },
    ])
  })

  it('has every value of what was made or deleted, and none of what is secret', () => {
    expect(changesOf({ before: null, after: { name: 'CI' } })).toEqual([
      { path: 'name', before: undefined, after: 'CI' },
    ])
    expect(changesOf({ before: { count: 2 }, after: null })).toEqual([
      { path: 'count', before: '2', after: undefined },
    ])
    expect(changesOf({ before: {}, after: {} })).toEqual([])
  })
})

describe('what the thing of an entry is called', () => {
  const entry: AuditEntry = {
    number: 1,
    at: '2026-03-18T06:30:00.000Z',
    actor: 'p1',
    actorName: 'Ann Lee',
    address: null,
    requestId: null,
    action: 'changed',
    noun: 'preset',
    subject: 's1',
    scanId: null,
    before: null,
    after: null,
    hash: '',
  }
  const names = new Map([
    ['scan-1', 'Shop'],
    ['p2', 'Bob Ray'],
  ])

  it.each<[string, Partial<AuditEntry>, string]>([
    ['its newest name', { before: { name: 'Old' }, after: { name: 'New' } }, 'New'],
    ['the name that it had', { before: { name: 'Old' } }, 'Old'],
    ['a user name', { after: { username: 'ann' } }, 'ann'],
    ['the scan that it belongs to', { scanId: 'scan-1', after: { role: 'member' } }, 'Shop'],
    ['the id where the scan is gone', { scanId: 'scan-2' }, 's1'],
    ['the person who did it to the own account', { subject: 'p1' }, 'Ann Lee'],
    ['the person who is somebody else', { subject: 'p2' }, 'Bob Ray'],
    ['the id of a person without a name', { subject: 'p1', actorName: null }, 'p1'],
  ])('is %s', (_, facts, name) => expect(nameOf({ ...entry, ...facts }, names)).toBe(name))
})
