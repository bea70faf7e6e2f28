import { spawn, type ChildProcess } from 'node:child_process'
import type { BrowserFacts } from './facts.ts'
import { findHeadedProgram } from './find-browser.ts'
import type { Variant } from './launch.ts'

/** A screen for headed browsers. */
export type Display = { kind: 'display'; variant: Variant; close: () => void } | { kind: 'missing'; detail: string }

const startTimeoutMs = 10_000

const buildVariant = (path: string, display: string): Variant => ({
  path,
  key: `window ${display}`,
  args: [],
  env: { DISPLAY: display },
  headless: false,
})

/** Starts a virtual screen and returns its display number; null if Xvfb is missing or does not start. */
function startVirtualDisplay(): Promise<{ child: ChildProcess; display: string } | null> {
  return new Promise((resolve) => {
    const xvfbProcess = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const startTimer = setTimeout(() => xvfbProcess.kill('SIGKILL'), startTimeoutMs)
    const finishStart = (virtualDisplay: { child: ChildProcess; display: string } | null) => {
      clearTimeout(startTimer)
      resolve(virtualDisplay)
    }
    xvfbProcess.once('error', () => finishStart(null))
    xvfbProcess.once('exit', () => finishStart(null))
    xvfbProcess.stdio[3]?.once('data', (chunk: Buffer) =>
      finishStart({ child: xvfbProcess, display: `:${chunk.toString().trim()}` }),
    )
  })
}

/**
 * Returns this process's screen, or a virtual one (Xvfb) that `close` stops, and a program that supports windows. The
 * default browser may be a headless build.
 */
export async function openDisplay(facts: BrowserFacts): Promise<Display> {
  const programPath = findHeadedProgram(facts)
  if (programPath === null)
    return {
      kind: 'missing',
      detail: `A browser with a window needs full Chrome or Chromium; ${facts.path} has none`,
    }
  if (process.env.DISPLAY)
    return { kind: 'display', variant: buildVariant(programPath, process.env.DISPLAY), close: () => undefined }
  const virtualDisplay = await startVirtualDisplay()
  if (!virtualDisplay)
    return { kind: 'missing', detail: 'A browser with a window needs a display: set DISPLAY, or install Xvfb (Debian: xvfb)' }
  return {
    kind: 'display',
    variant: buildVariant(programPath, virtualDisplay.display),
    close: () => void virtualDisplay.child.kill('SIGTERM'),
  }
}
