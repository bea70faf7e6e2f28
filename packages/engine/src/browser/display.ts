import { spawn, type ChildProcess } from 'node:child_process'
import type { Variant } from './launch.ts'

/** A screen for browsers with a window. */
export type Display =
  { kind: 'display'; variant: Variant; close: () => void } | { kind: 'missing'; detail: string }

const startMs = 10_000

const variantOf = (display: string): Variant => ({
  key: `window ${display}`,
  args: [],
  env: { DISPLAY: display },
  headless: false,
})

/** Starts a virtual screen and answers its number; null when the program is not there or does not start. */
function startVirtual(): Promise<{ child: ChildProcess; display: string } | null> {
  return new Promise((resolve) => {
    const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), startMs)
    const end = (value: { child: ChildProcess; display: string } | null) => {
      clearTimeout(timer)
      resolve(value)
    }
    child.once('error', () => end(null))
    child.once('exit', () => end(null))
    child.stdio[3]?.once('data', (chunk: Buffer) => end({ child, display: `:${chunk.toString().trim()}` }))
  })
}

/** The screen that this process has, or a virtual one of its own (Xvfb), which ends with `close`. */
export async function openDisplay(): Promise<Display> {
  if (process.env.DISPLAY)
    return { kind: 'display', variant: variantOf(process.env.DISPLAY), close: () => undefined }
  const virtual = await startVirtual()
  if (!virtual)
    return {
      kind: 'missing',
      detail: 'A browser with a window needs a display: set DISPLAY, or install Xvfb (Debian: xvfb)',
    }
  return {
    kind: 'display',
    variant: variantOf(virtual.display),
    close: () => void virtual.child.kill('SIGTERM'),
  }
}
