/** Which browser runs, for people: shown in health, in run facts and in the command line's report. */
export type BrowserFacts = {
  /** `setting`, `system`, `playwright`, `embedded` in the order in which they are tried. */
  source: 'setting' | 'system' | 'playwright' | 'embedded' | 'remote'
  /** A program; for a remote browser its URL. */
  path: string
  version: string
  /** The embedded browser has one font family only: results that depend on text size are marked. */
  limitedFonts: boolean
  sandboxed: boolean
  /** For a remote browser: the name by which it reaches this machine, where the guard listens for it. */
  guardHost?: string
  /** Variables that this browser needs to start. */
  env?: Record<string, string>
}
