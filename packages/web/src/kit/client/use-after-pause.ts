import { useEffect, useState } from 'react'

/** A value as it was when it last did not change for so many ms: what one types, once one pauses. */
export function useAfterPause<T>(value: T, ms: number): T {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return paused
}
