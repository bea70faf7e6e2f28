import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { knownForm, merge, type Merged } from '../form/steps.ts'
import type { Opened } from '../form/use-form.ts'
import type { ScanForm } from '../form/values.ts'

/** What a form was opened with: values, and of a scan that exists its version and what is stored. */
export type Start = { values: ScanForm; version: number | null; opened: Opened }

/**
 * Draft and start brought together: of a scan that was changed since the draft, the changes of both. Its version is not enough to
 * tell: who may see it is changed without one.
 */
export function beginning(
  start: Start,
  draft: ScanDraft | null,
): { values: ScanForm; merged: Merged | null } {
  if (!draft) return { values: start.values, merged: null }
  const values = knownForm(draft.values, start.values)
  if (draft.version === null) return { values, merged: null }
  const merged = merge(knownForm(draft.base, start.values), values, start.values)
  const isChanged = draft.version !== start.version || merged.taken.length + merged.kept.length > 0
  return { values: merged.values, merged: isChanged ? merged : null }
}
