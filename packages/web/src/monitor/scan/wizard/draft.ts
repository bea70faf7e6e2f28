import type { ScanId } from '@clearway/contract/kit/id.ts'
import { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import * as z from 'zod/mini'
import { readStoredValue, writeStoredValue } from '../../../kit/client/storage.ts'

/** Owner and scan of a draft. For a new scan, `scanId` is null and `begunWith` is the URL or scan that it started from. */
export type DraftOwner = { username: string; scanId: ScanId | null; begunWith: string }

const getStorageKey = ({ username, scanId, begunWith }: DraftOwner): string =>
  ['draft', username, scanId ?? 'new', ...(begunWith ? [begunWith] : [])].join('.')

/** Reads the draft that exists only in this browser, because the server was unreachable or an earlier version stored it. */
export function readUnsentDraft(draftOwner: DraftOwner): ScanDraft | null {
  try {
    const { format: _, ...storedDraft } = JSON.parse(readStoredValue(getStorageKey(draftOwner)) ?? 'null') as { format?: unknown }
    const parsedDraft = z.safeParse(ScanDraft, storedDraft)
    return parsedDraft.success ? parsedDraft.data : null
  } catch {
    return null
  }
}

/** Stores a draft until it is sent. Returns false if storage is full or disabled. */
export function storeUnsentDraft(draftOwner: DraftOwner, draft: ScanDraft): boolean {
  const serializedDraft = JSON.stringify(draft)
  writeStoredValue(getStorageKey(draftOwner), serializedDraft)
  return readStoredValue(getStorageKey(draftOwner)) === serializedDraft
}

/** Removes the unsent draft, unless it is newer than `until`. */
export function removeUnsentDraft(draftOwner: DraftOwner, until?: ScanDraft): void {
  const storedDraft = readUnsentDraft(draftOwner)
  if (!until || !storedDraft || storedDraft.savedAt <= until.savedAt) writeStoredValue(getStorageKey(draftOwner), null)
}
