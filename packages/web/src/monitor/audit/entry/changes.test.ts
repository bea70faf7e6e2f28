import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import { describe, expect, it } from 'vitest'
import { listChanges, getObjectName } from './changes.ts'

describe('changes of an entry', () => {
  it('lists each value by its path and omits unchanged values', () => {
    const previousValues = { name: 'Shop', settings: { depth: 3, urls: ['a'], session: { user: 'ann' }, note: '' } }
    const after = { name: 'Shop', settings: { depth: 4, urls: ['a', 'b'], session: {}, note: null } }
    expect(listChanges({ before: previousValues, after })).toEqual([
      { path: 'settings.depth', previousValue: '3', newValue: '4' },
      { path: 'settings.urls', previousValue: '["a"]', newValue: '["a","b"]' },
      { path: 'settings.session.user', previousValue: 'ann', newValue: undefined },
      { path: 'settings.note', previousValue: '""', newValue: 'null' },
      { path: 'settings.session', previousValue: undefined, newValue: '{}' },
    ])
  })

  it('lists the preset of a scan once', () => {
    const before = { settings: { presetId: null }, preset_id: null }
    const after = { settings: { presetId: 'p' }, preset_id: 'p' }
    expect(listChanges({ before, after })).toEqual([{ path: 'preset_id', previousValue: 'null', newValue: 'p' }])
  })

  it('lists every value of a created or deleted object, except secrets', () => {
    expect(listChanges({ before: null, after: { name: 'CI' } })).toEqual([
      { path: 'name', previousValue: undefined, newValue: 'CI' },
    ])
    expect(listChanges({ before: { count: 2 }, after: null })).toEqual([
      { path: 'count', previousValue: '2', newValue: undefined },
    ])
    expect(listChanges({ before: {}, after: {} })).toEqual([])
  })
})

describe('the object name of an entry', () => {
  const entry: AuditEntry = {
    number: 1,
    at: '2026-03-18T06:30:00.000Z',
    actor: 'p1',
    actorName: 'Ann Lee',
    keyId: null,
    keyName: null,
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
    ['the person who agreed to the terms', { noun: 'terms', subject: '0a07b279bd13' }, 'Ann Lee'],
    ['the id of a person without a name', { subject: 'p1', actorName: null }, 'p1'],
  ])('is %s', (_, facts, name) => expect(getObjectName({ ...entry, ...facts }, names)).toBe(name))
})
