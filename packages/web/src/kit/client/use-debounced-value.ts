import { useEffect, useState } from 'react'

/** Returns the debounced value: updated once `value` has been unchanged for `ms` milliseconds. */
export function useDebouncedValue<T>(value: T, delayMs: number): T {
  const [debouncedValue, setDebouncedValue] = useState(value)
  useEffect(() => {
    const debounceTimer = setTimeout(() => setDebouncedValue(value), delayMs)
    return () => clearTimeout(debounceTimer)
  }, [value, delayMs])
  return debouncedValue
}
