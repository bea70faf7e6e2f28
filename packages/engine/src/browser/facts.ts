/** Which browser runs, for people: shown in health, in run facts and in the command line's report. */
export type BrowserFacts = {
  /** `setting`, `system`, `playwright`, `embedded` in the order in which they are tried. */
  source: 'setting' | 'system' | 'playwright' | 'embedded'
  path: string
  version: string
  /** The embedded browser has one font family only: results that depend on text size are marked. */
  limitedFonts: boolean
  sandboxed: boolean
  /** Variables that this browser needs to start. */
  env?: Record<string, string>
}
