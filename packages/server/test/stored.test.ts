import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { monitorMigrations } from '../src/migrations/monitor.ts'
import { ruleSetHash } from '../src/monitor/run/model.ts'
import { openTestApi, scanBody, type TestApi } from './api.ts'

let api: TestApi
let admin: { token: string }
beforeAll(async () => {
  api = await openTestApi()
  admin = { token: await api.token('admin', ['admin']) }
})
afterAll(() => api.close())

type Made = { id: string; version: number; settings: Record<string, unknown> }
const make = async (name: string, more: object = {}) =>
  (await api.call('POST', '/scans', { body: scanBody(name, { ...more }) })).body as Made
const overwrite = (table: 'scan' | 'preset', id: string, settings: object) =>
  sql`update ${sql.ref(table)} set settings = ${JSON.stringify(settings)}::jsonb where id = ${id}`.execute(
    api.db,
  )
const plansOf = async (scanId: string) =>
  (
    await sql<{ settings: object; hash: string }>`select p.settings, p.rule_set_hash as hash from run_plan p
      join run on run.id = p.run_id where run.scan_id = ${scanId}`.execute(api.db)
  ).rows

/** The first shape of settings: nothing of sources, scripts, sessions, schedules, notifications, presets or PDF/UA. */
const first = (name: string) => ({
  name,
  type: 'custom',
  urls: ['https://example.org/'],
  domains: ['example.org'],
  depth: 3,
  pageLimit: 70,
  priority: 'high',
  ruleSet: { axeVersion: '4.10', standard: 'wcag21aa', bestPractices: true, experimental: false },
  advanced: {
    mimeTypes: ['text/html'],
    preScanWaitMs: 0,
    includeErrorPages: false,
    savePageContent: true,
    savePictures: true,
    meaningfulParameters: ['id'],
    meaninglessParameters: [],
    ignoreAllParameters: false,
    discardAnchors: true,
    restrictToFolder: false,
    windowWidth: 1280,
    windowHeight: 1024,
    userAgent: null,
    respectRobots: true,
    pagesPerMinute: null,
    pagesAtOnce: 2,
    pageTimeoutMs: 60_000,
    runTimeoutMs: null,
  },
})
/** Each later shape as it was first saved, by what came with it. */
const shapes: Record<string, (name: string) => object> = {
  'of the first release': first,
  'before the advanced settings grew': (name) => ({
    ...first(name),
    sources: { followLinks: true, sitemaps: [], sitemapsOfRobots: false, urls: [] },
    includeRules: [],
    excludeRules: [{ kind: 'glob', pattern: 'https://example.org/no/*' }],
    commonComponents: null,
    scripts: { own: [], shared: [], variables: [] },
    session: { connection: null, mark: null },
  }),
  'with a schedule, messages and a preset': (name) => ({
    ...first(name),
    schedule: {
      frequency: 'weekly',
      startDate: '2030-01-07',
      startTime: '03:00',
      timeZone: 'Europe/Berlin',
      timeoutMs: null,
      interval: 1,
      weekdays: ['monday'],
      end: { kind: 'never' },
    },
    notification: { events: ['finished'], allTeamMembers: false, me: false, specificUsers: [] },
    presetId: null,
    sendToReports: true,
  }),
}

it.each(Object.entries(shapes))('reads, saves and runs a scan %s', async (what, shape) => {
  const { id } = await make(what)
  await overwrite('scan', id, shape(what))
  const { settings, version } = (await api.call('GET', `/scans/${id}/settings`)).body as Made
  expect(settings).toMatchObject({
    ...first(what),
    ruleSet: { pdfUa: false },
    sources: { followLinks: true },
  })
  expect(settings.advanced).toMatchObject({ headless: true, stopAfterFailures: 50 })
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings, version } })).status).toBe(200)
  await overwrite('scan', id, shape(what))
  expect((await api.call('POST', `/scans/${id}/startRun`)).status).toBe(202)
  expect((await plansOf(id))[0]!.settings).toMatchObject({ advanced: { extraHeaders: [] } })
})

it('shows a list although a row in it cannot be read, and says which one when that is asked for', async () => {
  const { id } = await make('Broken row')
  await overwrite('scan', id, { name: 'Broken row', urls: 'none' })
  const list = await api.call('GET', '/scans?search=broken')
  expect(list.body).toMatchObject({ content: [{ id, name: 'Broken row' }] })
  expect((await api.call('GET', `/scans/${id}`)).status).toBe(200)
  expect(await api.call('GET', `/scans/${id}/settings`)).toMatchObject({
    status: 500,
    body: { code: 'server-error' },
  })
})

it('lets a scan be saved under a locking preset that was stored before an advanced setting came', async () => {
  const body = { name: 'Older lock', advanced: { windowWidth: 1000 } }
  const preset = (await api.call('POST', '/presets', { ...admin, body })).body as Made
  const scan = await make('Under the older lock', { presetId: preset.id })
  const {
    stopAfterFailures: _later,
    scrollPages: _too,
    ...advanced
  } = preset.settings.advanced as Record<string, unknown>
  await overwrite('preset', preset.id, { ...preset.settings, advanced })
  const save = (change: object) =>
    api
      .call('GET', `/scans/${scan.id}/settings`)
      .then(({ body: now }) => now as Made)
      .then(({ settings, version }) =>
        api.call('PUT', `/scans/${scan.id}`, { body: { settings: { ...settings, ...change }, version } }),
      )
  expect((await save({ priority: 'low' })).status).toBe(200)
  expect((await save({ advanced: { windowWidth: 900 } })).body).toMatchObject({
    errors: [{ path: 'settings.advanced', code: 'locked-by-preset' }],
  })
})

it('gives runs with PDF/UA of before the fingerprint that the next one will have, and leaves the others', async () => {
  const withPdf = { ...defaultRuleSet, pdfUa: true }
  const scans = [await make('With PDF/UA', { ruleSet: withPdf }), await make('Without PDF/UA')]
  for (const { id } of scans) await api.call('POST', `/scans/${id}/startRun`)
  const older = ruleSetHash({ ...withPdf, pdfUa: false })
  await sql`update run_plan set rule_set_hash = ${older} where settings #>> '{name}' like '%PDF/UA'`.execute(
    api.db,
  )
  await monitorMigrations['0009-pdf-ua-fingerprint']!.up(api.db)
  const hashes = await Promise.all(scans.map(async ({ id }) => (await plansOf(id))[0]!.hash))
  expect(hashes).toEqual([ruleSetHash(withPdf), ruleSetHash(defaultRuleSet)])
})
