import { readdirSync, readFileSync } from 'node:fs'

/** Numbers of the processes that fit, by what the system says of each: `of` reads a file of its folder in /proc. */
export const processesWhere = (fits: (of: (file: string) => string) => boolean): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const of = (file: string) => readFileSync(`/proc/${name}/${file}`, 'utf8').replaceAll('\0', ' ')
      return fits(of) ? [Number(name)] : []
    } catch {
      // It ended meanwhile, is no process, or is not ours to read.
      return []
    }
  })

/** Which process has started this one. */
export const parentIn = (status: string): number => Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])

/** Sends a signal to those that are still there. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // Gone by itself.
    }
}
