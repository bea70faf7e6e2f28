import { computeNextBatchSize, firstBatchSize } from '@clearway/contract/monitor/issue/bulk/model.ts'
import type { IssueId } from '@clearway/contract/kit/id.ts'

/** Bulk changes of more issues are confirmed first, and made in batches. */
export const maxUnconfirmedIssues = 1_000

export type Batch = { size: number; after?: string; until?: string; undo?: string | null }
type BatchReply = { changed: number; skipped: number; undo?: string | null; next: string | null }
/** Result of all batches so far. `error` ended the change; `isStopped` if the user did. */
export type BatchedResult = { changed: number; skipped: number; undo: string | null; isStopped: boolean; error: unknown }

type BatchOptions = {
  canUndo: boolean
  /** Position that halves the selection: both halves are then changed at once. */
  middle: string | null
  /** Stops the change after the current batches. */
  signal: AbortSignal
  onProgress: (doneCount: number) => void
}
/** The remaining part of a selection; `after` is null at its end. */
type Range = { size: number; after?: string | null; until?: string }

/** Repeats a bulk call until no issues remain. Never rejects: the issues changed before a failure stay changed. */
export async function runInBatches(
  sendBatch: (batch: Batch) => Promise<BatchReply>,
  { canUndo, middle, signal, onProgress }: BatchOptions,
): Promise<BatchedResult> {
  const result: BatchedResult = { changed: 0, skipped: 0, undo: null, isStopped: false, error: null }
  let hasUndo = false
  const changeBatch = async (range: Range) => {
    const { size, after, until } = range
    const batch = { size, ...(after != null && { after }), ...(until !== undefined && { until }) }
    const startedAt = performance.now()
    // Null would store no previous values. Until a batch has changed something, there is nothing to continue.
    const reply = await sendBatch({ ...batch, ...(canUndo && hasUndo && { undo: result.undo }) })
    range.size = computeNextBatchSize(reply.changed + reply.skipped, performance.now() - startedAt)
    range.after = reply.next
    result.changed += reply.changed
    result.skipped += reply.skipped
    // Once the server has given the previous values up, the reply of an earlier batch does not bring them back.
    if (!hasUndo || result.undo !== null) result.undo = reply.undo ?? null
    hasUndo ||= result.undo !== null
    onProgress(result.changed + result.skipped)
  }
  const changeRange = async (range: Range, isDone = () => false) => {
    while (range.after !== null && !isDone() && result.error === null) {
      if (signal.aborted) return void (result.isStopped = true)
      await changeBatch(range).catch((error: unknown) => (result.error = error))
    }
  }
  const firstHalf: Range = { size: firstBatchSize, ...(middle !== null && { until: middle }) }
  const halves = middle === null ? [firstHalf] : [firstHalf, { size: firstBatchSize, after: middle }]
  // The first batch checks the number of selected issues. The first change creates the undo data, which other batches extend.
  await changeRange(firstHalf, () => firstHalf.after !== undefined && (!canUndo || hasUndo))
  await Promise.all(halves.map((half) => changeRange(half)))
  return result
}

type UndoReply = { restored: number; left: number; named: { id: IssueId; rule: string }[]; remaining: number }

/** Repeats an undo until all issues are restored, from both ends at once, and adds up its results. */
export async function undoInBatches(
  sendUndo: (options: { fromStart: boolean }) => Promise<UndoReply>,
  onProgress: (doneCount: number) => void,
): Promise<Omit<UndoReply, 'remaining'>> {
  const total: Omit<UndoReply, 'remaining'> = { restored: 0, left: 0, named: [] }
  const restoreBatch = async (fromStart: boolean): Promise<boolean> => {
    const { restored: restoredCount, left: leftCount, named: namedIssues, remaining } = await sendUndo({ fromStart })
    total.restored += restoredCount
    total.left += leftCount
    total.named = [...total.named, ...namedIssues]
    onProgress(total.restored + total.left)
    return remaining > 0 && (!fromStart || restoredCount + leftCount > 0)
  }
  const restoreRest = async (fromStart: boolean) => {
    while (await restoreBatch(fromStart));
  }
  // Calls from the end restore whatever a failed one from the start leaves.
  if (await restoreBatch(false)) await Promise.all([restoreRest(false), restoreRest(true).catch(() => undefined)])
  return total
}
