import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { defaultQuotas } from '@clearway/contract/monitor/setting/schema.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { monitorMigrations } from '../src/migrations/monitor.ts'
import { sendDueMessages } from '../src/monitor/notification/service.ts'
import { computeRuleSetHash } from '../src/monitor/ruleset/model.ts'
import { buildScanBody, useTestApi } from './api.ts'

const api = useTestApi()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

type Made = { id: string; version: number; settings: Record<string, unknown> }
const make = async (name: string, more: object = {}) =>
  (await api.call('POST', '/scans', { body: buildScanBody(name, { ...more }) })).body as Made
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
/** What each later version first saved beside what the one before had: every field that came, with a value of its own. */
const additions: [version: string, added: (name: string) => Shape][] = [
  ['of the first release', () => ({})],
  [
    'with sitemaps, rules, scripts and sign-ins',
    () => ({
      sources: {
        followLinks: true,
        sitemaps: ['https://example.org/sitemap.xml'],
        sitemapsOfRobots: true,
        urls: ['https://example.org/listed'],
      },
      includeRules: [{ kind: 'regex', pattern: '^https://example\\.org/' }],
      excludeRules: [{ kind: 'glob', pattern: 'https://example.org/no/*' }],
      commonComponents: {
        templateUrls: ['https://example.org/'],
        components: [{ name: 'Header', selectors: ['header', '//nav'] }],
      },
      scripts: { own: [], shared: [], variables: [{ name: 'USER', value: null }] },
      session: {
        connection: { authType: 'basic', username: 'anna', password: null },
        mark: { means: 'signed-in', kind: 'text', value: 'Sign out' },
      },
      advanced: {
        headless: true,
        eagerStrategy: false,
        referrer: 'https://example.org/from',
        extraHeaders: [],
        pdfModifiedFrom: '2026-01-01',
        pdfModifiedTo: null,
        pdfTargetCount: 20,
        urlsToSkip: ['*/skip/*'],
        keywordRules: { mustHaveAll: [], mustHaveAny: [], mustNotHaveAny: ['draft'] },
        hashRoutes: false,
        scrollPages: false,
        closeBanners: true,
        bannerSelectors: ['#ok'],
        scriptTimeoutMs: 90_000,
        stopAfterFailures: 50,
      },
    }),
  ],
  [
    'with a schedule, messages and a preset',
    () => ({
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
      notification: {
        events: ['finished'],
        allTeamMembers: false,
        me: false,
        specificUsers: ['a@example.org'],
      },
      presetId: null,
      sendToReports: true,
    }),
  ],
  ['with PDF/UA among the rules', () => ({ ruleSet: { pdfUa: true } })],
  ['with elements to wait for', () => ({ advanced: { waitFor: ['main'], waitForMs: 5000 } })],
]
type Shape = Record<string, unknown>
const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const withMore = (shape: Shape, more: Shape): Shape => ({
  ...shape,
  ...Object.fromEntries(
    Object.entries(more).map(([key, value]) => {
      const before = shape[key]
      return [key, isShape(before) && isShape(value) ? withMore(before, value) : value]
    }),
  ),
})
/** The settings that a version stored: all that had come by then. */
const savedBy = (index: number, name: string): Shape =>
  additions.slice(0, index + 1).reduce<Shape>((shape, [, added]) => withMore(shape, added(name)), first(name))
const versions = additions.map(([version], index) => [version, index] as const)

it.each(versions)('reads, saves and runs a scan %s', async (what, index) => {
  const { id } = await make(what)
  const shape = savedBy(index, what)
  await overwrite('scan', id, shape)
  const { settings, version } = (await api.call('GET', `/scans/${id}/settings`)).body as Made
  expect(settings).toMatchObject(shape)
  // What came later has its default.
  expect(settings).toMatchObject({ ruleSet: { pdfUa: index >= 3 }, sources: { followLinks: true } })
  expect(settings.advanced).toMatchObject({ headless: true, stopAfterFailures: 50 })
  // Secrets are stored elsewhere, and this row has none yet.
  const secret = JSON.parse(
    JSON.stringify(settings).replaceAll(/"(password|value)":null/g, '"$1":"secret"'),
  ) as object
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings: secret, version } })).status).toBe(200)
  await overwrite('scan', id, shape)
  expect((await api.call('POST', `/scans/${id}/startRun`)).status).toBe(202)
  expect((await plansOf(id))[0]!.settings).toMatchObject({ advanced: { extraHeaders: [] } })
})

