import { expect, it } from 'vitest'
import { computeNextBatchSize } from '@clearway/contract/monitor/issue/bulk/model.ts'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import { type Batch, runInBatches, undoInBatches } from './model-batches.ts'

const toId = (text: string) => text as IssueId
const options = { canUndo: true, middle: null, signal: new AbortController().signal, onProgress: () => undefined }

it('keeps the undo of a change whose first batches change nothing', async () => {
  const sent: Batch[] = []
  const replies = [
    { changed: 0, skipped: 1000, undo: null, next: toId('a') },
    { changed: 1000, skipped: 0, undo: 'one', next: toId('b') },
    { changed: 500, skipped: 500, undo: 'one', next: null },
  ]
  const result = await runInBatches((batch) => {
    sent.push(batch)
    return Promise.resolve(replies[sent.length - 1]!)
  }, options)
  expect(sent.map(({ after, ...batch }) => [after, 'undo' in batch ? batch.undo : 'none'])).toEqual([
    [undefined, 'none'],
    ['a', 'none'],
    ['b', 'one'],
  ])
  expect(result).toMatchObject({ changed: 1500, skipped: 1500, undo: 'one' })
})

it('stores no previous values once the server has given them up', async () => {
  const sent: Batch[] = []
  const replies = [
    { changed: 1000, skipped: 0, undo: 'one', next: toId('a') },
    { changed: 1000, skipped: 0, undo: null, next: toId('b') },
    { changed: 1000, skipped: 0, undo: null, next: null },
  ]
  await runInBatches((batch) => {
    sent.push(batch)
    return Promise.resolve(replies[sent.length - 1]!)
  }, options)
  expect(sent.slice(1).map(({ undo }) => undo)).toEqual(['one', null])
})

it('ends both halves of a change when a batch of one fails, with what both changed', async () => {
  const sent: Batch[] = []
  const replies = [
    Promise.resolve({ changed: 1000, skipped: 0, undo: 'one', next: toId('a') }),
    Promise.reject(new Error('gone')),
    Promise.resolve({ changed: 1000, skipped: 0, undo: 'one', next: toId('n') }),
  ]
  const result = await runInBatches((batch) => replies[sent.push(batch) - 1]!, { ...options, middle: 'm' })
  expect([sent.length, result]).toMatchObject([3, { changed: 2000, undo: 'one', isStopped: false, error: new Error('gone') }])
})

it('deletes nothing when the first batch is refused', async () => {
  const sent: Batch[] = []
  const refuse = (batch: Batch) => (sent.push(batch), Promise.reject(new Error('edit-conflict')))
  const result = await runInBatches(refuse, { ...options, canUndo: false, middle: 'm' })
  expect([sent.length, result.changed, result.error]).toEqual([1, 0, new Error('edit-conflict')])
})

it('undoes the rest from the end when calls from the start fail', async () => {
  let remaining = 4000
  const result = await undoInBatches(
    ({ fromStart }) =>
      fromStart
        ? Promise.reject(new Error('gone'))
        : Promise.resolve({ restored: 1000, left: 0, named: [], remaining: (remaining -= 1000) }),
    () => undefined,
  )
  expect(result).toMatchObject({ restored: 4000, left: 0 })
})

it('adapts the size of a batch to the issues and the time of the previous one, within limits', () => {
  expect([200, 160, 50, 0, 60_000].map((elapsedMs) => computeNextBatchSize(6000, elapsedMs))).toEqual([
    6000, 7500, 10_000, 10_000, 3000,
  ])
  expect(computeNextBatchSize(2000, 100)).toBe(4000)
  expect(computeNextBatchSize(0, 1)).toBe(3000)
})
