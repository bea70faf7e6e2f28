import { getPriority } from 'node:os'
import type { Browser, BrowserType } from 'playwright-core'
import { setSessionPriority } from './priority.ts'

/** A kind of browser process. Runs with the same `key` share a process. */
export type Variant = {
  key: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** False: headed, on a display. */
  headless: boolean
  /** Program to use instead of the default. */
  path?: string
}

/** Loads Playwright, which takes 30 MB, when a browser is needed: a worker without runs does without it. */
export const loadChromium = async (): Promise<BrowserType> => (await import('playwright-core')).chromium

export type LaunchedBrowser = {
  browser: Browser
  /** Null for a browser on another machine, which cannot be killed or measured. */
  pid: number | null
  version: string
  /** A full browser without a display: it draws windows that no user sees. */
  hasUnseenWindows: boolean
}

/** An address without a listener: a context without a guard gets errors instead of network access. */
const unreachableProxy = 'http://127.0.0.1:9'

/** Playwright's default switches that disable protections of Chromium. */
const rejectedDefaultSwitches = [
  // Without this protection, a page that calls history.pushState in a loop hangs the whole browser.
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
]

/** Features that Playwright disables. A second --disable-features list replaces the first, so ours repeats them. */
const playwrightDisabledFeatures = [
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

/** Full Chromium preloads pages for its address bar: two processes of about 60 MB for each run. */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

const browserSwitches = [
  `--disable-features=${[...playwrightDisabledFeatures, ...addressBarPages].join(',')}`,
  // Full Chromium reads the first switch, headless builds the second: no UDP bypasses the guard.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
]

/** Variables that the browser process inherits. None are secret. */
const inheritedVariables = [
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

function buildEnvironment(extraVariables: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = {}
  for (const variableName of inheritedVariables) {
    const value = process.env[variableName]
    if (value !== undefined) env[variableName] = value
  }
  return { ...env, ...extraVariables }
}

/**
 * Starts Chromium with a timeout of 20 s. `env` extends the inherited variables.
 * @throws the browser's error message, or the reason why it could not be started.
 */
export async function launchBrowser(options: {
  path: string
  sandbox: boolean
  env: Readonly<Record<string, string>>
  variant?: Variant
}): Promise<LaunchedBrowser> {
  const { variant } = options
  const chromium = await loadChromium()
  const browser = await chromium.launch({
    executablePath: options.path,
    headless: variant?.headless ?? true,
    chromiumSandbox: options.sandbox,
    proxy: { server: unreachableProxy },
    ignoreDefaultArgs: rejectedDefaultSwitches,
    args: [...browserSwitches, ...(variant?.args ?? [])],
    env: buildEnvironment({ ...options.env, ...variant?.env }),
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: 20_000,
  })
  const browserSession = await browser.newBrowserCDPSession()
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo')
  const { product } = await browserSession.send('Browser.getVersion')
  const browserPid = processInfo.find((process) => process.type === 'browser')?.id
  await browserSession.detach()
  if (browserPid === undefined) {
    await browser.close()
    throw new Error('The browser did not name its process')
  }
  await setSessionPriority(browserPid, getPriority())
  // Builds without windows say so in their name.
  const hasUnseenWindows = variant?.headless !== false && !product.startsWith('Headless')
  return { browser, pid: browserPid, version: browser.version(), hasUnseenWindows }
}

/** Returns true if the setting is the URL of a running browser: `http(s)://…` or `ws(s)://…`. */
export const isRemoteSetting = (setting: string): boolean => /^(https?|wss?):\/\//.test(setting)

/**
 * Connects to a remote browser with a timeout of 20 s: by the DevTools protocol for http URLs and `/devtools/` URLs,
 * otherwise by Playwright's protocol. The remote operator is responsible for the browser's protective switches.
 */
export async function connectToBrowser(endpoint: string): Promise<LaunchedBrowser> {
  const chromium = await loadChromium()
  const usesDevTools = endpoint.startsWith('http') || endpoint.includes('/devtools/')
  const browser = usesDevTools
    ? await chromium.connectOverCDP(endpoint, { timeout: 20_000 })
    : await chromium.connect(endpoint, { timeout: 20_000 })
  return { browser, pid: null, version: browser.version(), hasUnseenWindows: false }
}
