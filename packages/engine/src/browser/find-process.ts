import { type BrowserSearch, findBrowser } from './find-browser.ts'

// Entry point of a process that finds a browser for the process that started it, and ends.

process.on('disconnect', () => process.exit(0))
process.once('message', (search: BrowserSearch) => {
  void findBrowser(search).then((lookup) => process.send?.(lookup, () => process.disconnect()))
})
