import { afterEach, expect, it, vi } from 'vitest'
import type * as DraftModule from './draft.ts'

let loadCount = 0
/** Loads the module as after a reload of the page: without what it held in memory. */
const reload = async () =>
  (await import(/* @vite-ignore */ new URL(`./draft.ts?reload=${(loadCount += 1)}`, import.meta.url).href)) as typeof DraftModule

const key = { userId: 'ada', kind: 'comment', id: '1' }
afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

it('keeps a draft over a reload, until it is removed', async () => {
  const { writeDraft } = await reload()
  writeDraft(key, 'Half a sentence')
  expect((await reload()).readDraft(key)).toBe('Half a sentence')
  ;(await reload()).writeDraft(key, null)
  expect((await reload()).readDraft(key)).toBeNull()
})

it.each([{ userId: 'bob' }, { kind: 'remediation' }, { id: '2' }])('keeps drafts apart: %o', async (other) => {
  const { readDraft, writeDraft } = await reload()
  writeDraft(key, 'Half a sentence')
  expect(readDraft({ ...key, ...other })).toBeNull()
})

it('keeps a draft as long as the page, if the storage is full', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const { readDraft, writeDraft } = await reload()
  writeDraft(key, 'Half a sentence')
  expect(readDraft(key)).toBe('Half a sentence')
})
