import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { restoreDraftValues, mergeForms, type MergeResult } from '../form/steps.ts'
import type { OpenedScan } from '../form/use-form.ts'
import type { ScanForm } from '../form/values.ts'

/** Initial values of a form; for an existing scan also its version and stored settings. */
export type WizardStart = { values: ScanForm; version: number | null; opened: OpenedScan }

/** Merges draft and stored scan if it changed after the draft. The version alone does not tell: access does not increase it. */
export function combineDraftAndStart(
  wizardStart: WizardStart,
  draft: ScanDraft | null,
): { values: ScanForm; merged: MergeResult | null } {
  if (!draft) return { values: wizardStart.values, merged: null }
  const draftValues = restoreDraftValues(draft.values, wizardStart.values)
  if (draft.version === null) return { values: draftValues, merged: null }
  const mergeResult = mergeForms(restoreDraftValues(draft.base, wizardStart.values), draftValues, wizardStart.values)
  const hasScanChanged =
    draft.version !== wizardStart.version || mergeResult.takenFields.length + mergeResult.keptFields.length > 0
  return { values: mergeResult.values, merged: hasScanChanged ? mergeResult : null }
}
