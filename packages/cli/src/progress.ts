/** Pages done and pages waiting, as far as they are known. */
export type Progress = { doneCount: number; waitingCount: number; issueCount: number; elapsedMs: number; url: string }

/** Pages before the speed says anything about the rest. */
const minPages = 3

function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/**
 * One line about a scan in progress: pages, issues, pages per minute, and the time that the pages known so far will take. More of
 * them may be discovered, so it says "at least" while pages are waiting.
 */
export function formatProgress({ doneCount, waitingCount, issueCount, elapsedMs, url }: Progress, columns: number): string {
  const knownText = waitingCount > 0 ? ` of ${doneCount + waitingCount} known` : ''
  const speedText = doneCount < minPages ? [] : [`${Math.round((doneCount / elapsedMs) * 60_000)} pages/min`]
  const remainingText =
    doneCount < minPages || waitingCount === 0 ? [] : [`at least ${formatDuration((elapsedMs / doneCount) * waitingCount)} left`]
  return [`${doneCount} pages${knownText}`, `${issueCount} issues`, ...speedText, ...remainingText, url]
    .join(', ')
    .slice(0, columns - 1)
}
