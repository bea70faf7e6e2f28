/** Which browser runs, for people: shown in health, in run facts and in the command line's report. */
export type BrowserFacts = {
  /** `setting`, `system`, `playwright`, `embedded` in the order in which they are tried. */
  source: 'setting' | 'system' | 'playwright' | 'embedded'
  path: string
  version: string
  /** The embedded browser has one font family only: results that depend on text size are marked. */
  limitedFonts: boolean
  sandboxed: boolean
}

export type BrowserLookup =
  | { found: true; facts: BrowserFacts }
  | {
      found: false
      /** What was tried, and why it did not start. */ tried: { what: string; why: string }[]
      /** What to do, one sentence. */ remedy: string
    }

/** Starts, watches, recycles and ends browsers; survives their crashes. */
export type BrowserPool = {
  facts: BrowserFacts
  close(): Promise<void>
}

/** Finds the first browser that really starts: `CLEARWAY_BROWSER`, system, Playwright's, the npm package's. `cacheFolder` takes what must be unpacked. */
export declare function findBrowser(options: {
  setting: string | null
  cacheFolder: string
  sandbox: boolean
}): Promise<BrowserLookup>

export declare function openPool(
  facts: BrowserFacts,
  options: { pages: number; maxMemoryBytes?: number },
): Promise<BrowserPool>
