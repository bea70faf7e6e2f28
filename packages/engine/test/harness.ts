import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from '../src/guard/dial.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod/mini'
import type { BrowserFacts } from '../src/browser/facts.ts'
import { findBrowser } from '../src/browser/find-browser.ts'
import { openPool, type BrowserPool, type TabLease } from '../src/browser/pool.ts'
import type { Tab } from '../src/browser/tab.ts'
import { openMemoryFrontier } from '../src/crawl/memory-frontier.ts'
import type { AnalyzePdf } from '../src/pdf/analyze.ts'
import type { NewEntry } from '../src/frontier.ts'
import type { PageOutcome, ScanEnd } from '../src/outcome.ts'
import { openGuard, type Guard } from '../src/guard/guard.ts'
import { scan } from '../src/scan.ts'
import { getOrder, type PlannedSession, type ScanPlan } from '../src/settings.ts'

// Test support of the engine: a site with a few routes, and a scan of it in a real browser.

export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

export type TestSite = { origin: string; server: Server; close(): Promise<void> }

/** An HTML document around a body. */
export const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

/** Serves routes by path; other paths are a 404. */
export async function serve(routes: Readonly<Record<string, Route>>): Promise<TestSite> {
  const server = createServer((request, response) => {
    const pathRoute = routes[new URL(request.url ?? '/', 'http://site').pathname]
    if (typeof pathRoute === 'function') return pathRoute(request, response)
    response.writeHead(pathRoute === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(pathRoute ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Opens a site for the tests of a file. @param getRoutes called before the tests start */
export function useTestSite(getRoutes: () => Readonly<Record<string, Route>>): TestSite {
  const testSite = {} as TestSite
  beforeAll(async () => void Object.assign(testSite, await serve(getRoutes())))
  afterAll(() => testSite.close())
  return testSite
}

/**
 * Accepts the WebSockets of a site. @param onOpen called with each open socket and its path
 * @returns the open sockets, which the test has to destroy
 */
export function acceptSockets(
  site: Pick<TestSite, 'server'>,
  onOpen: (socket: Duplex, path: string) => void = () => undefined,
): Duplex[] {
  const sockets: Duplex[] = []
  site.server.on('upgrade', (request, socket) => {
    // The answer of RFC 6455, section 4.2.2.
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    onOpen(socket, request.url ?? '')
  })
  return sockets
}

/** Reads the short masked texts that a client sends by a socket: RFC 6455, section 5.2. */
export function readSocketTexts(data: Buffer): string[] {
  const texts: string[] = []
  for (let start = 0; start + 6 <= data.length;) {
    const length = data[start + 1]! & 0x7f
    const mask = data.subarray(start + 2, start + 6)
    const text = data.subarray(start + 6, start + 6 + length).map((byte, index) => byte ^ mask[index % 4]!)
    if ((data[start]! & 0x0f) === 1) texts.push(Buffer.from(text).toString('utf8'))
    start += 6 + length
  }
  return texts
}

/** A session that signs in by the form of a page, as the user `ana` with the password `p` unless the form says otherwise. */
export const buildFormSession = (url: string, form: Partial<PlannedForm> = {}): PlannedSession => ({
  connection: null,
  script: null,
  form: { url, username: 'ana', password: 'p', ...form },
  mark: null,
})

/** Opens a pool shared by the tests of a file. */
export function useTestPool(): BrowserPool {
  const testPool = {} as BrowserPool
  beforeAll(async () => void Object.assign(testPool, await openTestPool()))
  afterAll(() => testPool.close())
  return testPool
}

/** Opens a tab behind a guard that allows this machine, for the tests of a file. */
export function useTestTab(pool: BrowserPool): { tab: Tab; guard: Guard } {
  const openedTab = {} as { tab: Tab; guard: Guard }
  let tabLease: TabLease
  beforeAll(async () => {
    const testGuard = await openGuard(openDialer({ rule: createAddressRule(['127.0.0.0/8']) }))
    tabLease = await pool.lease({
      guardServer: testGuard.server,
      viewport: { width: 1280, height: 1024 },
      userAgent: null,
      scripts: { main: '', isolated: '', reveal: '' },
    })
    Object.assign(openedTab, { tab: tabLease.tab, guard: testGuard })
  })
  afterAll(async () => {
    await tabLease.releaseTab(false)
    await openedTab.guard.close()
  })
  return openedTab
}

let testBrowser: Promise<BrowserFacts> | undefined

/** Finds the browser for the tests, once per process: the search starts each candidate. */
export const findTestBrowser = (): Promise<BrowserFacts> => (testBrowser ??= searchTestBrowser())

async function searchTestBrowser(): Promise<BrowserFacts> {
  const browserLookup = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(tmpdir(), `clearway-${process.getuid?.() ?? 'user'}`),
    sandbox: false,
  })
  if (!browserLookup.found) throw new Error(JSON.stringify(browserLookup))
  return browserLookup.facts
}

/** Opens a pool of two pages in that browser. */
export async function openTestPool(maxMemoryBytes?: number): Promise<BrowserPool> {
  return openPool(await findTestBrowser(), { pages: 2, ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }) })
}

export type TestScan = {
  end: ScanEnd
  /** Outcomes by path and query. */
  pages: Record<string, PageOutcome>
  /** Paths in recording order. */
  order: string[]
  excluded: NewEntry[]
  log: string[]
  referrers: (path: string) => { first: readonly string[]; count: number }
}

export type TestScanOptions = {
  urls?: string[]
  advanced?: z.input<typeof AdvancedSettings>
  plan?: Partial<ScanPlan>
  analyzePdf?: AnalyzePdf
  signal?: AbortSignal
  onRecorded?: (path: string) => void
  /** Fingerprints of pages by path, as recorded by a previous run. */
  knownPrints?: Readonly<Record<string, string>>
  /** False: opens pages for their links only. */
  analyze?: boolean
  onSignOutLearned?: (pattern: string) => Promise<void>
}

/** Returns the time limit of a page for this machine, in milliseconds: longer by TEST_TIME_FACTOR. */
export const allowForSlowness = (milliseconds: number): number => milliseconds * Number(process.env.TEST_TIME_FACTOR ?? 1)

/** Plan of a scan of a test site. */
export const buildTestPlan = (
  site: Pick<TestSite, 'origin'>,
  { urls = ['/'], advanced, plan }: Pick<TestScanOptions, 'urls' | 'advanced' | 'plan'>,
): ScanPlan => ({
  urls: urls.map((path) => new URL(path, site.origin).href),
  domains: [new URL(site.origin).host],
  depth: null,
  pageLimit: 100,
  ruleSet: defaultRuleSet,
  advanced: z.parse(AdvancedSettings, { savePictures: false, ...advanced }),
  allowPrivate: ['127.0.0.0/8', '::1'],
  concurrency: 2,
  ...plan,
})

/** Scans a test site. */
export async function tryScan(
  pool: BrowserPool,
  site: Pick<TestSite, 'origin'>,
  options: TestScanOptions = {},
): Promise<TestScan> {
  const testScan: TestScan = {
    end: { kind: 'stopped' },
    pages: {},
    order: [],
    excluded: [],
    log: [],
    referrers: (path) => memoryFrontier.findReferrers(new URL(path, site.origin).href),
  }
  const scanPlan = buildTestPlan(site, options)
  const memoryFrontier = openMemoryFrontier({
    pageLimit: scanPlan.pageLimit,
    order: getOrder(scanPlan),
    onRecorded(entry, outcome) {
      const pagePath = entry.url.replace(site.origin, '') + (entry.label === undefined ? '' : ` ${entry.label}`)
      testScan.pages[pagePath] = outcome
      testScan.order.push(pagePath)
      options.onRecorded?.(pagePath)
    },
    onExcluded: (entry) => testScan.excluded.push(entry),
  })
  const claimWithPrints: typeof memoryFrontier.claim = async (maxClaims) =>
    (await memoryFrontier.claim(maxClaims)).map((claimed) => ({
      ...claimed,
      knownPrint: options.knownPrints?.[claimed.url.replace(site.origin, '')] ?? null,
    }))
  const addLog = (entry: { message: string }) => testScan.log.push(entry.message)
  const pdfOverride = options.analyzePdf ? { analyzePdf: options.analyzePdf } : {}
  testScan.end = await scan(
    {
      pool,
      frontier: { ...memoryFrontier, claim: claimWithPrints },
      log: addLog,
      ...pdfOverride,
      analyze: options.analyze ?? true,
      ...(options.onSignOutLearned ? { onSignOutLearned: options.onSignOutLearned } : {}),
    },
    scanPlan,
    options.signal ?? new AbortController().signal,
  )
  return testScan
}

/** Settings that recognize unchanged pages and analyze all of them anyway. */
export const auditAllSettings = { reuseUnchanged: true, reuseAuditPercent: 100 }

/** Settings that analyze few unchanged pages. */
export const auditFewSettings = { ...auditAllSettings, reuseAuditPercent: 1 }

/** Describes the outcome of a page in two words. */
export const describeOutcome = (outcome: PageOutcome | undefined): string =>
  outcome === undefined ? 'not visited' : outcome.kind === 'completed' ? 'completed' : `${outcome.kind} ${outcome.reason}`

/** Lists the rules that a completed page violates, without duplicates. */
export const listRules = (outcome: PageOutcome | undefined): string[] =>
  outcome?.kind === 'completed' ? [...new Set(outcome.findings.map(({ rule }) => rule))].sort() : []

/** Returns the fingerprint of a completed page, if any. */
const getFingerprint = (outcome: PageOutcome | undefined) =>
  outcome?.kind === 'completed' ? (outcome.fingerprint ?? null) : null

/** Returns fingerprints by path, as one run passes them to the next. */
export const getFingerprints = (pages: Record<string, PageOutcome>) =>
  Object.fromEntries(
    Object.entries(pages).flatMap(([path, outcome]) => {
      const pagePrint = getFingerprint(outcome)
      return pagePrint === null ? [] : [[path, pagePrint]]
    }),
  )
