import { computeNextBatchSize, firstBatchSize } from '@clearway/contract/monitor/issue/bulk/model.ts'
import type { IssueId } from '@clearway/contract/kit/id.ts'

/** Bulk changes of more issues are confirmed first, and made in batches. */
export const maxUnconfirmedIssues = 1_000

export type Batch = { size: number; after?: string; undo?: string | null }
type BatchReply = { changed: number; skipped: number; undo?: string | null; next: string | null }
/** Result of all batches so far. `error` ended the change; `isStopped` if the user did. */
export type BatchedResult = { changed: number; skipped: number; undo: string | null; isStopped: boolean; error: unknown }

type BatchOptions = {
  canUndo: boolean
  /** Stops the change after the current batch. */
  signal: AbortSignal
  onProgress: (doneCount: number) => void
}

/** Repeats a bulk call until no issues remain. Never rejects: the issues changed before a failure stay changed. */
export async function runInBatches(
  sendBatch: (batch: Batch) => Promise<BatchReply>,
  { canUndo, signal, onProgress }: BatchOptions,
): Promise<BatchedResult> {
  const result: BatchedResult = { changed: 0, skipped: 0, undo: null, isStopped: false, error: null }
  let batchSize = firstBatchSize
  let hasUndo = false
  for (let nextPosition: string | null | undefined; nextPosition !== null;) {
    if (signal.aborted) return { ...result, isStopped: true }
    // Null would store no previous values. Until a batch has changed something, there is nothing to continue.
    const undo = hasUndo ? { undo: result.undo } : {}
    const position = nextPosition === undefined ? {} : { after: nextPosition, ...(canUndo && undo) }
    try {
      const startedAt = performance.now()
      const reply: BatchReply = await sendBatch({ size: batchSize, ...position })
      batchSize = computeNextBatchSize(batchSize, performance.now() - startedAt)
      result.changed += reply.changed
      result.skipped += reply.skipped
      result.undo = reply.undo ?? null
      hasUndo ||= result.undo !== null
      nextPosition = reply.next
    } catch (error) {
      return { ...result, error }
    }
    onProgress(result.changed + result.skipped)
  }
  return result
}

type UndoReply = { restored: number; left: number; named: { id: IssueId; rule: string }[]; remaining: number }

/** Repeats an undo until all issues are restored, and adds up its results. */
export async function undoInBatches(
  sendUndo: () => Promise<UndoReply>,
  onProgress: (doneCount: number) => void,
): Promise<Omit<UndoReply, 'remaining'>> {
  const total: Omit<UndoReply, 'remaining'> = { restored: 0, left: 0, named: [] }
  for (let remainingCount = 1; remainingCount > 0;) {
    const { restored: restoredCount, left: leftCount, named: namedIssues, remaining } = await sendUndo()
    total.restored += restoredCount
    total.left += leftCount
    total.named = [...total.named, ...namedIssues]
    remainingCount = remaining
    onProgress(total.restored + total.left)
  }
  return total
}
