/** @module-tag slow */
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeOutcome, html, serve, tryScan, useTestPool } from '../../test/harness.ts'
import { serveMemberSite, type GateKind } from '../../test/member-site.ts'
import { previewScope } from '../scan-preview.ts'
import { dryRun } from '../script/dry-run.ts'
import type { ScanPlan } from '../settings.ts'

// A sign-in that is proved, and pages that are compared with what visitors see.

const pool = useTestPool()
const gateKinds: GateKind[] = ['redirect', 'other-host', 'notice', 'form-in-place', 'unauthorized']

test.each(gateKinds)('a session that ends again and again loses no page: %s', async (gateKind) => {
  const site = await serveMemberSite(gateKind, 6)
  const session = { connection: null, script: site.buildScript(), mark: null }
  const testScan = await tryScan(pool, site, { plan: { session } })
  const outcomes = Object.entries(testScan.pages).map(([path, outcome]) => [
    path,
    describeOutcome(outcome),
    outcome.kind === 'completed' && outcome.isProved,
    outcome.kind === 'completed' && outcome.title,
  ])
  const expectedPaths = ['/', ...Array.from({ length: 5 }, (_, index) => `/room/${index}`)]
  expect(outcomes.sort(([first], [second]) => String(first).localeCompare(String(second)))).toEqual(
    expectedPaths.map((path) => [path, 'completed', true, `Members ${path}`]),
  )
  expect(testScan.end).toEqual({ kind: 'drained' })
  expect(site.counts.refusals).toBe(0)
  expect(site.counts.signIns).toBeGreaterThan(2)
  await site.close()
})

test('pages of a scan without a sign-in are neither proved nor unproved', async () => {
  const site = await serve({ '/': html('Open', '<a href="/two">Two</a>'), '/two': html('Two', '') })
  const { pages } = await tryScan(pool, site)
  await site.close()
  const outcomes = Object.values(pages)
  expect(outcomes.map((outcome) => outcome.kind === 'completed' && 'isProved' in outcome)).toEqual([false, false])
})

test.each(gateKinds)('a wrong password is tried once, and the run says so: %s', async (gateKind) => {
  const site = await serveMemberSite(gateKind)
  const session = { connection: null, script: site.buildScript('close sesame'), mark: null }
  const testScan = await tryScan(pool, site, { plan: { session } })
  expect(testScan.end).toMatchObject({ kind: 'problem', problem: 'session-failed' })
  expect(Object.keys(testScan.pages)).toEqual([])
  expect(site.counts).toEqual({ signIns: 0, refusals: 1 })
  expect(JSON.stringify(testScan.end)).not.toContain('close sesame')
  await site.close()
})

const buildPlan = (origin: string, session: ScanPlan['session'] = null): ScanPlan => ({
  urls: [`${origin}/`],
  domains: [new URL(origin).host],
  depth: null,
  pageLimit: 20,
  ruleSet: defaultRuleSet,
  advanced: z.parse(AdvancedSettings, {}),
  allowPrivate: ['127.0.0.0/8'],
  concurrency: 2,
  session,
})

test('a dry run passes with the right password, and fails with a wrong one although all actions ran', async () => {
  const site = await serveMemberSite('redirect')
  const tryDry = (password?: string) =>
    dryRun({ pool }, { ...site.buildScript(password), type: 'SESSION' }, buildPlan(site.origin), new AbortController().signal)
  expect(await tryDry()).toMatchObject({ kind: 'ran', end: { kind: 'done' } })
  const refused = await tryDry('close sesame')
  expect(refused).toMatchObject({ kind: 'ran', end: { kind: 'failed', reason: 'authentication' } })
  expect(refused.kind === 'ran' && refused.steps.every(({ ok }) => ok)).toBe(true)
  expect(site.counts).toEqual({ signIns: 1, refusals: 1 })
  await site.close()
})

test('a preview signs in again as a run does', async () => {
  const site = await serveMemberSite('redirect', 6)
  const verdicts: Record<string, string> = {}
  const result = await previewScope(
    { pool, onUrl: ({ url, verdict, reason }) => (verdicts[url.replace(site.origin, '')] = reason ?? verdict) },
    buildPlan(site.origin, { connection: null, script: site.buildScript(), mark: null }),
    { limitMs: 120_000, signal: new AbortController().signal },
  )
  expect(result).toEqual({ kind: 'whole' })
  expect(new Set(Object.values(verdicts))).toEqual(new Set(['crawled']))
  expect(Object.keys(verdicts)).not.toContain('/login')
  await site.close()
})

test('without a sign-in, a start URL that leads to a form with a password has no result of its own', async () => {
  const site = await serveMemberSite('redirect')
  const { pages } = await tryScan(pool, site)
  const enterPage = Object.entries(pages).find(([path]) => path.startsWith('/login'))?.[1]
  expect(enterPage).toMatchObject({ kind: 'completed', health: null, notices: ['asks-for-password'] })
  const form = '<form><label>Name <input></label><label>Secret <input type="password"></label><button>Go</button></form>'
  const examples = await serve({ '/': html('Kit', '<p>Parts of pages</p>'), '/forms': html('Forms', form) })
  const { pages: chosenPages } = await tryScan(pool, examples, { urls: ['/', '/forms'] })
  expect(chosenPages['/forms']).toMatchObject({ kind: 'completed', notices: [] })
  const { pages: onlyForm } = await tryScan(pool, examples, { urls: ['/forms'] })
  expect(onlyForm['/forms']).toMatchObject({ health: null, notices: ['asks-for-password'] })
  const alwaysTested = [`${examples.origin}/forms`]
  const { pages: testedPages } = await tryScan(pool, examples, { advanced: { alwaysTested } })
  expect(testedPages['/forms']).toMatchObject({ kind: 'completed', notices: [] })
  await examples.close()
  const rooms = Object.fromEntries(['/rooms', '/boats'].map((path) => [path, html(`The ${path.slice(1)} of members`, form)]))
  const members = await serve({ '/': html('Harbor', '<p>Open</p>'), ...rooms })
  const { pages: memberPages } = await tryScan(pool, members, { urls: ['/', '/rooms', '/boats'] })
  expect(['/', '/rooms', '/boats'].map((path) => (memberPages[path] as { notices: string[] }).notices)).toEqual([
    [],
    ['asks-for-password'],
    ['asks-for-password'],
  ])
  await members.close()
  const { pages: namedPages } = await tryScan(pool, site, { urls: ['/login'] })
  expect(namedPages['/login']).toMatchObject({ kind: 'completed', health: 'good' })
  await site.close()
})
