#!/usr/bin/env node
// Plain JavaScript: finds Node 24 and runs the command line under it, in the folder where it was called.
import { root, run } from '../../../scripts/node24.mjs'

/** Commands that work on the database of the server, each a program of its own; all others are of the command line itself. */
const ofServer = ['audit', 'backup', 'migrate', 'objects', 'restore', 'user']

const [command, ...rest] = process.argv.slice(2)
if (ofServer.includes(command)) {
  // The data folder is found from where the server starts; files of the command from where it was called.
  process.env.INIT_CWD = process.cwd()
  run(`packages/server/src/process/command/${command}.ts`, rest, root)
} else run('packages/cli/src/main.ts', process.argv.slice(2), process.cwd())
