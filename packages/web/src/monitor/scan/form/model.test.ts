import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { AdvancedSetting, SettingKind, SettingsOf } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { AdvancedSettings, getSettingRow, settingRows } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { set } from 'react-hook-form'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { findFormErrors } from './check.ts'
import { getShownCode } from './fault-text.ts'
import { findFormField, type FormField, formFields } from './field-table.ts'
import { copyFormValues, createNewValues, toSentSettings, toFormValues } from './model.ts'
import { getFieldsInSections, getSettingKind, getUnitScale } from './setting-controls.ts'
import { findChangedFields, mergeForms, restoreDraftValues, toStorableValues } from './steps.ts'
import type { ScanForm } from './values.ts'

const form = createNewValues('https://www.example.org/')

type Changes = Partial<Record<FormField, unknown>>
function withChanges(changes: Changes, values = form): ScanForm {
  const changedValues = structuredClone(values)
  for (const [field, value] of Object.entries(changes)) set(changedValues, field, value)
  return changedValues
}

/** Errors as the form shows them: field and code. */
const findShownErrors = async (values: ScanForm, stored: typeof full | null = null) =>
  (await findFormErrors(values, stored, defaultLimits)).map((error) => [
    findFormField(error.path, values),
    getShownCode(error, values),
  ])

/** Advanced settings that all differ from their defaults, by kind or with a specific value. */
function unusual() {
  const getScale = (name: AdvancedSetting) => getUnitScale(`advanced.${name}`)
  const usual = z.parse(AdvancedSettings, {})
  const shapes: Record<SettingsOf<'special'>, unknown> = {
    mimeTypes: ['application/pdf'],
    extraHeaders: [{ name: 'X-Test', value: null }],
    keywordRules: { mustHaveAll: ['a'], mustHaveAny: ['b', 'c'], mustNotHaveAny: ['d'] },
  }
  const values: Record<SettingKind, (name: AdvancedSetting) => unknown> = {
    flag: (name) => !usual[name],
    // The highest value that the form supports.
    number: (name) => Math.floor((getSettingRow(name).max ?? 0) / getScale(name)) * getScale(name),
    'number-or-none': (name) => (usual[name] === null ? 3 * getScale(name) : null),
    text: () => 'https://www.example.org/x',
    date: () => '2026-01-01',
    lines: () => ['x', '*/y'],
    selectors: () => ['#ok', '//button'],
    choice: (name) => getSettingRow(name).choices?.at(-1),
    special: (name) => shapes[name as SettingsOf<'special'>],
  }
  return Object.fromEntries(settingRows.map(([name, { kind }]) => [name, values[kind](name)]))
}

/** Every setting with a field, each different from its default. */
const full = z.parse(ScanSettings, {
  name: 'Example',
  type: 'custom',
  urls: ['https://www.example.org/'],
  domains: ['*.example.org'],
  depth: 3,
  pageLimit: 40,
  priority: 'high',
  ruleSet: { axeVersion: '4.12', standard: 'wcag21a', bestPractices: false, experimental: true, pdfUa: true },
  sources: {
    followLinks: false,
    sitemaps: ['https://www.example.org/a.xml'],
    sitemapsOfRobots: true,
    urls: ['https://www.example.org/b'],
  },
  includeRules: [{ kind: 'glob', pattern: '*/in' }],
  excludeRules: [
    { kind: 'regex', pattern: 'x+' },
    { kind: 'prefix', pattern: 'https://www.example.org/out' },
  ],
  commonComponents: {
    templateUrls: ['https://www.example.org/t'],
    components: [{ name: 'Header', selectors: ['header', '//nav'] }],
  },
  scripts: {
    own: [{ name: 'Basket', type: 'TASK', text: 'projects: []' }],
    shared: ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'],
    variables: [{ name: 'USER', value: null }],
  },
  session: {
    connection: { authType: 'ntlm', username: 'home\\sam', password: null },
    mark: { means: 'signed-out', kind: 'text', value: 'Sign in' },
  },
  advanced: unusual(),
  schedule: {
    frequency: 'monthly',
    startDate: '2099-01-31',
    startTime: '03:30',
    timeZone: 'Europe/Berlin',
    timeoutMs: 5_400_000,
    interval: 2,
    day: { kind: 'weekday', week: 'last', weekday: 'friday' },
    end: { kind: 'after', runs: 4 },
  },
  notification: { events: ['new-issues'], allTeamMembers: true, me: true, specificUsers: ['sam@example.org'] },
  presetId: '00000000-0000-7000-8000-000000000003',
  sendToReports: false,
})
const shared = [
  { id: '00000000-0000-7000-8000-000000000001', type: 'TASK' as const },
  { id: '00000000-0000-7000-8000-000000000002', type: 'SESSION' as const },
]

