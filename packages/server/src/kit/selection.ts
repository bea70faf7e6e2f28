import { findSelectionErrors } from '@clearway/contract/kit/selection.ts'
import { type Refusal, refuse } from './http/answer.ts'

/**
 * Checks the selection of a change: filters that match everything must say so, and the number of rows must be the expected one.
 * @returns the refusal; null when the selection is clear
 */
export async function refuseUnclearSelection(
  selection: { selectAllMode: boolean; filters: object; expectedCount?: number | undefined },
  countSelected: () => Promise<number>,
): Promise<Refusal | null> {
  const { selectAllMode, filters, expectedCount } = selection
  const errors = findSelectionErrors(selectAllMode, filters, expectedCount)
  if (errors.length > 0) {
    const detail = 'Without filters, the selection is everything. Set filters.everything to true and send expectedCount.'
    return refuse('validation-failed', { errors, detail })
  }
  if (expectedCount === undefined) return null
  const currentCount = await countSelected()
  if (currentCount === expectedCount) return null
  return refuse('edit-conflict', { detail: `The selection has ${currentCount} rows now, not ${expectedCount}.` })
}
