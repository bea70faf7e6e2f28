import { afterEach, expect, it, vi } from 'vitest'
import { renderInPage } from '../../../test/show.tsx'
import { listenForShortcuts, discardQueuedKeys } from './shortcuts.ts'

afterEach(() => void vi.useRealTimers())
const type = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

it.each([
  ['in time', () => void vi.advanceTimersByTime(7000)],
  ['at all', discardQueuedKeys],
])('leaves the current issue unchanged if the next one does not load %s', async (_, pass) => {
  const [onNext, onFixed] = [vi.fn(), vi.fn()]
  await renderInPage(
    <section data-detail="a">
      <button type="button" aria-keyshortcuts="j" onClick={onNext}>
        Next
      </button>
      <button type="button" aria-keyshortcuts="f" onClick={onFixed}>
        Fixed
      </button>
    </section>,
  )
  vi.useFakeTimers()
  const stop = listenForShortcuts()
  type('j')
  vi.advanceTimersByTime(500)
  type('f')
  type('j')
  pass()
  vi.advanceTimersByTime(100)
  expect([onNext.mock.calls.length, onFixed.mock.calls.length]).toEqual([1, 0])
  // From here on, keys apply to the new detail.
  type('f')
  expect(onFixed).toHaveBeenCalledOnce()
  stop()
})
