import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * CPU of the whole process tree in seconds, also by kind of process; its peak memory (sum of PSS) in MB, wall time in seconds.
 */
export type Measure = {
  cpu: number
  cpuByKind: Record<string, number>
  peakMb: number
  wall: number
  memory: number[]
  output: string
}

const ticks = 100

function readStat(pid: number): { parent: number; cpu: number } | null {
  try {
    const statText = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = statText.slice(statText.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), cpu: (Number(fields[11]) + Number(fields[12])) / ticks }
  } catch {
    return null
  }
}

/** Returns the kind of a process: that of a browser's process, or the name of its program; null if it has ended. */
function readKind(pid: number): string | null {
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const program = basename(commandLine.split(/[\0 ]/, 1)[0]!)
    return (/--type=([\w-]+)/.exec(commandLine)?.[1] ?? program) || null
  } catch {
    return null
  }
}

function readPssMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Tracks a tree of processes. Members remain tracked after their parent has ended. */
function trackProcesses(root: number) {
  const cpu = new Map<number, number>([[root, 0]])
  const kinds = new Map<number, string>()
  return {
    sample(): number[] {
      const stats = new Map<number, { parent: number; cpu: number }>()
      for (const name of readdirSync('/proc')) {
        const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null
        if (stat) stats.set(Number(name), stat)
      }
      for (let grew = true; grew;) {
        grew = false
        for (const [pid, { parent }] of stats)
          if (!cpu.has(pid) && cpu.has(parent)) {
            cpu.set(pid, 0)
            grew = true
          }
      }
      const alive: number[] = []
      for (const [pid, stat] of stats)
        if (cpu.has(pid)) {
          cpu.set(pid, Math.max(cpu.get(pid)!, stat.cpu))
          // A process may start another program.
          kinds.set(pid, readKind(pid) ?? kinds.get(pid) ?? 'unknown')
          alive.push(pid)
        }
      return alive
    },
    total: () => [...cpu.values()].reduce((a, b) => a + b, 0),
    totalByKind() {
      const totals: Record<string, number> = {}
      for (const [pid, seconds] of cpu) totals[kinds.get(pid) ?? 'unknown'] = (totals[kinds.get(pid) ?? 'unknown'] ?? 0) + seconds
      return totals
    },
  }
}

/** Runs a Node program and measures it with all its child processes. Rejects when it fails. */
export async function measure(file: string, args: string[]): Promise<Measure> {
  const start = performance.now()
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const tree = trackProcesses(child.pid!)
  const memory: number[] = []
  let n = 0
  const timer = setInterval(() => {
    const alive = tree.sample()
    if (n++ % 10 === 0) memory.push(Math.round(alive.reduce((sum, pid) => sum + readPssMb(pid), 0)))
  }, 100)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`${file} ended with ${code}`)
  const wall = (performance.now() - start) / 1000
  return { cpu: tree.total(), cpuByKind: tree.totalByKind(), peakMb: Math.max(...memory), wall, memory, output }
}
