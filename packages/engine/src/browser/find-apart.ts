import { fork } from 'node:child_process'
import type { BrowserLookup, BrowserSearch } from './find-browser.ts'

/**
 * Finds a browser as `findBrowser` does, in a process of its own: this one then does without Playwright, and its memory, until
 * it opens a page.
 * @throws if the process ends without a result
 */
export async function findBrowserApart(search: BrowserSearch): Promise<BrowserLookup> {
  const childProcess = fork(new URL('./find-process.ts', import.meta.url), [], {
    // Plain JavaScript runs without type stripping.
    execArgv: ['--no-warnings', ...(process.features.typescript === false ? ['--no-strip-types'] : [])],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // The end of this process must end a search, and not wait for it.
  const endSearch = () => childProcess.kill('SIGKILL')
  process.once('exit', endSearch)
  try {
    return await new Promise<BrowserLookup>((resolve, reject) => {
      childProcess.once('error', reject)
      childProcess.once('message', (lookup) => resolve(lookup as BrowserLookup))
      childProcess.once('exit', (code, signal) =>
        reject(new Error(`The search for a browser ended by ${signal ?? `exit code ${code}`}`)),
      )
      childProcess.send(search, () => undefined)
    })
  } finally {
    process.off('exit', endSearch)
  }
}