it.each([
  ['https://www.example.org/shop', 'www.example.org'],
  ['www.example.org/shop', 'www.example.org'],
  ['localhost:3000', 'localhost:3000'],
  ['', ''],
])('names a new scan of %s after its host', (startUrl, name) => expect(createNewValues(startUrl).name).toBe(name))

it('proposes driven templates for new scans only', () => {
  expect(form.advanced.driven).toBe('templates')
  expect(z.parse(ScanSettings, { name: 'A', urls: ['https://a.example/'] }).advanced.driven).toBe('off')
})

it('preserves every setting in a round trip', () => {
  const values = toFormValues(full, { access: null, shared })
  const { access, ...settings } = toSentSettings(values, { teams: {}, groups: [] })
  expect(access).toBeUndefined()
  expect(z.parse(ScanSettings, settings)).toEqual(full)
  // Every value differs from its default, so a lost field would show above.
  const usual = [
    'access.teams',
    // New scans have it on.
    'advanced.representativeOrder',
    'access.groups',
    'schedule.timeZone',
    'schedule.day.day',
    'schedule.end.date',
    'schedule.weekdays',
    'urls',
  ]
  const unchanged = formFields.filter((field) => !findChangedFields(form, values).includes(field))
  // Fields of other kinds of sign-in, and secrets.
  const empty = ['password', 'url', 'hasCode', 'codeSecret', 'keystoreType', 'keystoreName', 'keystore', 'keystorePassword'].map(
    (name) => `session.connection.${name}`,
  )
  expect(unchanged.filter((field) => !empty.includes(field) && !usual.includes(field))).toEqual([])
})

