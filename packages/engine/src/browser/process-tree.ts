import { readdirSync, readFileSync } from 'node:fs'

const pageBytes = 4096

/** Reads a file of /proc; null when the process has gone or there is no /proc. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** All living processes below and including `root`. Only the root where there is no /proc. */
function processesOf(root: number): number[] {
  const children = new Map<number, number[]>()
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return [root]
  }
  for (const name of names) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const stat = read(`/proc/${pid}/stat`)
    if (stat === null) continue
    // The command in parentheses may hold anything; what follows the last one is fixed.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const siblings = children.get(parent)
    if (siblings) siblings.push(pid)
    else children.set(parent, [pid])
  }
  const found = [root]
  for (let i = 0; i < found.length; i++) found.push(...(children.get(found[i]!) ?? []))
  return found
}

/** Private memory of a process in bytes; 0 where the system doesn't say. */
export function processMemory(pid: number): number {
  const fields = read(`/proc/${pid}/statm`)?.split(' ')
  return fields ? Math.max(0, Number(fields[1]) - Number(fields[2])) * pageBytes : 0
}

/** Private memory of a process and its descendants in bytes; 0 where the system doesn't say. */
export function treeMemory(root: number): number {
  let bytes = 0
  for (const pid of processesOf(root)) bytes += processMemory(pid)
  return bytes
}

/** Ends a browser for certain: its process group, and the descendants that left the group. */
export function killTree(root: number): void {
  const pids = processesOf(root)
  for (const target of [-root, ...pids]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // Gone already, or never a group leader.
    }
  }
}
