/** Use of the browser's sandbox: `true` if it is possible, `always` or not at all, `false` never. */
export type SandboxMode = boolean | 'always'

/**
 * Combines the option `--no-sandbox` with `CLEARWAY_SANDBOX`, which means the same as for the server: `on` refuses to run
 * without a sandbox, also with the option.
 * @returns a text for a wrong setting
 */
export function readSandboxMode(option: boolean, setting: string | undefined): SandboxMode | { wrong: string } {
  switch (setting?.trim().toLowerCase() || 'auto') {
    case 'on':
      return 'always'
    case 'off':
      return false
    case 'auto':
      return option
    default:
      return { wrong: `CLEARWAY_SANDBOX is on, off or auto, not "${setting}".` }
  }
}

/** The warning about a sandbox that is missing without `--no-sandbox`; null for none. */
export function describeMissingSandbox(mode: SandboxMode, browser: { source: string; sandboxed: boolean }): string | null {
  // A remote browser is started by others.
  if (mode === false || browser.sandboxed || browser.source === 'remote') return null
  return (
    'The browser runs without its sandbox, because Chromium has none for root: run as another user for sites that you do not ' +
    'trust, refuse with CLEARWAY_SANDBOX=on, or accept with --no-sandbox.'
  )
}
