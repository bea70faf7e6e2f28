import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Claim, StateOutcome } from '@clearway/engine/frontier.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { createId } from '../src/kit/id.ts'
import type { RunEnd } from '../src/monitor/run/finish/store.ts'
import { openFrontier, finishRun } from '../src/monitor/run/frontier/service.ts'
import { buildScanBody, type TestApi } from './api.ts'

export type TestRun = { id: string; scanId: string; number: number }

/** Builds the outcome of a completely analyzed page. */
export const buildCompleted = (findings: Finding[] = [], content = '<p>x</p>'): PageOutcome => ({
  kind: 'completed',
  finalUrl: 'https://example.org/',
  httpStatus: 200,
  mimeType: 'text/html',
  durationMs: 5,
  title: 'Title\0\ud800',
  health: 'good',
  findings,
  notices: [],
  content,
})

/** Builds the outcome of a page with 40 words from `firstWord` on. */
export function buildSeen(firstWord: number, findings: Finding[] = [], fields: Partial<PageEvidence> = {}): PageOutcome {
  const evidence: PageEvidence = {
    textLength: 900,
    textHash: null,
    words: Array.from({ length: 40 }, (_, number) => firstWord + number),
    outOfReach: 0,
    outOfReachLength: 0,
    links: 9,
    landmarks: 3,
    controls: 0,
    title: 'Shop',
    failedRequests: 0,
    retained: null,
    likelyWall: null,
    ...fields,
  }
  return { ...buildCompleted(findings), evidence } as PageOutcome
}

export const buildFailed = (reason: FailureReason): PageOutcome => ({
  kind: 'failed',
  reason,
  detail: '',
  durationMs: 1,
})

/** Builds a finding of one element. */
export const buildFinding = (elementKey: string, extraFields: Partial<Finding> = {}): Finding => ({
  rule: 'image-alt',
  impact: 'critical',
  severity: 'critical',
  help: 'Images must have alternative text',
  // Characters that no database accepts, but pages contain: NUL, and half of a surrogate pair.
  description: 'd\ud800',
  helpUrl: 'https://example.org/rule',
  tags: ['cat.text-alternatives', 'wcag2a', 'wcag111'],
  target: [`img.${elementKey}\0`],
  html: '<img>',
  fix: { any: ['a'], all: [], none: [] },
  elementKey,
  elementPattern: 'img',
  ordinal: 0,
  picture: null,
  ...extraFields,
})

/** Records a whole run, of a new scan unless one is named, with the given outcome for each page of the table. */
export async function recordRun(
  api: TestApi,
  scanId: string | undefined,
  pages: Record<string, PageOutcome>,
  name = 'Life',
  options: {
    reuseDays?: number
    onClaim?: (claim: Claim) => void | Promise<void>
    /** URLs that are excluded without a visit. */
    excluded?: Record<string, ExclusionReason>
    pageLimit?: number
    /** Pages by key that were found on another one, given by its key, and are no start pages. */
    foundOn?: Record<string, string>
    end?: RunEnd
    /** Scripts by URL, each with its own outcome and the states that it reached. */
    scripts?: Record<string, { outcome: PageOutcome; states: StateOutcome[] }>
  } = {},
): Promise<TestRun> {
  const admin = await api.token('runner', ['access', 'admin'])
  const id = scanId ?? ((await api.call('POST', '/scans', { body: buildScanBody(name) })).body as { id: string }).id
  const startedRun = (await api.call('POST', `/scans/${id}/startRun`, { token: admin })).body as { id: string; number: number }
  const run = { id: startedRun.id, scanId: id, number: startedRun.number }
  const deps = { db: api.db, objects: api.objects, runId: run.id, scanId: id, runNumber: run.number }
  const { onClaim, excluded = {}, scripts = {}, foundOn = {}, end = { kind: 'drained' }, ...limitOptions } = options
  const limits = { worker: createId(), pageLimit: 1000, issuesPerPage: 500, ...limitOptions }
  const { frontier, close } = openFrontier({ ...deps, ...limits }, api.pubSub)
  const entryDefaults = { depth: 0, wave: 0, foundOn: null, exclusion: null }
  const buildUrl = (key: string) => `https://example.org/${key}`
  const buildEntry = (key: string) => ({
    url: buildUrl(key),
    key,
    ...entryDefaults,
    ...(key in foundOn && { foundOn: buildUrl(foundOn[key]!), depth: 1 }),
  })
  await frontier.seed([
    ...Object.keys(pages).map(buildEntry),
    ...Object.keys(scripts).map((url) => ({ url, key: url, ...entryDefaults })),
    ...Object.entries(excluded).map(([key, exclusion]) => ({ ...buildEntry(key), exclusion })),
  ])
  for (const claim of await frontier.claim(1000)) {
    await onClaim?.(claim)
    const { outcome, states } = scripts[claim.key] ?? { outcome: pages[claim.key]!, states: [] }
    await frontier.record(claim, outcome, [], states)
  }
  close()
  await finishRun(api, run.id, end)
  return run
}
