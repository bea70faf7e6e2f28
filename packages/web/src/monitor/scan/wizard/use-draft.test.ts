import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { expect, it } from 'vitest'
import { createNewValues } from '../form/model.ts'
import { toStorableValues } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import { combineDraftAndStart } from './start.ts'
import { createDraftSender } from './use-draft.ts'

const draft = (name: string): ScanDraft => ({
  values: { name },
  base: {},
  version: null,
  left: [],
  skipped: [],
  savedAt: '2026-11-24T10:00:00.000Z',
})

it('resends a failed draft, but never over newer input', async () => {
  const sent: unknown[] = []
  const ends: PromiseWithResolvers<undefined>[] = []
  const save = ({ values }: ScanDraft) => {
    sent.push(values['name'])
    const saveGate = Promise.withResolvers<undefined>()
    ends.push(saveGate)
    return saveGate.promise
  }
  const calls = { read: () => Promise.resolve({ draft: null }), save, discard: () => Promise.resolve(undefined) }
  const saved: boolean[] = []
  const sender = createDraftSender({
    calls,
    draftOwner: { username: 'sender', scanId: null, begunWith: '' },
    hasDraft: false,
    onSaved: (savedDraft) => saved.push(savedDraft!.isSent),
  })
  const ended = (count: number) => expect.poll(() => saved.length).toBe(count)

  sender.save(draft('first'))
  ends[0]!.reject(new Error('offline'))
  await ended(1)
  sender.save(draft('second'))
  // The connection returns before the second draft has failed or arrived.
  sender.resendUnsent()
  ends[1]!.resolve(undefined)
  await ended(2)
  sender.save(draft('third'))
  expect(sent).toEqual(['first', 'second', 'third'])
  ends[2]!.reject(new Error('offline'))
  await ended(3)
  sender.resendUnsent()
  ends[3]!.resolve(undefined)
  await ended(4)
  expect(sent).toEqual(['first', 'second', 'third', 'third'])
  expect(saved).toEqual([false, true, false, true])
})

it('deletes an existing draft once, and nothing if there is none', async () => {
  const sent: string[] = []
  const answer = (what: string) => () => {
    sent.push(what)
    return Promise.resolve(undefined)
  }
  const calls = { read: () => Promise.resolve({ draft: null }), save: answer('saved'), discard: answer('deleted') }
  const saves: unknown[] = []
  const sender = createDraftSender({
    calls,
    draftOwner: { username: 'remover', scanId: null, begunWith: '' },
    hasDraft: false,
    onSaved: (savedDraft) => saves.push(savedDraft),
  })
  sender.remove()
  sender.save(draft('first'))
  await expect.poll(() => saves.length).toBe(1)
  sender.remove()
  sender.remove()
  await expect.poll(() => saves).toEqual([expect.objectContaining({ isSent: true }), null])
  expect(sent).toEqual(['saved', 'deleted'])
})

it('does not restore access that was revoked after the draft', () => {
  const newValues = createNewValues('https://www.example.org/')
  const withTeams = (teams: ScanForm['access']['teams']) => ({ ...newValues, access: { ...newValues.access, teams } })
  const base = withTeams({ a: 'scanViewer', b: 'scanAdmin' })
  const values = { ...base, name: 'Renamed' }
  const currentValues = withTeams({ a: 'scanViewer' })
  const storedDraft = { ...draft('x'), values: toStorableValues(values), base: toStorableValues(base), version: 3 }
  const opened = { access: null } as never
  const begun = combineDraftAndStart({ values: currentValues, version: 3, opened }, storedDraft)
  expect(begun.values).toEqual({ ...currentValues, name: 'Renamed' })
  expect(begun.merged).toMatchObject({ takenFields: ['access.teams'], keptFields: [] })
  const same = combineDraftAndStart({ values: base, version: 3, opened }, storedDraft)
  expect(same).toEqual({ values, merged: null })
})
