import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildProductionArgs } from '../../scripts/javascript.ts'

export { findFreePort, isPortFree } from '../../packages/engine/test/free-port.ts'

export const adminPassword = 'correct horse battery'
const root = join(import.meta.dirname, '../..')

export type Product = {
  url: string
  /** All output so far. */
  output(): string
  /** Sends Ctrl-C. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGTERM, as an orchestrator does. Resolves with the exit code. */
  terminate(): Promise<number | null>
  /** `kill -9` of its processes: its database and browser survive, as after a crash. */
  kill(): Promise<void>
  /** `kill -9` of its worker alone, which is started again. */
  killWorker(): Promise<void>
}

function listChildren(pid: number): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${pid}\n`)) return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return command.includes('process/child.js') ? [{ pid: Number(name), command }] : []
    } catch {
      // It has ended, or is no process.
      return []
    }
  })
}

/** Runs a server command on the data of a product. Returns its output; throws its error output when it fails. */
export function runCommand(dataFolder: string, command: 'audit' | 'user', ...args: string[]): string {
  const program = buildProductionArgs(`packages/server/src/process/command/${command}.ts`)
  const completed = spawnSync(process.execPath, [...program, ...args], {
    cwd: root,
    env: { ...process.env, CLEARWAY_DATA: dataFolder },
    encoding: 'utf8',
  })
  if (completed.status !== 0) throw new Error(`${command} ${args[0]} ended with ${completed.status}: ${completed.stderr}`)
  return completed.stdout
}

const waitForExit = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', (code) => resolve(code))
  })

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It noticed the end of its parent first.
  }
}

/**
 * Starts the whole product as a separate process on a data folder, and waits until it is ready. Rejects with its output when
 * it exits before.
 */
export async function startProduct(options: { data: string; port: number; env?: Record<string, string> }): Promise<Product> {
  const url = `http://127.0.0.1:${options.port}`
  const child = spawn(process.execPath, buildProductionArgs('packages/server/src/main.ts'), {
    cwd: root,
    env: {
      ...process.env,
      CLEARWAY_DATA: options.data,
      CLEARWAY_PORT: String(options.port),
      CLEARWAY_ADMIN_PASSWORD: adminPassword,
      CLEARWAY_ALLOW_PRIVATE: 'all',
      // Otherwise the first sign-in would lead to the terms.
      CLEARWAY_TERMS_REQUIRED: 'false',
      ...options.env,
    },
  })
  // A failed start leaves no process running.
  const interrupt = () => child.kill('SIGINT')
  process.once('exit', interrupt)
  child.once('exit', () => process.off('exit', interrupt))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (d: Buffer) => (output += d.toString()))
  for (const start = performance.now(); performance.now() - start < 180_000;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output}`)
    // Printed when all processes work and the web is available.
    if (output.includes('Clearway is ready'))
      return {
        url,
        output: () => output,
        stop: () => (child.kill('SIGINT'), waitForExit(child)),
        terminate: () => (child.kill('SIGTERM'), waitForExit(child)),
        kill: async () => {
          const childProcesses = listChildren(child.pid!)
          child.kill('SIGKILL')
          for (const { pid } of childProcesses) killIfRunning(pid)
          await waitForExit(child)
        },
        killWorker: async () => {
          const findWorker = () => listChildren(child.pid!).find(({ command }) => command.includes('child.js worker'))
          // Between two worker processes there is none.
          for (let workerProcess = findWorker(); ; workerProcess = findWorker())
            if (workerProcess) return killIfRunning(workerProcess.pid)
            else await new Promise((resolve) => setTimeout(resolve, 100))
        },
      }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`The server was not ready within three minutes:\n${output}`)
}
