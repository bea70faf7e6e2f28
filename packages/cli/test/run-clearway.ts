import { spawn } from 'node:child_process'
import { buildProductionArgs } from '../../../scripts/javascript.ts'

/** Node's arguments for the command line as built. `bin/clearway.mjs` starts two more processes before it. */
export const clearwayProgram: readonly string[] = buildProductionArgs('packages/cli/src/main.ts')

export type CommandResult = { code: number | null; out: string; err: string }

/** Runs the command line in a process of its own, with piped input and output. */
export function runClearway(
  commandArguments: readonly string[],
  { cwd, env = {}, input = '' }: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const commandProcess = spawn(process.execPath, [...clearwayProgram, ...commandArguments], {
      cwd,
      env: { ...process.env, ...env },
    })
    commandProcess.stdin.end(input)
    let [out, err] = ['', '']
    commandProcess.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    commandProcess.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    commandProcess.on('close', (code) => resolve({ code, out, err }))
  })
}
