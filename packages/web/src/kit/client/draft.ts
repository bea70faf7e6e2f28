import { readStoredValue, writeStoredValue } from './storage.ts'

/** Typed but unsaved text of a user about one thing. The tab keeps it over reloads, lost connections and sign-ins. */
export type DraftKey = { userId: string; kind: string; id: string }

const toStorageKey = ({ userId, kind, id }: DraftKey) => `draft ${userId} ${kind} ${id}`

/** Drafts of this page, in case storage is disabled or full. */
const draftsByKey = new Map<string, string>()

export function readDraft(key: DraftKey): string | null {
  const storageKey = toStorageKey(key)
  return draftsByKey.get(storageKey) ?? readStoredValue(storageKey, 'sessionStorage')
}

/** Keeps a draft; null removes it. */
export function writeDraft(key: DraftKey, text: string | null): void {
  const storageKey = toStorageKey(key)
  if (text === null) draftsByKey.delete(storageKey)
  else draftsByKey.set(storageKey, text)
  writeStoredValue(storageKey, text, 'sessionStorage')
}
