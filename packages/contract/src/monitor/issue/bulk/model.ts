import { maxBatchSize } from './schema.ts'

/** Time of a batch to aim at: an edit of one issue in the same scan waits for it. */
const batchMs = 200
/** Smaller batches of a busy server would spend most of their time on what each of them costs. */
const minBatchSize = 3_000

/** Size of the first batch of a change. */
export const firstBatchSize = minBatchSize

/**
 * Size of the batch after one that changed some issues in a time: their number, since a batch ends with a whole scan, at most
 * doubled, because the first one warms caches.
 */
export const computeNextBatchSize = (doneCount: number, elapsedMs: number): number =>
  Math.min(maxBatchSize, Math.max(minBatchSize, Math.round(doneCount * Math.min(2, batchMs / Math.max(1, elapsedMs)))))
