import { useCallback, useInsertionEffect, useRef } from 'react'

/** Returns a stable function that calls the latest `callback`. For events and effects only, never during rendering. */
export function useStableCallback<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latestCallback = useRef(callback)
  useInsertionEffect(() => {
    latestCallback.current = callback
  })
  return useCallback((...args: Args) => latestCallback.current(...args), [])
}
