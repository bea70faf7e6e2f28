import { useCallback, useInsertionEffect, useRef } from 'react'

/**
 * A function that stays the same and calls what was given last: for parts that are drawn again only when what they get
 * has changed. Called in events and effects, never while drawing.
 */
export function useLatest<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(call)
  useInsertionEffect(() => {
    latest.current = call
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
