import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** Group of a process's session, such as `/autogroup-86`; null if there is none. */
function readSessionGroup(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/autogroup`, 'latin1').split(' ')[0] || null
  } catch {
    return null
  }
}

/** Linux accepts one such change per 100 ms for all users other than root. */
const maxAttempts = 10

/**
 * Sets the nice value of a process's session, unless it is the current one. Linux may divide the processors equally
 * among sessions first; a nice value counts only within its session. A browser has its own session, so inheriting its
 * worker's value would not lower its priority.
 */
export async function setSessionPriority(pid: number, nice: number): Promise<void> {
  const groupPath = readSessionGroup(pid)
  if (groupPath === null || groupPath === readSessionGroup(process.pid)) return
  for (let attempt = 0; attempt < maxAttempts; attempt++)
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(nice))
    } catch (error) {
      // The process ended, or permission is missing.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await pause(150)
    }
}
