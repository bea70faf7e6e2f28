import { defaultRuleSet, type RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
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

type CreatedObject = { id: string; version: number; settings: Record<string, unknown> }
const createScan = async (name: string, extraSettings: object = {}) =>
  (await api.call('POST', '/scans', { body: buildScanBody(name, { ...extraSettings }) })).body as CreatedObject
const overwriteSettings = (table: 'scan' | 'preset', id: string, settings: object) =>
  sql`update ${sql.ref(table)} set settings = ${JSON.stringify(settings)}::jsonb where id = ${id}`.execute(api.db)
const listPlans = async (scanId: string) =>
  (
    await sql<{ settings: object; hash: string }>`select p.settings, p.rule_set_hash as hash from run_plan p
      join run on run.id = p.run_id where run.scan_id = ${scanId}`.execute(api.db)
  ).rows

/** The first shape of settings, without sources, scripts, sessions, schedules, notifications, presets and PDF/UA. */
const buildFirstSettings = (name: string) => ({
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
/** Fields that each later version first saved in addition to the previous ones, each with a distinct value. */
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
      notification: { events: ['finished'], allTeamMembers: false, me: false, specificUsers: ['a@example.org'] },
      presetId: null,
      sendToReports: true,
    }),
  ],
  ['with PDF/UA among the rules', () => ({ ruleSet: { pdfUa: true } })],
  ['with elements to wait for', () => ({ advanced: { waitFor: ['main'], waitForMs: 5000 } })],
]
type Shape = Record<string, unknown>
const isShape = (candidate: unknown): candidate is Shape =>
  typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate)
const mergeShapes = (shape: Shape, addition: Shape): Shape => ({
  ...shape,
  ...Object.fromEntries(
    Object.entries(addition).map(([key, addedValue]) => {
      const previousValue = shape[key]
      return [key, isShape(previousValue) && isShape(addedValue) ? mergeShapes(previousValue, addedValue) : addedValue]
    }),
  ),
})
/** Returns the settings that a version stored: all fields known by then. */
const buildSavedSettings = (index: number, name: string): Shape =>
  additions.slice(0, index + 1).reduce<Shape>((shape, [, added]) => mergeShapes(shape, added(name)), buildFirstSettings(name))
const versions = additions.map(([version], index) => [version, index] as const)

it.each(versions)('reads, saves and runs a scan %s', async (description, index) => {
  const { id } = await createScan(description)
  const shape = buildSavedSettings(index, description)
  await overwriteSettings('scan', id, shape)
  const { settings, version } = (await api.call('GET', `/scans/${id}/settings`)).body as CreatedObject
  expect(settings).toMatchObject(shape)
  // Later fields have their default.
  expect(settings).toMatchObject({ ruleSet: { pdfUa: index >= 3 }, sources: { followLinks: true } })
  expect(settings.advanced).toMatchObject({ headless: true, stopAfterFailures: 50 })
  // Secrets are stored elsewhere, and this row has none yet.
  const secret = JSON.parse(JSON.stringify(settings).replaceAll(/"(password|value)":null/g, '"$1":"secret"')) as object
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings: secret, version } })).status).toBe(200)
  await overwriteSettings('scan', id, shape)
  expect((await api.call('POST', `/scans/${id}/startRun`)).status).toBe(202)
  expect((await listPlans(id))[0]!.settings).toMatchObject({ advanced: { extraHeaders: [] } })
})

/** Presets were introduced with the schedules. A preset has fewer values than a scan: null leaves one open. */
it.each(versions.slice(2))('reads, assigns and saves a preset %s', async (description, index) => {
  const { ruleSet, advanced, commonComponents, domains, includeRules, excludeRules, sources } = buildSavedSettings(
    index,
    description,
  )
  const body = { name: `Preset ${description}` }
  const preset = (await api.call('POST', '/presets', { ...admin, body })).body as CreatedObject
  const shape = {
    ...body,
    shareLink: null,
    sendToReports: null,
    ruleSet,
    urlScope: { domains, includeRules, excludeRules, sources },
    scanScope: null,
    commonComponents,
    advanced,
    allowOverride: { shareLink: false, sendToReports: false, ruleSet: false, urlScope: false, scanScope: false },
  }
  await overwriteSettings('preset', preset.id, shape)
  const { settings, version } = (await api.call('GET', `/presets/${preset.id}/settings`, admin)).body as CreatedObject
  expect(settings).toMatchObject(shape)
  const update = { ...admin, body: { settings, version } }
  expect((await api.call('PUT', `/presets/${preset.id}`, update)).status).toBe(200)
  await overwriteSettings('preset', preset.id, shape)
  const scan = await createScan(`Under ${description}`, { presetId: preset.id })
  expect(scan.settings).toMatchObject({ ruleSet, advanced, sources })
})

