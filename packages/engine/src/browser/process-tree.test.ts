import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { killTree, readTreeMemory } from './process-tree.ts'

/** Starts a process that holds 100 MB at each line of its input, and ends it at the next one. */
const program = `
  const { spawn } = require('node:child_process')
  let child = null
  process.stdin.on('data', () => {
    if (child) return void child.once('exit', () => console.log('ended')).kill('SIGKILL')
    child = spawn(process.execPath, ['-e', 'const bytes = Buffer.alloc(100e6, 1); console.log(bytes.length); setInterval(() => {}, 1000)'])
    child.stdout.once('data', () => console.log('started'))
  })
  console.log('ready')`

test.skipIf(!existsSync('/proc/self/stat'))(
  'the memory of a tree follows its processes from one reading to the next',
  async () => {
    const parent = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => killTree(parent.pid!))
    const awaitLine = () => once(parent.stdout, 'data')
    await awaitLine()
    const memoryBefore = readTreeMemory(parent.pid!)
    parent.stdin.write('start\n')
    await awaitLine()
    expect(readTreeMemory(parent.pid!) - memoryBefore).toBeGreaterThan(90e6)
    parent.stdin.write('end\n')
    await awaitLine()
    expect(readTreeMemory(parent.pid!) - memoryBefore).toBeLessThan(50e6)
  },
)
