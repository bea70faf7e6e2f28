import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** The group of a process's session, such as `/autogroup-86`; null where it has none. */
function sessionGroup(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/autogroup`, 'latin1').split(' ')[0] || null
  } catch {
    return null
  }
}

/** Linux takes one change of this kind in a tenth of a second, of all people but root. */
const tries = 10

/**
 * Gives a nice value to the session of a process, unless it is ours. Linux may divide the processors among sessions first,
 * equally: a process's nice value counts within its session only, and a browser, which has one of its own, stands behind
 * nobody by inheriting the value of its worker.
 */
export async function setSessionPriority(pid: number, nice: number): Promise<void> {
  const group = sessionGroup(pid)
  if (group === null || group === sessionGroup(process.pid)) return
  for (let tried = 0; tried < tries; tried++)
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(nice))
    } catch (error) {
      // It ended meanwhile, or is not ours to change.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await pause(150)
    }
}