it('reads the changes of a run from before changes by the rule set were distinguished', async () => {
  const { id } = await createScan('Older change')
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
  const storeChange = (storedChange: unknown) =>
    sql`update run_plan set change = ${JSON.stringify(storedChange)}::jsonb where run_id in
      (select id from run where scan_id = ${id})`.execute(api.db)
  const readOverview = () => api.call('GET', `/scans/${id}/runs/1/overview`)
  await storeChange(change)
  expect((await readOverview()).body).toMatchObject({ change: { ...change, byRuleSet: { new: 0, fixed: 0 } } })
  await storeChange(null)
  expect((await readOverview()).body).toMatchObject({ change: null })
  await storeChange({ ...change, fixed: 'three' })
  expect((await readOverview()).status).toBe(500)
})

it('reads the settings of the product as they were first stored, and refuses invalid ones', async () => {
  const storeSetting = (name: string, settingValue: unknown) =>
    sql`insert into system_setting (name, value) values (${name}, ${JSON.stringify(settingValue)})
      on conflict (name) do update set value = excluded.value`.execute(api.db)
  await storeSetting('allowScanViewersToCreateScans', { on: false })
  await storeSetting('retention', { contentDays: 10, archiveDays: 20, deleteDays: 0, keepRuns: 3 })
  const readSetting = async (path: string) => (await api.call('GET', path, admin)).body
  expect(await readSetting('/system-settings')).toMatchObject({
    allowScanMembersToCreateScans: true,
    allowScanViewersToCreateScans: false,
  })
  expect(await readSetting('/system-settings/retention')).toMatchObject({ contentDays: 10, keepRuns: 3 })
  await storeSetting('retention', { contentDays: 'ten' })
  expect((await api.call('GET', '/system-settings/retention', admin)).status).toBe(500)
  // Quotas from before views could be saved, and one with a field of a future version.
  const quotas = { scans: 7, runs: 6, tries: 5, uploads: 4, receivers: 3 }
  await storeSetting('quotas', quotas)
  expect(await readSetting('/system-settings/quotas')).toMatchObject({ ...quotas, views: defaultQuotas.views })
  await storeSetting('quotas', { ...quotas, views: 2, wishes: 1 })
  expect(await readSetting('/system-settings/quotas')).toMatchObject({ ...quotas, views: 2 })
  expect(await readSetting('/system-settings/quotas')).not.toHaveProperty('wishes')
  await storeSetting('quotas', { ...quotas, scans: 'seven' })
  expect((await api.call('GET', '/system-settings/quotas', admin)).status).toBe(500)
  await sql`delete from system_setting`.execute(api.db)
})

it('reads the names of the variables of a script, and refuses a row that has none', async () => {
  const pageList = [{ name: 'Home', url: 'https://example.org/', actions: ['analyze'] }]
  const scriptText = JSON.stringify({ projects: [{ name: 'P', id: 'p', pageList }] })
  const body = { name: 'Stored names', type: 'TASK', text: scriptText, variables: [] }
  const createdScript = (await api.call('POST', '/scripts', { ...admin, body })).body as CreatedObject
  const storeNames = (storedNames: unknown) =>
    sql`update script set variables = ${JSON.stringify(storedNames)}::jsonb where id = ${createdScript.id}`.execute(api.db)
  await storeNames(['USER', 'PASSWORD'])
  const readScript = () => api.call('GET', `/scripts/${createdScript.id}/settings`, admin)
  expect((await readScript()).body).toMatchObject({
    settings: {
      variables: [
        { name: 'USER', value: null },
        { name: 'PASSWORD', value: null },
      ],
    },
  })
  await storeNames({ USER: 1 })
  expect((await readScript()).status).toBe(500)
  await sql`delete from script where id = ${createdScript.id}`.execute(api.db)
})

