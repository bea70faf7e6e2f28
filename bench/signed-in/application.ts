import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'

/** An application with an administrator, installed into a folder of its own. */
export type Application = {
  name: string
  /** Installs it with its data; does nothing if that was done. */
  install: (folder: string) => Promise<void>
  start: (folder: string, port: number) => ChildProcess
  /** Paths below its origin. */
  startPath: string
  signInPath: string
  user: string
  /** Rows of its database or files by table, as text. */
  dump: (folder: string) => Promise<Dump>
}

/** Rows by table. A row is its text, so that each change of it counts. */
export type Dump = ReadonlyMap<string, readonly string[]>

export const password = 'Bench-S3cret!7'

const runFile = promisify(execFile)

/** Runs a program of an installation. @throws with its output if it fails */
export const run = async (program: string, args: readonly string[], options: { cwd: string; env?: Record<string, string> }) => {
  const { stdout } = await runFile(program, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** Starts a server. Its output is ignored. */
export const startServer = (
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): ChildProcess => spawn(program, [...args], { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: 'ignore' })

const maxStartMs = 120_000

/** Waits until a server responds at a URL. */
export async function waitForAnswer(url: string): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < maxStartMs; await sleep(500)) {
    const response = await fetch(url, { redirect: 'manual' }).catch(() => null)
    if (response && response.status < 500) return
  }
  throw new Error(`${url} does not answer`)
}

/** Rows that two dumps do not share, by table. */
export function compareDumps(before: Dump, after: Dump): { table: string; added: string[]; removed: string[] }[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((table) => {
    const beforeRows = new Set(before.get(table))
    const afterRows = new Set(after.get(table))
    const added = [...afterRows].filter((row) => !beforeRows.has(row))
    const removed = [...beforeRows].filter((row) => !afterRows.has(row))
    return added.length + removed.length > 0 ? [{ table, added, removed }] : []
  })
}
