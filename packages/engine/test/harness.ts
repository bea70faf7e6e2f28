import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod/mini'
import type { BrowserFacts } from '../src/browser/facts.ts'
import { findBrowser } from '../src/browser/find.ts'
import { openPool, type BrowserPool, type TabLease } from '../src/browser/pool.ts'
import type { Tab } from '../src/browser/tab.ts'
import { openMemoryFrontier } from '../src/crawl/memory-frontier.ts'
import type { CheckPdf } from '../src/crawl/visit/pdf.ts'
import type { NewEntry } from '../src/frontier.ts'
import type { PageOutcome, ScanEnd } from '../src/outcome.ts'
import { openGuard, type Guard } from '../src/guard/guard.ts'
import { scan } from '../src/scan.ts'
import type { ScanPlan } from '../src/settings.ts'

// What the engine's tests use: a site of a few routes, and a scan of it in a real browser.

export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

export type TestSite = { origin: string; server: Server; close(): Promise<void> }

/** An HTML document around a body. */
export const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

/** Serves routes by path; what isn't there is a 404. */
export async function serve(routes: Readonly<Record<string, Route>>): Promise<TestSite> {
  const server = createServer((request, response) => {
    const route = routes[new URL(request.url ?? '/', 'http://site').pathname]
    if (typeof route === 'function') return route(request, response)
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(route ?? '')
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

/** A site for the tests of a file. @param routesOf asked for when they begin */
export function siteOfFile(routesOf: () => Readonly<Record<string, Route>>): TestSite {
  const site = {} as TestSite
  beforeAll(async () => void Object.assign(site, await serve(routesOf())))
  afterAll(() => site.close())
  return site
}

/** The same pool for the tests of a file. */
export function poolOfFile(): BrowserPool {
  const pool = {} as BrowserPool
  beforeAll(async () => void Object.assign(pool, await openTestPool()))
  afterAll(() => pool.close())
  return pool
}

/** A tab of a pool, behind a guard that lets it reach this machine, for the tests of a file. */
export function tabOfFile(pool: BrowserPool): { tab: Tab; guard: Guard } {
  const opened = {} as { tab: Tab; guard: Guard }
  let lease: TabLease
  beforeAll(async () => {
    const guard = await openGuard(openDialler({ rule: addressRule(['127.0.0.0/8']) }))
    lease = await pool.lease({
      guardServer: guard.server,
      viewport: { width: 1280, height: 1024 },
      userAgent: null,
      scripts: { main: '', isolated: '', reveal: '' },
    })
    Object.assign(opened, { tab: lease.tab, guard })
  })
  afterAll(async () => {
    await lease.releaseTab(false)
    await opened.guard.close()
  })
  return opened
}

/** The browser that the tests use. */
export async function testBrowser(): Promise<BrowserFacts> {
  const lookup = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(tmpdir(), `clearway-${process.getuid?.() ?? 'user'}`),
    sandbox: false,
  })
  if (!lookup.found) throw new Error(JSON.stringify(lookup))
  return lookup.facts
}

/** A pool of two pages in that browser. */
export async function openTestPool(maxMemoryBytes?: number): Promise<BrowserPool> {
  return openPool(await testBrowser(), {
    pages: 2,
    ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
  })
}

export type TestScan = {
  end: ScanEnd
  /** Outcomes by path and query. */
  pages: Record<string, PageOutcome>
  /** Paths in the order in which they were recorded. */
  order: string[]
  excluded: NewEntry[]
  log: string[]
  referrers: (path: string) => { first: readonly string[]; count: number }
}

export type TestScanOptions = {
  urls?: string[]
  advanced?: z.input<typeof AdvancedSettings>
  plan?: Partial<ScanPlan>
  checkPdf?: CheckPdf
  signal?: AbortSignal
  onRecorded?: (path: string) => void
  /** Fingerprints of pages by path, as a run before would have left them. */
  known?: Readonly<Record<string, string>>
}

/** Scans a site that `serve` made. */
export async function tryScan(
  pool: BrowserPool,
  site: Pick<TestSite, 'origin'>,
  options: TestScanOptions = {},
): Promise<TestScan> {
  const result: TestScan = {
    end: { kind: 'stopped' },
    pages: {},
    order: [],
    excluded: [],
    log: [],
    referrers: (path) => frontier.findReferrers(new URL(path, site.origin).href),
  }
  const pageLimit = options.plan?.pageLimit ?? 100
  const frontier = openMemoryFrontier({
    pageLimit,
    onRecorded(entry, outcome) {
      const path = entry.url.replace(site.origin, '') + (entry.label === undefined ? '' : ` ${entry.label}`)
      result.pages[path] = outcome
      result.order.push(path)
      options.onRecorded?.(path)
    },
    onExcluded: (entry) => result.excluded.push(entry),
  })
  const claim: typeof frontier.claim = async (n) =>
    (await frontier.claim(n)).map((one) => ({
      ...one,
      knownPrint: options.known?.[one.url.replace(site.origin, '')] ?? null,
    }))
  const plan: ScanPlan = {
    urls: (options.urls ?? ['/']).map((path) => new URL(path, site.origin).href),
    domains: [new URL(site.origin).host],
    depth: null,
    pageLimit,
    ruleSet: defaultRuleSet,
    advanced: z.parse(AdvancedSettings, { savePictures: false, ...options.advanced }),
    allowPrivate: ['127.0.0.0/8', '::1'],
    concurrency: 2,
    ...options.plan,
  }
  const log = (entry: { message: string }) => result.log.push(entry.message)
  const checkPdf = options.checkPdf ? { checkPdf: options.checkPdf } : {}
  result.end = await scan(
    { pool, frontier: { ...frontier, claim }, log, ...checkPdf },
    plan,
    options.signal ?? new AbortController().signal,
  )
  return result
}

/** Settings with which unchanged pages are recognised, and analysed all the same. */
export const recognising = { reuseUnchanged: true, reuseAuditPercent: 100 }

/** Settings with which few of them are. */
export const keeping = { ...recognising, reuseAuditPercent: 1 }

/** What became of a page, in two words. */
export const fate = (outcome: PageOutcome | undefined): string =>
  outcome === undefined
    ? 'not visited'
    : outcome.kind === 'completed'
      ? 'completed'
      : `${outcome.kind} ${outcome.reason}`

/** The rules that a completed page violates, each once. */
export const rulesOf = (outcome: PageOutcome | undefined): string[] =>
  outcome?.kind === 'completed' ? [...new Set(outcome.findings.map(({ rule }) => rule))].sort() : []

/** The fingerprint of a completed page that has one. */
const printOf = (outcome: PageOutcome | undefined) =>
  outcome?.kind === 'completed' ? (outcome.fingerprint ?? null) : null

/** Fingerprints by path, as a run leaves them to the next. */
export const printsOf = (pages: Record<string, PageOutcome>) =>
  Object.fromEntries(
    Object.entries(pages).flatMap(([path, outcome]) => {
      const print = printOf(outcome)
      return print === null ? [] : [[path, print]]
    }),
  )