it('drops an unreadable message, and sends the others', async () => {
  const { id } = await createScan('Messages')
  const validPayload = {
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
  const storeMessage = (key: string, payload: unknown) =>
    sql`insert into delivery (id, kind, scan_id, event, receiver, payload, next_at)
      values (new_id(), 'mail', ${id}, 'finished', ${key}, ${JSON.stringify(payload)}::jsonb, now())`.execute(api.db)
  await storeMessage('first@example.org', validPayload)
  await storeMessage('language@example.org', { ...validPayload, language: 'de' })
  await storeMessage('broken@example.org', { ...validPayload, run: 'none' })
  const sentReceivers: string[] = []
  const recordDelivery = (delivery: { receiver: string }) => {
    sentReceivers.push(delivery.receiver)
    return Promise.resolve({ ok: true as const, status: 250 })
  }
  await sendDueMessages({ db: api.db, config: api.config, publicUrl: '' }, { mail: recordDelivery, webhook: recordDelivery })
  expect(sentReceivers.toSorted()).toEqual(['first@example.org', 'language@example.org'])
  const { rows: deliveryRows } = await sql`select state, last_error from delivery where receiver = 'broken@example.org'`.execute(
    api.db,
  )
  expect(deliveryRows).toMatchObject([{ state: 'failed', last_error: expect.stringContaining('run') }])
})

it('shows a list despite an unreadable row, and names that row when it is requested', async () => {
  const { id } = await createScan('Broken row')
  await overwriteSettings('scan', id, { name: 'Broken row', urls: 'none' })
  const scanList = await api.call('GET', '/scans?search=broken')
  expect(scanList.body).toMatchObject({ content: [{ id, name: 'Broken row' }] })
  expect((await api.call('GET', `/scans/${id}`)).status).toBe(200)
  expect(await api.call('GET', `/scans/${id}/settings`)).toMatchObject({ status: 500, body: { code: 'server-error' } })
})

it('lets a scan be saved under a locking preset that was stored before an advanced setting was introduced', async () => {
  const body = { name: 'Older lock', advanced: { windowWidth: 1000 } }
  const preset = (await api.call('POST', '/presets', { ...admin, body })).body as CreatedObject
  const scan = await createScan('Under the older lock', { presetId: preset.id })
  const { stopAfterFailures: _later, scrollPages: _too, ...advanced } = preset.settings.advanced as Record<string, unknown>
  await overwriteSettings('preset', preset.id, { ...preset.settings, advanced })
  const saveScan = (change: object) =>
    api
      .call('GET', `/scans/${scan.id}/settings`)
      .then(({ body: savedScan }) => savedScan as CreatedObject)
      .then(({ settings, version }) =>
        api.call('PUT', `/scans/${scan.id}`, { body: { settings: { ...settings, ...change }, version } }),
      )
  expect((await saveScan({ priority: 'low' })).status).toBe(200)
  expect((await saveScan({ advanced: { windowWidth: 900 } })).body).toMatchObject({
    errors: [{ path: 'settings.advanced', code: 'locked-by-preset' }],
  })
})

it('gives earlier runs with PDF/UA the fingerprint of the next one, and keeps the others', async () => {
  const withPdf = { ...defaultRuleSet, pdfUa: true }
  const computeUndrivenHash = (ruleSet: RuleSet) => computeRuleSetHash({ ruleSet, advanced: { driven: 'off' } })
  const scans = [await createScan('With PDF/UA', { ruleSet: withPdf }), await createScan('Without PDF/UA')]
  for (const { id } of scans) await api.call('POST', `/scans/${id}/startRun`)
  const older = computeUndrivenHash({ ...withPdf, pdfUa: false })
  await sql`update run_plan set rule_set_hash = ${older} where settings #>> '{name}' like '%PDF/UA'`.execute(api.db)
  await monitorMigrations['0009-pdf-ua-fingerprint']!.up(api.db)
  const hashes = await Promise.all(scans.map(async ({ id }) => (await listPlans(id))[0]!.hash))
  expect(hashes).toEqual([computeUndrivenHash(withPdf), computeUndrivenHash(defaultRuleSet)])
})
