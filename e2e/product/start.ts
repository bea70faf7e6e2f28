import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { production } from '../../scripts/javascript.ts'

export { freePort } from '../../packages/server/test/free-port.ts'

export const adminPassword = 'correct horse battery'
const root = join(import.meta.dirname, '../..')

export type Product = {
  url: string
  /** Everything that it printed so far. */
  output(): string
  /** Ctrl-C. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** What an orchestrator does: asks it to end. Resolves with the exit code. */
  terminate(): Promise<number | null>
  /** `kill -9` of its processes: its database and browser are left behind, as after a crash. */
  kill(): Promise<void>
  /** `kill -9` of its worker alone, which is started again. */
  killWorker(): Promise<void>
}

/** The processes that a process has started, by their command lines. */
function childrenOf(pid: number): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${pid}\n`)) return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return command.includes('process/child.js') ? [{ pid: Number(name), command }] : []
    } catch {
      // It ended meanwhile, or is no process.
      return []
    }
  })
}

/** A command of the server, on the data of a product; what it prints. Throws what it says when it fails. */
export function runCommand(data: string, command: 'audit' | 'user', ...args: string[]): string {
  const program = production(`packages/server/src/process/command/${command}.ts`)
  const done = spawnSync(process.execPath, [...program, ...args], {
    cwd: root,
    env: { ...process.env, CLEARWAY_DATA: data },
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Error(`${command} ${args[0]} ended with ${done.status}: ${done.stderr}`)
  return done.stdout
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', (code) => resolve(code))
  })

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It noticed the end of its parent first.
  }
}

/**
 * Starts the whole product as a process of its own, on a data folder, and waits until it is ready. Rejects with what it
 * printed when it ends before.
 */
export async function startProduct(options: {
  data: string
  port: number
  env?: Record<string, string>
}): Promise<Product> {
  const url = `http://127.0.0.1:${options.port}`
  const child = spawn(process.execPath, production('packages/server/src/main.ts'), {
    cwd: root,
    env: {
      ...process.env,
      CLEARWAY_DATA: options.data,
      CLEARWAY_PORT: String(options.port),
      CLEARWAY_ADMIN_PASSWORD: adminPassword,
      CLEARWAY_ALLOW_PRIVATE: 'all',
      // Whoever signs in first would be led to the terms.
      CLEARWAY_TERMS_REQUIRED: 'false',
      ...options.env,
    },
  })
  // Whoever has started it and fails leaves nothing running.
  const end = () => child.kill('SIGINT')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (d: Buffer) => (output += d.toString()))
  for (const start = performance.now(); performance.now() - start < 180_000;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output}`)
    // What it prints when all its processes work, and the web is there.
    if (output.includes('Clearway is ready'))
      return {
        url,
        output: () => output,
        stop: () => (child.kill('SIGINT'), ended(child)),
        terminate: () => (child.kill('SIGTERM'), ended(child)),
        kill: async () => {
          const own = childrenOf(child.pid!)
          child.kill('SIGKILL')
          for (const { pid } of own) killIfThere(pid)
          await ended(child)
        },
        killWorker: async () => {
          const find = () => childrenOf(child.pid!).find(({ command }) => command.includes('child.js worker'))
          // Between two lives there is none.
          for (let found = find(); ; found = find())
            if (found) return killIfThere(found.pid)
            else await new Promise((resolve) => setTimeout(resolve, 100))
        },
      }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`The server was not ready within three minutes:\n${output}`)
}
