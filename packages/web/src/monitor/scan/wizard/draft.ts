import type { ScanId } from '@clearway/contract/kit/id.ts'
import { readStored, writeStored } from '../../../kit/client/storage.ts'
import type { Step } from '../form/step-name.ts'
import type { ScanForm } from '../form/values.ts'

/** Grows with the shape of the form: a draft of another shape is none. */
const format = 2

/** What somebody entered and has not saved, kept in this browser for this person. Contains no secrets. */
export type Draft = {
  values: ScanForm
  /** What the form was opened with, and its version; null for a new scan. */
  base: ScanForm
  version: number | null
  /** Steps that were passed, and those that were skipped. */
  left: Step[]
  skipped: Step[]
  savedAt: string
}

/** Where the draft of one person is kept: of a scan, of a new one, or of a new one that was begun with an address. */
export const draftKey = (username: string, scanId: ScanId | null, address = ''): string =>
  ['draft', username, scanId ?? 'new', ...(address ? [address] : [])].join('.')

/** The draft, if there is one of today's shape. */
export function readDraft(key: string): Draft | null {
  try {
    const found = JSON.parse(readStored(key) ?? 'null') as (Draft & { format?: number }) | null
    return found?.format === format ? found : null
  } catch {
    return null
  }
}

/** Keeps a draft. False when the browser does not keep it: storage is full or switched off. */
export function writeDraft(key: string, draft: Draft): boolean {
  const text = JSON.stringify({ ...draft, format })
  writeStored(key, text)
  return readStored(key) === text
}

export const dropDraft = (key: string): void => writeStored(key, null)
