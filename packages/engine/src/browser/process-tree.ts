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

/** Lists the living processes below and including `rootPid`; only the root if there is no /proc. */
function listTreePids(rootPid: number): number[] {
  const childPids = new Map<number, number[]>()
  let procEntries: string[]
  try {
    procEntries = readdirSync('/proc')
  } catch {
    return [rootPid]
  }
  for (const procEntry of procEntries) {
    const pid = Number(procEntry)
    if (!Number.isInteger(pid)) continue
    const statText = readProcFile(`/proc/${pid}/stat`)
    if (statText === null) continue
    // The command in parentheses may contain anything. The fields after the last parenthesis are fixed.
    const parentPid = Number(statText.slice(statText.lastIndexOf(')') + 2).split(' ')[1])
    const siblingPids = childPids.get(parentPid)
    if (siblingPids) siblingPids.push(pid)
    else childPids.set(parentPid, [pid])
  }
  const treePids = [rootPid]
  for (let i = 0; i < treePids.length; i++) treePids.push(...(childPids.get(treePids[i]!) ?? []))
  return treePids
}

/** Private memory of a process in bytes; 0 if unavailable. */
export function readProcessMemory(pid: number): number {
  const statmFields = readProcFile(`/proc/${pid}/statm`)?.split(' ')
  return statmFields ? Math.max(0, Number(statmFields[1]) - Number(statmFields[2])) * pageBytes : 0
}

/** Private memory of a process and its descendants in bytes; 0 if unavailable. */
export function readTreeMemory(rootPid: number): number {
  let totalBytes = 0
  for (const pid of listTreePids(rootPid)) totalBytes += readProcessMemory(pid)
  return totalBytes
}

/** Kills a browser reliably: its process group, and descendants that left the group. */
export function killTree(rootPid: number): void {
  const treePids = listTreePids(rootPid)
  for (const signalTarget of [-rootPid, ...treePids]) {
    try {
      process.kill(signalTarget, 'SIGKILL')
    } catch {
      // Already gone, or not a group leader.
    }
  }
}