/** Presets came with the schedules. A preset says less than a scan: what it leaves open is null. */
it.each(versions.slice(2))('reads, assigns and saves a preset %s', async (what, index) => {
  const { ruleSet, advanced, commonComponents, domains, includeRules, excludeRules, sources } = savedBy(
    index,
    what,
  )
  const body = { name: `Preset ${what}` }
  const preset = (await api.call('POST', '/presets', { ...admin, body })).body as Made
  const shape = {
    ...body,
    shareLink: null,
    sendToReports: null,
    ruleSet,
    urlScope: { domains, includeRules, excludeRules, sources },
    scanScope: null,
    commonComponents,
    advanced,
    allowOverride: {
      shareLink: false,
      sendToReports: false,
      ruleSet: false,
      urlScope: false,
      scanScope: false,
    },
  }
  await overwrite('preset', preset.id, shape)
  const { settings, version } = (await api.call('GET', `/presets/${preset.id}/settings`, admin)).body as Made
  expect(settings).toMatchObject(shape)
  const update = { ...admin, body: { settings, version } }
  expect((await api.call('PUT', `/presets/${preset.id}`, update)).status).toBe(200)
  await overwrite('preset', preset.id, shape)
  const scan = await make(`Under ${what}`, { presetId: preset.id })
  expect(scan.settings).toMatchObject({ ruleSet, advanced, sources })
})

it('reads what changed in a run of before changes by the rule set were told apart', async () => {
  const { id } = await make('Older change')
  await api.call('POST', `/scans/${id}/startRun`)
  const change = {
    previousNumber: 1,
    previousEndedAt: '2026-11-01T08:00:00.000Z',
    score: 0.125,
    ruleSetChanged: false,
    fixed: 3,
    new: 2,
    newCritical: 1,
    back: 0,
    stillOpen: 4,
    pagesAdded: 0,
    pagesGone: 1,
    openIssues: { critical: 1, serious: -1, moderate: 0, minor: 0, needsReview: 2 },
  }
  const store = (value: unknown) =>
    sql`update run_plan set change = ${JSON.stringify(value)}::jsonb where run_id in
      (select id from run where scan_id = ${id})`.execute(api.db)
  const overview = () => api.call('GET', `/scans/${id}/runs/1/overview`)
  await store(change)
  expect((await overview()).body).toMatchObject({ change: { ...change, byRuleSet: { new: 0, fixed: 0 } } })
  await store(null)
  expect((await overview()).body).toMatchObject({ change: null })
  await store({ ...change, fixed: 'three' })
  expect((await overview()).status).toBe(500)
})

it('reads the settings of the product as they were first stored, and refuses what is none', async () => {
  const store = (name: string, value: unknown) =>
    sql`insert into system_setting (name, value) values (${name}, ${JSON.stringify(value)})
      on conflict (name) do update set value = excluded.value`.execute(api.db)
  await store('allowScanViewersToCreateScans', { on: false })
  await store('retention', { contentDays: 10, archiveDays: 20, deleteDays: 0, keepRuns: 3 })
  const read = async (path: string) => (await api.call('GET', path, admin)).body
  expect(await read('/system-settings')).toMatchObject({
    allowScanMembersToCreateScans: true,
    allowScanViewersToCreateScans: false,
  })
  expect(await read('/system-settings/retention')).toMatchObject({ contentDays: 10, keepRuns: 3 })
  await store('retention', { contentDays: 'ten' })
  expect((await api.call('GET', '/system-settings/retention', admin)).status).toBe(500)
  // Quotas of before views could be saved; and with one of a version to come.
  const quotas = { scans: 7, runs: 6, tries: 5, uploads: 4, receivers: 3 }
  await store('quotas', quotas)
  expect(await read('/system-settings/quotas')).toMatchObject({ ...quotas, views: defaultQuotas.views })
  await store('quotas', { ...quotas, views: 2, wishes: 1 })
  expect(await read('/system-settings/quotas')).toMatchObject({ ...quotas, views: 2 })
  expect(await read('/system-settings/quotas')).not.toHaveProperty('wishes')
  await store('quotas', { ...quotas, scans: 'seven' })
  expect((await api.call('GET', '/system-settings/quotas', admin)).status).toBe(500)
  await sql`delete from system_setting`.execute(api.db)
})

