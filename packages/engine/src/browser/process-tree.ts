import { readdirSync, readFileSync } from 'node:fs'

const pageBytes = 4096

/** Reads a file in /proc; null if the process has ended or there is no /proc. */
function readProcFile(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** Parent of each process of this machine; null if there is no /proc. @param knownParents of processes that are not read again */
function readParents(knownParents: ReadonlyMap<number, number>): Map<number, number> | null {
  const parents = new Map<number, number>()
  let procEntries: string[]
  try {
    procEntries = readdirSync('/proc')
  } catch {
    return null
  }
  for (const procEntry of procEntries) {
    const pid = Number(procEntry)
    if (!Number.isInteger(pid)) continue
    const knownParent = knownParents.get(pid)
    const statText = knownParent === undefined ? readProcFile(`/proc/${pid}/stat`) : null
    if (knownParent !== undefined) parents.set(pid, knownParent)
    // The command in parentheses may contain anything. The fields after the last parenthesis are fixed.
    else if (statText !== null) parents.set(pid, Number(statText.slice(statText.lastIndexOf(')') + 2).split(' ')[1]))
  }
  return parents
}

/** Lists the living processes below and including `rootPid`; only the root without `parents`. */
function listTreePids(rootPid: number, parents: ReadonlyMap<number, number> | null): number[] {
  const childPids = Map.groupBy(parents?.keys() ?? [], (pid) => parents!.get(pid)!)
  const treePids = [rootPid]
  for (let i = 0; i < treePids.length; i++) treePids.push(...(childPids.get(treePids[i]!) ?? []))
  return treePids
}

/** Private memory of a process in bytes; 0 if unavailable. */
export function readProcessMemory(pid: number): number {
  const statmFields = readProcFile(`/proc/${pid}/statm`)?.split(' ')
  return statmFields ? Math.max(0, Number(statmFields[1]) - Number(statmFields[2])) * pageBytes : 0
}

/** Time between readings of all parents: a number may be given to another process. */
const fullReadingMs = 5000
/**
 * Parents at the last reading, and the time of the last one of all parents: on a machine with many processes, reading all of
 * them each second takes longer than the rest.
 */
let lastReading = { parents: new Map<number, number>() as Map<number, number> | null, fullReadAt: -Infinity }

/** Private memory of a process and its descendants in bytes; 0 if unavailable. */
export function readTreeMemory(rootPid: number): number {
  const now = performance.now()
  const isRecent = now - lastReading.fullReadAt < fullReadingMs
  const parents = readParents((isRecent ? lastReading.parents : null) ?? new Map())
  lastReading = { parents, fullReadAt: isRecent ? lastReading.fullReadAt : now }
  let totalBytes = 0
  for (const pid of listTreePids(rootPid, parents)) totalBytes += readProcessMemory(pid)
  return totalBytes
}

/** Kills a browser reliably: its process group, and descendants that left the group. */
export function killTree(rootPid: number): void {
  const treePids = listTreePids(rootPid, readParents(new Map()))
  for (const signalTarget of [-rootPid, ...treePids]) {
    try {
      process.kill(signalTarget, 'SIGKILL')
    } catch {
      // Already gone, or not a group leader.
    }
  }
}
