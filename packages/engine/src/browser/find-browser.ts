import { existsSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { unpackEmbedded } from './embedded.ts'
import type { BrowserFacts } from './facts.ts'
import { connectToBrowser, isRemoteSetting, launchBrowser, loadChromium } from './launch.ts'

/** The browser found, or the reason why there is none. */
export type BrowserLookup =
  | { found: true; facts: BrowserFacts }
  | {
      found: false
      /** Candidates and the reason why each failed. */
      tried: { what: string; why: string }[]
      /** One-sentence instruction. */
      remedy: string
    }

export type BrowserSearch = {
  setting: string | null
  cacheFolder: string
  /** `always`: fails rather than running without a sandbox, which is unavailable to root. */
  sandbox: boolean | 'always'
  /** Remote browsers only: this machine's host name as seen by the browser. Omitted: both run on one machine. */
  guardHost?: string
  /** Additional variables of the browser process. */
  env?: Readonly<Record<string, string>>
}

type BrowserCandidate = { source: BrowserFacts['source']; path: string; env: Record<string, string> }

/** Program names on PATH. Headless builds come first: they use a fifth less CPU. */
const programNames = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
]

const usualPaths: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['/usr/bin/google-chrome-stable', '/usr/bin/chromium', '/opt/google/chrome/chrome'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

function listSystemPaths(): string[] {
  const pathFolders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const programSuffix = process.platform === 'win32' ? '.exe' : ''
  const pathCandidates = programNames.flatMap((name) => pathFolders.map((folder) => join(folder, name + programSuffix)))
  return [...new Set([...pathCandidates, ...(usualPaths[process.platform] ?? [])])].filter((programPath) =>
    existsSync(programPath),
  )
}

/** Setting value that forces the npm package's browser, regardless of installed browsers. */
const embeddedSetting = 'embedded'

/** Returns true for builds that never open a window, regardless of options. */
const isHeadlessBuild = (path: string): boolean => /headless-shell/.test(basename(path))

/** Returns the program for headed runs: the configured one, otherwise the system's first full browser; null if there is none. */
export function findHeadedProgram({ source, path }: BrowserFacts): string | null {
  if (source === 'remote') return path
  if (source !== 'embedded' && !isHeadlessBuild(path)) return path
  return listSystemPaths().find((systemPath) => !isHeadlessBuild(systemPath)) ?? null
}

const summarizeError = (error: unknown): string => {
  const errorText = error instanceof Error ? error.message : String(error)
  const errorLines = errorText.split('\n').map((line) => line.trim())
  // The browser's own message is more useful than "pipe closed".
  const browserMessage = errorLines.find((line) => /error while loading|\[err\]|FATAL|No usable sandbox/.test(line))
  return (browserMessage ?? errorLines.find((line) => line !== '') ?? 'unknown').slice(0, 300)
}

const isRunningAsRoot = (): boolean => process.getuid?.() === 0

/** Launches and closes a candidate: an existing file alone proves nothing. */
async function tryCandidate(candidate: BrowserCandidate, sandbox: boolean): Promise<{ facts: BrowserFacts } | { why: string }> {
  // Chromium refuses its sandbox for root. Other users get it, or an error that says so.
  const usesSandbox = sandbox && !isRunningAsRoot()
  try {
    const launchedBrowser = await launchBrowser({ path: candidate.path, sandbox: usesSandbox, env: candidate.env })
    await launchedBrowser.browser.close()
    return {
      facts: {
        source: candidate.source,
        path: candidate.path,
        version: launchedBrowser.version,
        limitedFonts: candidate.source === 'embedded',
        sandboxed: usesSandbox,
        env: candidate.env,
      },
    }
  } catch (error) {
    const failureReason = summarizeError(error)
    if (!usesSandbox) return { why: failureReason }
    const unsandboxedResult = await tryCandidate(candidate, false)
    if ('why' in unsandboxedResult) return { why: failureReason }
    return { why: `it starts only without its sandbox, which needs user namespaces (${failureReason})` }
  }
}

/** Connects to a remote browser, which reports its own facts. */
async function tryRemote(endpoint: string, guardHost: string | undefined): Promise<{ facts: BrowserFacts } | { why: string }> {
  try {
    const { browser, version } = await connectToBrowser(endpoint)
    await browser.close()
    return {
      facts: {
        source: 'remote',
        path: endpoint,
        version,
        limitedFonts: false,
        sandboxed: false,
        ...(guardHost === undefined ? {} : { guardHost }),
      },
    }
  } catch (error) {
    return { why: summarizeError(error) }
  }
}

async function* listCandidates(options: {
  setting: string | null
  cacheFolder: string
}): AsyncGenerator<BrowserCandidate | { what: string; why: string }> {
  if (options.setting !== embeddedSetting) {
    if (options.setting !== null) yield { source: 'setting', path: options.setting, env: {} }
    for (const path of listSystemPaths()) yield { source: 'system', path, env: {} }
    const playwrightPath = (await loadChromium()).executablePath()
    if (playwrightPath !== '' && existsSync(playwrightPath)) yield { source: 'playwright', path: playwrightPath, env: {} }
    else yield { what: "Playwright's own browser", why: 'not installed' }
  }
  try {
    yield { source: 'embedded', ...(await unpackEmbedded(join(options.cacheFolder, 'browser'))) }
  } catch (error) {
    yield { what: 'the browser package', why: summarizeError(error) }
  }
}

const remedies = {
  none: 'Install Chrome or Chromium (on Debian: apt install chromium), or name its program in CLEARWAY_BROWSER.',
  remote: 'Start the browser that CLEARWAY_BROWSER names, or name a program there.',
  root: 'Chromium has no sandbox for root: run as another user, or let CLEARWAY_SANDBOX be auto, if you trust every scanned site.',
  sandbox: 'Allow user namespaces for this user, or switch the sandbox off in the settings if every scanned site is trusted.',
}

/**
 * Finds the first browser that starts: the setting, the system's, Playwright's, the npm package's. Unpacks into `cacheFolder`
 * (readable by this user only). With `sandbox`, browsers that start only without a sandbox are rejected, except for root, which
 * has no sandbox. The lookup fails if the configured browser does not start. `embedded` allows only the npm package's browser.
 */
export async function findBrowser(options: BrowserSearch): Promise<BrowserLookup> {
  const triedCandidates: { what: string; why: string }[] = []
  if (options.setting !== null && isRemoteSetting(options.setting)) {
    const remoteResult = await tryRemote(options.setting, options.guardHost)
    if ('facts' in remoteResult) return { found: true, facts: remoteResult.facts }
    return { found: false, tried: [{ what: options.setting, why: remoteResult.why }], remedy: remedies.remote }
  }
  if (options.sandbox === 'always' && isRunningAsRoot())
    return { found: false, tried: [{ what: 'the sandbox', why: 'this process is root' }], remedy: remedies.root }
  for await (const candidate of listCandidates(options)) {
    if ('why' in candidate) {
      triedCandidates.push(candidate)
      continue
    }
    const candidateResult =
      candidate.source === 'setting' && !existsSync(candidate.path)
        ? { why: 'there is no such file' }
        : await tryCandidate({ ...candidate, env: { ...options.env, ...candidate.env } }, options.sandbox !== false)
    if ('facts' in candidateResult) return { found: true, facts: candidateResult.facts }
    triedCandidates.push({ what: candidate.path, why: candidateResult.why })
    if (candidate.source === 'setting')
      return { found: false, tried: triedCandidates, remedy: 'Correct CLEARWAY_BROWSER, or remove it to search for a browser.' }
  }
  const isSandboxFailure = triedCandidates.some(({ why: failureText }) => failureText.includes('only without its sandbox'))
  return { found: false, tried: triedCandidates, remedy: isSandboxFailure ? remedies.sandbox : remedies.none }
}
