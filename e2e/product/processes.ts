import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of matching processes; `of` reads a file of the process's folder in /proc. */
export const findProcesses = (fits: (readProcessFile: (file: string) => string) => boolean): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const readProcessFile = (file: string) => readFileSync(`/proc/${name}/${file}`, 'utf8').replaceAll('\0', ' ')
      return fits(readProcessFile) ? [Number(name)] : []
    } catch {
      // It has ended, is no process, or belongs to another user.
      return []
    }
  })

export const parseParentId = (status: string): number => Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])

/** Sends a signal to the processes that still exist. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // Gone by itself.
    }
}
