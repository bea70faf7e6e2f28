/**
 * Set-up of the tests outside of the browser. Vitest maps each frame of a stack to its source. Playwright takes a stack of 50
 * frames at each call, in case it fails: mapping them took 8 % of the CPU time of a crawl. Its stacks stay as they are. Vitest keeps the lines of a source, so that a failure is still shown at its place.
 */
type FormatStack = (error: Error, frames: NodeJS.CallSite[]) => unknown

const stackSetting = Error as { prepareStackTrace?: FormatStack }
const mapStack = stackSetting.prepareStackTrace
const keepsPlaywrightStacks = Symbol.for('clearway.keeps-playwright-stacks')

// Files that share a process share its Error, too.
if (mapStack !== undefined && !(keepsPlaywrightStacks in mapStack)) {
  const formatStack: FormatStack = (error, frames) =>
    frames[0]?.getFunctionName() === 'captureRawStack'
      ? [
          `${error.name}: ${error.message}`,
          ...frames.map((frame: { toString: () => string }) => `    at ${frame.toString()}`),
        ].join('\n')
      : mapStack(error, frames)
  stackSetting.prepareStackTrace = Object.assign(formatStack, { [keepsPlaywrightStacks]: true })
}
