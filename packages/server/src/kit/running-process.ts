import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The identity of a process for other processes; its pid is only meaningful within its machine. */
export type ProcessIdentity = {
  pid: number
  /** Start time as the system counts it, to distinguish a later process with its pid. Empty if the system provides none. */
  began: string
  /** The running system and its pid namespace: two containers of one machine differ. */
  machine: string
}

/** True if the process exists on this machine, also for another user's process. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readStartTime(pid: number): string {
  try {
    const statText = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return statText.slice(statText.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    // Without /proc, only the pid can be compared.
    return ''
  }
}

function getMachineId(): string {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${bootId} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // The system has no namespaces.
    return hostname()
  }
}

export const getProcessIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  began: readStartTime(process.pid),
  machine: getMachineId(),
})

/** True if a process runs; null for another machine's process, whose pid means nothing here. */
export function isRunning({ pid, began, machine }: ProcessIdentity): boolean | null {
  if (machine !== getMachineId()) return null
  return isProcessAlive(pid) && readStartTime(pid) === began
}
