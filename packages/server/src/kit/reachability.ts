/** Says why something outside cannot be used, in English; null if it can. */
export type Reachability = () => Promise<string | null>

const recheckAfterMs = { usable: 300_000, unusable: 30_000 }

/**
 * Creates a check whose last result is returned at once, while an outdated one is checked again.
 * @param check rejects with the reason; limits its own time
 */
export function createReachability(check: () => Promise<unknown>): Reachability {
  let lastProblem: string | null = null
  let nextCheckAt = 0
  let activeCheck: Promise<string | null> | null = null
  let isChecked = false
  const runCheck = () =>
    check()
      .then(
        () => null,
        (error: Error) => error.message,
      )
      .then((problem) => {
        lastProblem = problem
        isChecked = true
        nextCheckAt = performance.now() + (problem === null ? recheckAfterMs.usable : recheckAfterMs.unusable)
        activeCheck = null
        return problem
      })
  return async () => {
    if (performance.now() >= nextCheckAt) activeCheck ??= runCheck()
    return isChecked || activeCheck === null ? lastProblem : activeCheck
  }
}
