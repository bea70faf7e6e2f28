import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { expect, it } from 'vitest'
import { newValues } from '../form/model.ts'
import { beginning } from './start.ts'
import { openSender } from './use-draft.ts'

const draft = (name: string): ScanDraft => ({
  values: { name },
  base: {},
  version: null,
  left: [],
  skipped: [],
  savedAt: '2026-11-24T10:00:00.000Z',
})

it('sends again what could not be sent, but not over what was entered since', async () => {
  const sent: unknown[] = []
  const ends: PromiseWithResolvers<undefined>[] = []
  const save = ({ values }: ScanDraft) => {
    sent.push(values['name'])
    const end = Promise.withResolvers<undefined>()
    ends.push(end)
    return end.promise
  }
  const calls = {
    read: () => Promise.resolve({ draft: null }),
    save,
    discard: () => Promise.resolve(undefined),
  }
  const saved: boolean[] = []
  const sender = openSender({
    calls,
    of: { username: 'sender', scanId: null, begunWith: '' },
    isThere: false,
    onSaved: (now) => saved.push(now!.isSent),
  })
  const ended = (count: number) => expect.poll(() => saved.length).toBe(count)

  sender.save(draft('first'))
  ends[0]!.reject(new Error('offline'))
  await ended(1)
  sender.save(draft('second'))
  // The connection is back before the second has failed or arrived.
  sender.sendAgain()
  ends[1]!.resolve(undefined)
  await ended(2)
  sender.save(draft('third'))
  expect(sent).toEqual(['first', 'second', 'third'])
  ends[2]!.reject(new Error('offline'))
  await ended(3)
  sender.sendAgain()
  ends[3]!.resolve(undefined)
  await ended(4)
  expect(sent).toEqual(['first', 'second', 'third', 'third'])
  expect(saved).toEqual([false, true, false, true])
})

it('deletes a draft that there is, once, and none where there is none', async () => {
  const sent: string[] = []
  const answer = (what: string) => () => {
    sent.push(what)
    return Promise.resolve(undefined)
  }
  const calls = {
    read: () => Promise.resolve({ draft: null }),
    save: answer('saved'),
    discard: answer('deleted'),
  }
  const saves: unknown[] = []
  const sender = openSender({
    calls,
    of: { username: 'remover', scanId: null, begunWith: '' },
    isThere: false,
    onSaved: (now) => saves.push(now),
  })
  sender.remove()
  sender.save(draft('first'))
  await expect.poll(() => saves.length).toBe(1)
  sender.remove()
  sender.remove()
  await expect.poll(() => saves).toEqual([expect.objectContaining({ isSent: true }), null])
  expect(sent).toEqual(['saved', 'deleted'])
})

it('gives nobody back the access that somebody took away since the draft', () => {
  const base = {
    ...newValues('https://www.example.org/'),
    teams: { a: 'scanViewer', b: 'scanAdmin' } as const,
  }
  const values = { ...base, name: 'Renamed' }
  const now = { ...base, teams: { a: 'scanViewer' } as const }
  const opened = { access: null } as never
  const begun = beginning({ values: now, version: 3, opened }, { ...draft('x'), values, base, version: 3 })
  expect(begun.values).toEqual({ ...now, name: 'Renamed' })
  expect(begun.merged).toMatchObject({ taken: ['teams'], kept: [] })
  const same = beginning({ values: base, version: 3, opened }, { ...draft('x'), values, base, version: 3 })
  expect(same).toEqual({ values, merged: null })
})
