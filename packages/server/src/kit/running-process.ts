import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process that others can look for: its number means something only where it was given out. */
export type ProcessIdentity = {
  pid: number
  /** When it began, as the system counts it: distinguishes a process from a later one with its number. Empty where the system does not say. */
  began: string
  /** The running system and its namespace of process numbers: two containers of one machine have two. */
  machine: string
}

/** Whether a process of this machine is there. One of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function beginning(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    // No /proc on this system: the number alone must do.
    return ''
  }
}

function thisMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // No namespaces on this system.
    return hostname()
  }
}

export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  began: beginning(process.pid),
  machine: thisMachine(),
})

/** Whether a process runs; null for one of another machine, about which its number says nothing. */
export function isRunning({ pid, began, machine }: ProcessIdentity): boolean | null {
  if (machine !== thisMachine()) return null
  return isAlive(pid) && beginning(pid) === began
}
