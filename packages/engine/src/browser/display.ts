import { spawn, type ChildProcess } from 'node:child_process'
import type { BrowserFacts } from './facts.ts'
import { programWithWindow } from './find.ts'
import type { Variant } from './launch.ts'

/** A screen for browsers with a window. */
export type Display =
  { kind: 'display'; variant: Variant; close: () => void } | { kind: 'missing'; detail: string }

const startMs = 10_000

const variantOf = (path: string, display: string): Variant => ({
  path,
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

/**
 * The screen that this process has, or a virtual one of its own (Xvfb), which ends with `close`; and a program that has
 * windows, since the one for all other runs may be a headless build.
 */
export async function openDisplay(facts: BrowserFacts): Promise<Display> {
  const path = programWithWindow(facts)
  if (path === null)
    return {
      kind: 'missing',
      detail: `A browser with a window needs full Chrome or Chromium; ${facts.path} has none`,
    }
  if (process.env.DISPLAY)
    return { kind: 'display', variant: variantOf(path, process.env.DISPLAY), close: () => undefined }
  const virtual = await startVirtual()
  if (!virtual)
    return {
      kind: 'missing',
      detail: 'A browser with a window needs a display: set DISPLAY, or install Xvfb (Debian: xvfb)',
    }
  return {
    kind: 'display',
    variant: variantOf(path, virtual.display),
    close: () => void virtual.child.kill('SIGTERM'),
  }
}