const nav = { name: 'A', selectors: ['nav'] }
const templates = { 'commonComponents.templateUrls': ['https://a.example/'] }
const sameDay = { 'advanced.pdfModifiedFrom': '2026-05-02', 'advanced.pdfModifiedTo': '2026-05-02' }
const both = { 'advanced.mimeTypes': ['text/html', 'application/pdf'] }
const basic = { 'session.connection.authType': 'basic' }
const signInText = 'projects:\n  - name: P\n    id: p\n    pageList:\n      - name: A\n        url: https://a.example/'
const signInForm = {
  'session.connection.authType': 'form',
  'session.connection.url': 'https://a.example/login',
  'session.connection.username': 'sam',
  'session.connection.password': 'x',
}
const weekly = { 'schedule.frequency': 'weekly' }
const others = { 'notification.notifyOthers': true }
it.each<[Changes, string, string]>([
  [{ name: ' ' }, 'name', 'required'],
  [{ name: 'A\u0007' }, 'name', 'wrong-format'],
  [{ urls: [] }, 'urls', 'required'],
  [{ urls: ['www.example.org'] }, 'urls', 'bad-url'],
  [{ urls: ['ftp://example.org/'] }, 'urls', 'url-scheme'],
  [{ urls: ['https://sam:secret@example.org/'] }, 'urls', 'url-credentials'],
  [{ urls: ['https://a.example/', 'https://a.example/'] }, 'urls', 'duplicate'],
  [{ urls: ['https://a.example/', 'https://A.example'] }, 'urls', 'duplicate'],
  [{ domains: ['b.example'] }, 'urls', 'outside-domains'],
  [{ type: 'custom', pageLimit: 0 }, 'pageLimit', 'too-small'],
  [{ type: 'custom', pageLimit: 'many' }, 'pageLimit', 'wrong-type'],
  [{ type: 'custom', pageLimit: null }, 'pageLimit', 'required'],
  [{ type: 'custom', depth: 51 }, 'depth', 'too-big'],
  [{ 'advanced.windowWidth': 9999 }, 'advanced.windowWidth', 'too-big'],
  [{ 'advanced.pageTimeoutMs': 0 }, 'advanced.pageTimeoutMs', 'too-small'],
  [{ 'advanced.mimeTypes': [] }, 'advanced.mimeTypes', 'required'],
  [{ domains: ['http://example.org'] }, 'domains', 'bad-domain'],
  [{ domains: ['example.org', 'Example.org'] }, 'domains', 'duplicate'],
  [{ excludeRules: [{ kind: 'regex', pattern: '(' }] }, 'excludeRules.0.pattern', 'wrong-format'],
  [{ ...both, 'advanced.pdfTargetCount': 1000 }, 'advanced.pdfTargetCount', 'too-big'],
  [{ ...both, ...sameDay }, 'advanced.pdfModifiedTo', 'too-small'],
  [{ 'commonComponents.components': [nav] }, 'commonComponents.templateUrls', 'required'],
  [{ ...templates, 'commonComponents.components': [nav, nav] }, 'commonComponents.components.1.name', 'duplicate'],
  [
    { ...templates, 'commonComponents.components': [nav, { name: 'B', selectors: ['a', 'nav'] }] },
    'commonComponents.components.1.selectors',
    'duplicate',
  ],
  [
    { ...templates, 'commonComponents.components': [nav, { name: 'a', selectors: ['footer'] }] },
    'commonComponents.components.1.name',
    'duplicate',
  ],
  [
    { ...templates, 'commonComponents.components': [{ name: 'A', selectors: ['['] }] },
    'commonComponents.components.0.selectors',
    'wrong-format',
  ],
  [{ ...basic, 'session.connection.password': 'x' }, 'session.connection.username', 'required'],
  [{ ...basic, 'session.connection.username': 'sam' }, 'session.connection.password', 'required'],
  [{ ...signInForm, 'session.connection.url': '' }, 'session.connection.url', 'required'],
  [{ ...signInForm, 'session.connection.url': 'ftp://a.example' }, 'session.connection.url', 'url-scheme'],
  [{ ...signInForm, 'session.connection.hasCode': true }, 'session.connection.codeSecret', 'required'],
  [
    { ...signInForm, 'session.connection.hasCode': true, 'session.connection.codeSecret': '1890' },
    'session.connection.codeSecret',
    'wrong-format',
  ],
  [
    { ...signInForm, 'scripts.own': [{ name: 'S', type: 'SESSION', text: signInText }] },
    'session.connection.authType',
    'invalid',
  ],
  [
    { 'session.connection.authType': 'ntlm', 'session.connection.username': 'sam', 'session.connection.password': 'x' },
    'session.connection.username',
    'wrong-format',
  ],
  [{ 'scripts.variables': [{ name: 'A', value: '', stored: false }] }, 'scripts.variables.0.value', 'required'],
  [{ ...weekly, 'schedule.startDate': '2020-01-01' }, 'schedule.startDate', 'in-past'],
  [{ ...weekly, 'schedule.weekdays': [] }, 'schedule.weekdays', 'required'],
  [{ ...weekly, 'schedule.weekdays': ['monday', 'monday'] }, 'schedule.weekdays', 'duplicate'],
  [{ ...weekly, 'schedule.timeoutMs': 0 }, 'schedule.timeoutMs', 'too-small'],
  [{ ...weekly, 'schedule.end.kind': 'after', 'schedule.end.runs': 0 }, 'schedule.end.runs', 'too-small'],
  [{ 'schedule.frequency': 'monthly', 'schedule.day.kind': 'day', 'schedule.day.day': 32 }, 'schedule.day.day', 'too-big'],
  [others, 'notification.specificUsers', 'required'],
  [{ ...others, 'notification.specificUsers': ['sam'] }, 'notification.specificUsers', 'wrong-format'],
  [{ ...others, 'notification.specificUsers': ['a@b.example', 'A@b.example'] }, 'notification.specificUsers', 'duplicate'],
  [{ 'scripts.own': [{ name: 'A', type: 'TASK', text: 'projects: 1' }] }, 'scripts.own.0.text', 'invalid'],
  [{ 'advanced.extraHeaders': [{ name: 'X-A', value: '', stored: false }] }, 'advanced.extraHeaders.0.value', 'required'],
  [{ 'advanced.extraHeaders': [{ name: 'Cookie', value: 'x', stored: false }] }, 'advanced.extraHeaders.0.name', 'unknown-value'],
])('finds the error of %j', async (wrong, field, code) => {
  const foundErrors = await findShownErrors(withChanges(wrong))
  expect(foundErrors).toContainEqual([field, code])
  // A repeated selector accompanies a repeated component.
  expect(new Set(foundErrors.map(([one]) => one?.split('.').slice(0, 2).join('.'))).size).toBe(1)
})

