#!/usr/bin/env node
// Plain JavaScript: finds Node 24 and runs the command line under it, in the folder where it was called.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../../../scripts/node24.mjs'

/** Commands for operators, each a program of its own on the database of the server. The command line has all others. */
const operatorPrograms = new Map([
  ...['audit', 'backup', 'compact', 'migrate', 'objects', 'proof', 'restore', 'support', 'user'].map((command) => [
    command,
    `packages/server/src/process/command/${command}.ts`,
  ]),
  ['seed', 'e2e/seed.ts'],
])

const [command, ...commandArguments] = process.argv.slice(2)
const operatorProgram = operatorPrograms.get(command)
if (operatorProgram && existsSync(join(root, operatorProgram))) {
  // The data folder is relative to the server's folder; files of the command are relative to the caller's.
  process.env.INIT_CWD = process.cwd()
  run(operatorProgram, commandArguments, root)
} else run('packages/cli/src/main.ts', process.argv.slice(2), process.cwd())
