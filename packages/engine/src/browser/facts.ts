/** The browser in use, as shown in health, run facts and the command line's report. */
export type BrowserFacts = {
  /** `setting`, `system`, `playwright`, `embedded`: the order in which they are tried. */
  source: 'setting' | 'system' | 'playwright' | 'embedded' | 'remote'
  /** Path of the program, or URL of a remote browser. */
  path: string
  version: string
  /** The embedded browser has only one font family. Results that depend on text size are marked. */
  limitedFonts: boolean
  sandboxed: boolean
  /** Remote browsers only: host name under which the browser reaches the guard on this machine. */
  guardHost?: string
  /** Environment variables required to start the browser. */
  env?: Record<string, string>
}