it('reads the names of the variables of a script, and refuses a row that has none', async () => {
  const pageList = [{ name: 'Home', url: 'https://example.org/', actions: ['analyze'] }]
  const text = JSON.stringify({ projects: [{ name: 'P', id: 'p', pageList }] })
  const body = { name: 'Stored names', type: 'TASK', text, variables: [] }
  const made = (await api.call('POST', '/scripts', { ...admin, body })).body as Made
  const store = (value: unknown) =>
    sql`update script set variables = ${JSON.stringify(value)}::jsonb where id = ${made.id}`.execute(api.db)
  await store(['USER', 'PASSWORD'])
  const read = () => api.call('GET', `/scripts/${made.id}/settings`, admin)
  expect((await read()).body).toMatchObject({
    settings: {
      variables: [
        { name: 'USER', value: null },
        { name: 'PASSWORD', value: null },
      ],
    },
  })
  await store({ USER: 1 })
  expect((await read()).status).toBe(500)
  await sql`delete from script where id = ${made.id}`.execute(api.db)
})

it('gives up a message that cannot be read, and sends the others', async () => {
  const { id } = await make('Messages')
  const whole = {
    event: 'finished',
    scanId: id,
    scanName: 'Messages',
    run: {
      number: 1,
      status: 'completed',
      startedAt: null,
      endedAt: '2026-11-01T08:00:00.000Z',
      score: null,
      pages: { completed: 1, failed: 0 },
      openIssues: { critical: 0, serious: 1, moderate: 0, minor: 0, needsReview: 0 },
      change: null,
      problem: null,
    },
    url: 'https://clearway.example.org/',
  }
  const store = (key: string, payload: unknown) =>
    sql`insert into delivery (id, kind, scan_id, event, receiver, payload, next_at)
      values (new_id(), 'mail', ${id}, 'finished', ${key}, ${JSON.stringify(payload)}::jsonb, now())`.execute(
      api.db,
    )
  await store('first@example.org', whole)
  await store('language@example.org', { ...whole, language: 'de' })
  await store('broken@example.org', { ...whole, run: 'none' })
  const sent: string[] = []
  const send = (delivery: { receiver: string }) => {
    sent.push(delivery.receiver)
    return Promise.resolve({ ok: true as const, status: 250 })
  }
  await sendDueMessages({ db: api.db, config: api.config, publicUrl: '' }, { mail: send, webhook: send })
  expect(sent.toSorted()).toEqual(['first@example.org', 'language@example.org'])
  const { rows } =
    await sql`select state, last_error from delivery where receiver = 'broken@example.org'`.execute(api.db)
  expect(rows).toMatchObject([{ state: 'failed', last_error: expect.stringContaining('run') }])
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
  const older = computeRuleSetHash({ ...withPdf, pdfUa: false })
  await sql`update run_plan set rule_set_hash = ${older} where settings #>> '{name}' like '%PDF/UA'`.execute(
    api.db,
  )
  await monitorMigrations['0009-pdf-ua-fingerprint']!.up(api.db)
  const hashes = await Promise.all(scans.map(async ({ id }) => (await plansOf(id))[0]!.hash))
  expect(hashes).toEqual([computeRuleSetHash(withPdf), computeRuleSetHash(defaultRuleSet)])
})