/** An invalid value for each kind of field, and its error. */
const refused: Partial<Record<SettingKind, [typed: unknown, code: string]>> = {
  number: ['x', 'wrong-type'],
  'number-or-none': ['x', 'wrong-type'],
  text: ['é', 'wrong-format'],
  selectors: [['#ok', '#a >'], 'wrong-format'],
}
it.each(
  getFieldsInSections('basic', 'exclude', 'scope', 'advanced').flatMap((name) => {
    const [typed, code] = refused[getSettingKind(name)] ?? []
    return typed === undefined ? [] : [[name, typed, code] as const]
  }),
)('%s: shows %j at the field as %s', async (name, typed, code) => {
  expect(await findShownErrors(withChanges({ [name]: typed }))).toEqual([[name, code]])
})

it('applies the configured limits', async () => {
  const values = withChanges({ type: 'custom', pageLimit: 9 })
  const errors = await findFormErrors(values, null, { ...defaultLimits, pageLimit: 8 })
  expect(errors).toEqual([{ path: 'pageLimit', code: 'too-big', params: { max: 8 } }])
})

it('sends a sign-in by a form in a round trip, without a secret of codes that is not asked for', () => {
  const connection = {
    authType: 'form',
    url: 'https://a.example/in',
    username: 'sam',
    password: null,
    hasCode: true,
    codeSecret: null,
  }
  const settings = { ...full, session: { ...full.session, connection } } as typeof full
  const values = toFormValues(settings, { access: null, shared })
  expect(toSentSettings(values, null).session?.connection).toEqual(connection)
  Object.assign(values.session.connection, { hasCode: false, codeSecret: 'JBSWY3DPEHPK3PXP' })
  expect(toSentSettings(values, null).session?.connection).toEqual({ ...connection, hasCode: false })
})

it('keeps a stored secret of the same kind and requires one of another kind', async () => {
  const values = toFormValues(full, { access: null, shared })
  const fields = async (one: ScanForm) => (await findShownErrors(one, full)).map(([field]) => field)
  expect(await fields(values)).not.toContain('session.connection.password')
  expect(await fields(values)).not.toContain('scripts.variables.0.value')
  expect(await fields(withChanges(basic, values))).toContain('session.connection.password')
})

it('stores no secrets in drafts', () => {
  const storedValues = toStorableValues(
    withChanges({
      urls: [
        'https://www.example.org/a@b https://www.example.org:8080/@c',
        'https://sam:geheim@example.org/',
        'https://sam:geheim@',
        'https://sam:pa#geheim@example.org/',
        'https://sam:pa/geheim@example.org/?d',
        'sam:geheim@example.org',
        'https:sam:geheim@example.org',
        'http:\\\\sam:geheim@example.org',
      ],
      'advanced.referrer': 'https://sam:geheim@example.org/',
      'commonComponents.templateUrls': ['https://geheim@example.org/'],
      'sources.sitemaps': ['https://sam:geheim@example.org/x.xml'],
      'sources.urls': ['https://sam:ge@heim:geheim@example.org/?a=b@c'],
      'session.connection.password': 'geheim',
      'session.connection.keystore': 'geheim',
      'session.connection.keystorePassword': 'geheim',
      'scripts.variables': [{ name: 'A', value: 'geheim', stored: false }],
      'advanced.extraHeaders': [{ name: 'Authorization', value: 'geheim', stored: false }],
    }),
  )
  const text = JSON.stringify(storedValues)
  expect(text).not.toContain('geheim')
  expect(text).toContain('Authorization')
  expect(text).toContain('https://www.example.org/a@b https://www.example.org:8080/@c')
  expect(text).toContain('https://example.org/?d')
})

