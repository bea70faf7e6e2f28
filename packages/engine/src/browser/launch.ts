import { getPriority } from 'node:os'
import { chromium, type Browser } from 'playwright-core'
import { setSessionPriority } from './priority.ts'

/** A kind of browser process: `key` distinguishes it from others, so that runs that want the same one share it. */
export type Variant = {
  key: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** False: with a window, on a display. */
  headless: boolean
  /** Another program than the usual one. */
  path?: string
}

export type Launched = {
  browser: Browser
  /** Null for a browser of another machine: it can be left, not killed or measured. */
  pid: number | null
  version: string
}

/** Where nothing listens: a context that was given no guard gets an error, not the network. */
const deadProxy = 'http://127.0.0.1:9'

/** Playwright's own switches that take a protection of Chromium's away from us. */
const notOurs = [
  // Without the protection, a page that calls history.pushState in a loop hangs the whole browser.
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
]

/** What Playwright turns off, each for a reason of its own: a second list takes the place of the first, so ours says it again. */
const featuresOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** Full Chromium keeps pages ready that would open below its address bar: two processes of some 60 MB for each run. */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

const switches = [
  `--disable-features=${[...featuresOffByPlaywright, ...addressBarPages].join(',')}`,
  // Full Chromium reads the first, headless builds the second: no UDP past the guard.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
]

/** What the browser's process gets from our environment; nothing that is secret. */
const inherited = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'TEMP',
  'TMP',
  'USER',
  'SystemRoot',
  'LOCALAPPDATA',
  'XDG_RUNTIME_DIR',
]

function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of inherited) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return { ...env, ...extra }
}

/**
 * Starts a Chromium, waiting 20 s at most. `env` comes on top of the few inherited variables.
 * Rejects with what the browser or its absence said.
 */
export async function launch(options: {
  path: string
  sandbox: boolean
  env: Readonly<Record<string, string>>
  variant?: Variant
}): Promise<Launched> {
  const { variant } = options
  const browser = await chromium.launch({
    executablePath: options.path,
    headless: variant?.headless ?? true,
    chromiumSandbox: options.sandbox,
    proxy: { server: deadProxy },
    ignoreDefaultArgs: notOurs,
    args: [...switches, ...(variant?.args ?? [])],
    env: environment({ ...options.env, ...variant?.env }),
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: 20_000,
  })
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pid = processInfo.find((process) => process.type === 'browser')?.id
  await session.detach()
  if (pid === undefined) {
    await browser.close()
    throw new Error('The browser did not name its process')
  }
  await setSessionPriority(pid, getPriority())
  return { browser, pid, version: browser.version() }
}

/** Whether a setting names a browser that runs already: `http(s)://…` and `ws(s)://…`. */
export const isRemote = (setting: string): boolean => /^(https?|wss?):\/\//.test(setting)

/**
 * Connects to a browser that runs elsewhere, waiting 20 s at most: by Chrome's own protocol where the URL is http or names
 * `/devtools/`, else by Playwright's. What protects a browser from inside (its switches) is up to whoever runs it.
 */
export async function connect(endpoint: string): Promise<Launched> {
  const byChrome = endpoint.startsWith('http') || endpoint.includes('/devtools/')
  const browser = byChrome
    ? await chromium.connectOverCDP(endpoint, { timeout: 20_000 })
    : await chromium.connect(endpoint, { timeout: 20_000 })
  return { browser, pid: null, version: browser.version() }
}
