import { sleep } from '../../browser/deadline.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'

/**
 * Number of times that a page may leave its document while it is analyzed. Applications do so to check their session with another
 * address, which leads back.
 */
export const maxReloads = 2
/** Maximum time until such a page shows a document that stays. */
export const maxReloadMs = 15_000

const pollMs = 250
/** Number of polls in a row with the same document. */
const stablePolls = 4

/**
 * Waits until a tab whose page left its document shows one that stays for a second.
 * @returns false if there is none in time, as of a page that never stops leaving
 */
export async function awaitStableDocument(tab: Tab, maxMs: number): Promise<boolean> {
  let loaderId: string | null = null
  let pollCount = 0
  for (const startedAt = performance.now(); performance.now() - startedAt < maxMs; await sleep(pollMs)) {
    const document = await readCurrentDocument(tab)
    // A tab that is too busy to answer has not left.
    if (document === null) continue
    pollCount = document.loaderId === loaderId ? pollCount + 1 : 0
    loaderId = document.loaderId
    if (pollCount >= stablePolls) return true
  }
  return false
}
