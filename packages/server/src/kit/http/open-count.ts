/** Counts what is open per key, such as the streams of a person. */
export type OpenCount = {
  /** Counts one more. @returns a function that releases it, or null if the key or the process has its maximum */
  open: (key: string, maxPerKey: number) => (() => void) | null
  /** Number of open ones, of all keys if none is given. */
  count: (key?: string) => number
}

export function createOpenCount(maxTotal: number): OpenCount {
  const countsByKey = new Map<string, number>()
  let totalCount = 0
  return {
    count: (key) => (key === undefined ? totalCount : (countsByKey.get(key) ?? 0)),
    open(key, maxPerKey) {
      const openCount = countsByKey.get(key) ?? 0
      if (openCount >= maxPerKey || totalCount >= maxTotal) return null
      countsByKey.set(key, openCount + 1)
      totalCount++
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        totalCount--
        const remainingCount = (countsByKey.get(key) ?? 1) - 1
        if (remainingCount > 0) countsByKey.set(key, remainingCount)
        else countsByKey.delete(key)
      }
    },
  }
}
