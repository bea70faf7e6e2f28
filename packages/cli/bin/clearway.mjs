#!/usr/bin/env node
// Plain JavaScript: finds Node 24 and runs the command line under it, in the folder where it was called.
import { run } from '../../../scripts/node24.mjs'

run('packages/cli/src/main.ts', process.argv.slice(2), process.cwd())
