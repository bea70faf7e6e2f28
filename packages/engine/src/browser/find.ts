import { existsSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { unpackEmbedded } from './embedded.ts'
import type { BrowserFacts } from './facts.ts'
import { connect, isRemote, launch } from './launch.ts'

/** The browser that was found, or why there is none. */
export type BrowserLookup =
  | { found: true; facts: BrowserFacts }
  | {
      found: false
      /** What was tried, and why it did not start. */ tried: { what: string; why: string }[]
      /** What to do, one sentence. */ remedy: string
    }

type Candidate = { source: BrowserFacts['source']; path: string; env: Record<string, string> }

/** Names on PATH, headless builds first: they do the same work with a fifth less CPU. */
const names = [
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

function systemPaths(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name + suffix)))
  return [...new Set([...onPath, ...(usualPaths[process.platform] ?? [])])].filter((path) => existsSync(path))
}

/** The value of the setting that asks for the browser from npm, whatever else is installed. */
const embedded = 'embedded'

/** Builds that never have a window, whatever they are asked for. */
const isHeadlessBuild = (path: string): boolean => /headless-shell/.test(basename(path))

/** The program for runs whose browser has a window: the found one, else the first full one of the system; null without any. */
export function programWithWindow({ source, path }: BrowserFacts): string | null {
  if (source === 'remote') return path
  if (source !== 'embedded' && !isHeadlessBuild(path)) return path
  return systemPaths().find((other) => !isHeadlessBuild(other)) ?? null
}

const firstLine = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  // What the browser itself said explains more than that its pipe closed.
  const said = lines.find((line) => /error while loading|\[err\]|FATAL|No usable sandbox/.test(line))
  return (said ?? lines.find((line) => line !== '') ?? 'unknown').slice(0, 300)
}

const asRoot = (): boolean => process.getuid?.() === 0

/** Starts a candidate for real and ends it again: a file that exists proves nothing. */
async function tryCandidate(
  candidate: Candidate,
  sandbox: boolean,
): Promise<{ facts: BrowserFacts } | { why: string }> {
  // Chromium refuses to start its sandbox for root; anyone else gets it, or an error that says so.
  const sandboxed = sandbox && !asRoot()
  try {
    const launched = await launch({ path: candidate.path, sandbox: sandboxed, env: candidate.env })
    await launched.browser.close()
    return {
      facts: {
        source: candidate.source,
        path: candidate.path,
        version: launched.version,
        limitedFonts: candidate.source === 'embedded',
        sandboxed,
        env: candidate.env,
      },
    }
  } catch (error) {
    const why = firstLine(error)
    if (!sandboxed) return { why }
    const without = await tryCandidate(candidate, false)
    if ('why' in without) return { why }
    return { why: `it starts only without its sandbox, which needs user namespaces (${why})` }
  }
}

/** Asks a browser that runs elsewhere; what it says is what is known. */
async function tryRemote(
  endpoint: string,
  guardHost: string | undefined,
): Promise<{ facts: BrowserFacts } | { why: string }> {
  try {
    const { browser, version } = await connect(endpoint)
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
    return { why: firstLine(error) }
  }
}

async function* candidates(options: {
  setting: string | null
  cacheFolder: string
}): AsyncGenerator<Candidate | { what: string; why: string }> {
  if (options.setting !== embedded) {
    if (options.setting !== null) yield { source: 'setting', path: options.setting, env: {} }
    for (const path of systemPaths()) yield { source: 'system', path, env: {} }
    const own = chromium.executablePath()
    if (own !== '' && existsSync(own)) yield { source: 'playwright', path: own, env: {} }
    else yield { what: "Playwright's own browser", why: 'not installed' }
  }
  try {
    yield { source: 'embedded', ...(await unpackEmbedded(join(options.cacheFolder, 'browser'))) }
  } catch (error) {
    yield { what: 'the browser package', why: firstLine(error) }
  }
}

const remedies = {
  none: 'Install Chrome or Chromium (on Debian: apt install chromium), or name its program in CLEARWAY_BROWSER.',
  remote: 'Start the browser that CLEARWAY_BROWSER names, or name a program there.',
  root: 'Chromium has no sandbox for root: run as another user, or let CLEARWAY_SANDBOX be auto.',
  sandbox:
    'Allow user namespaces for this user, or switch the sandbox off in the settings if every scanned site is trusted.',
}

/**
 * Finds the first browser that really starts: the setting, the system's, Playwright's, the npm package's.
 * `cacheFolder` takes what must be unpacked (readable by this user only). With `sandbox` on, a browser that starts only
 * without its sandbox does not count, except for root, for whom Chromium has none.
 * A setting that does not start is not passed over in silence: the lookup fails. `embedded` takes the npm package's alone.
 */
export async function findBrowser(options: {
  setting: string | null
  cacheFolder: string
  /** `always`: no browser at all rather than one without it, which for root there is not. */
  sandbox: boolean | 'always'
  /** For a remote browser: the name of this machine as that browser knows it; left out, they are one machine. */
  guardHost?: string
}): Promise<BrowserLookup> {
  const tried: { what: string; why: string }[] = []
  if (options.setting !== null && isRemote(options.setting)) {
    const remote = await tryRemote(options.setting, options.guardHost)
    if ('facts' in remote) return { found: true, facts: remote.facts }
    return { found: false, tried: [{ what: options.setting, why: remote.why }], remedy: remedies.remote }
  }
  if (options.sandbox === 'always' && asRoot())
    return {
      found: false,
      tried: [{ what: 'the sandbox', why: 'this process is root' }],
      remedy: remedies.root,
    }
  for await (const candidate of candidates(options)) {
    if ('why' in candidate) {
      tried.push(candidate)
      continue
    }
    const result =
      candidate.source === 'setting' && !existsSync(candidate.path)
        ? { why: 'there is no such file' }
        : await tryCandidate(candidate, options.sandbox !== false)
    if ('facts' in result) return { found: true, facts: result.facts }
    tried.push({ what: candidate.path, why: result.why })
    if (candidate.source === 'setting')
      return {
        found: false,
        tried,
        remedy: 'Correct CLEARWAY_BROWSER, or leave it out to have one looked for.',
      }
  }
  const onlySandbox = tried.some(({ why }) => why.includes('only without its sandbox'))
  return { found: false, tried, remedy: onlySandbox ? remedies.sandbox : remedies.none }
}
