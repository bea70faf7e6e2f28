import type { ScanId } from '@clearway/contract/kit/id.ts'
import { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import * as z from 'zod/mini'
import { readStoredValue, writeStoredValue } from '../../../kit/client/storage.ts'

/** Whose draft, and of which scan; null for a new one, with the URL or the scan that the person started from. */
export type DraftOf = { username: string; scanId: ScanId | null; begunWith: string }

const keyOf = ({ username, scanId, begunWith }: DraftOf): string =>
  ['draft', username, scanId ?? 'new', ...(begunWith ? [begunWith] : [])].join('.')

/** The draft that only this browser has: the server could not be reached, or an earlier version stored it. */
export function readUnsent(of: DraftOf): ScanDraft | null {
  try {
    const { format: _, ...stored } = JSON.parse(readStoredValue(keyOf(of)) ?? 'null') as { format?: unknown }
    const read = z.safeParse(ScanDraft, stored)
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** Stores a draft until it is sent. False if the browser does not store it: storage is full or switched off. */
export function keepUnsent(of: DraftOf, draft: ScanDraft): boolean {
  const text = JSON.stringify(draft)
  writeStoredValue(keyOf(of), text)
  return readStoredValue(keyOf(of)) === text
}

/** Removes the draft, unless it is newer than this one. */
export function dropUnsent(of: DraftOf, until?: ScanDraft): void {
  const kept = readUnsent(of)
  if (!until || !kept || kept.savedAt <= until.savedAt) writeStoredValue(keyOf(of), null)
}