it('reads every field of a draft, and the known ones of a draft from any version', () => {
  const values = { ...toFormValues(full, { access: null, shared }), name: 'Draft', pageLimit: 'many' }
  const draft: ScanDraft = {
    values: toStorableValues(values),
    base: toStorableValues(form),
    version: null,
    left: [],
    skipped: [],
    savedAt: '2026-11-24T10:00:00.000Z',
  }
  const sentDraft = z.parse(ScanDraft, JSON.parse(JSON.stringify(draft)))
  expect(restoreDraftValues(sentDraft.values, form)).toEqual(values)
  const other = {
    name: 'Draft',
    urls: 7,
    type: 'enormous',
    'scripts.variables': [{ name: 'A' }],
    'access.teams': { t: 'king' },
    priority: undefined,
    mood: 'fine',
  }
  expect(restoreDraftValues(other, form)).toEqual({ ...form, name: 'Draft' })
  expect(restoreDraftValues({}, form)).toEqual(form)
})

it('reads a draft of version 0.2, whose fields had no groups', () => {
  const values = { name: 'Draft', urls: 'https://a.example/\nhttps://b.example/', frequency: 'weekly', userAgent: 'Bot' }
  expect(restoreDraftValues(values, form)).toEqual(
    withChanges({
      name: 'Draft',
      urls: ['https://a.example/', 'https://b.example/'],
      'schedule.frequency': 'weekly',
      'advanced.userAgent': 'Bot',
    }),
  )
})

it('restores lists of which every row was removed', () => {
  const rows = { kind: 'prefix', pattern: 'https://a.example/' } as const
  const stored = withChanges({
    excludeRules: [rows],
    includeRules: [rows],
    'commonComponents.components': [{ name: 'Header', selectors: ['header'] }],
    'scripts.own': [{ name: 'Basket', type: 'TASK', text: 'x' }],
    domains: ['a.example'],
  })
  const emptied = withChanges({}, form)
  expect(restoreDraftValues(toStorableValues(emptied), stored)).toEqual(emptied)
})

it('merges the changes of two people and reports conflicts', () => {
  const mine = withChanges({ name: 'Mine', depth: 2, 'schedule.interval': 3 })
  const theirs = withChanges({ name: 'Theirs', priority: 'low', 'schedule.frequency': 'weekly' })
  const { values, takenFields, keptFields } = mergeForms(form, mine, theirs)
  expect(values).toEqual(
    withChanges({ name: 'Mine', depth: 2, priority: 'low', 'schedule.interval': 3, 'schedule.frequency': 'weekly' }),
  )
  expect([takenFields, keptFields]).toEqual([['priority', 'schedule.frequency'], ['name']])
})

it('creates duplicates without secrets, schedule and groups', () => {
  const original = withChanges({
    'schedule.frequency': 'weekly',
    access: { groups: ['a'], teams: { t: 'scanViewer' } },
    'scripts.variables': [{ name: 'USER', value: 'typed', stored: true }],
    'advanced.extraHeaders': [{ name: 'X-Key', value: '', stored: true }],
  } as Changes)
  expect(copyFormValues(original)).toMatchObject({
    schedule: { frequency: 'manual' },
    access: { groups: [], teams: { t: 'scanViewer' } },
    scripts: { variables: [{ name: 'USER', value: '', stored: false }] },
    advanced: { extraHeaders: [{ name: 'X-Key', value: '', stored: false }] },
  })
})
