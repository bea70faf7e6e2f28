import type {
  AdvancedSetting,
  SettingKind,
  SettingsOf,
} from '@clearway/contract/monitor/scan/advanced/schema.ts'
import {
  AdvancedSettings,
  getSettingRow,
  settingRows,
} from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { findFormErrors } from './check.ts'
import { copyFormValues, createNewValues, toSentSettings, toFormValues } from './model.ts'
import { findFormField } from './paths.ts'
import { getFieldsInSections, getSettingKind, getUnitScale } from './setting-controls.ts'
import { findChangedFields, restoreDraftValues, mergeForms, toStorableValues } from './steps.ts'
import type { ScanForm } from './values.ts'

const form = createNewValues('https://www.example.org/')

/** Advanced settings that all differ from their defaults, by kind or with a specific value. */
function unusual() {
  const usual = z.parse(AdvancedSettings, {})
  const shapes: Record<SettingsOf<'special'>, unknown> = {
    mimeTypes: ['application/pdf'],
    extraHeaders: [{ name: 'X-Test', value: null }],
    keywordRules: { mustHaveAll: ['a'], mustHaveAny: ['b', 'c'], mustNotHaveAny: ['d'] },
  }
  const values: Record<SettingKind, (name: AdvancedSetting) => unknown> = {
    flag: (name) => !usual[name],
    // The highest value that the form supports.
    number: (name) => Math.floor((getSettingRow(name).max ?? 0) / getUnitScale(name)) * getUnitScale(name),
    'number-or-none': (name) => (usual[name] === null ? 3 * getUnitScale(name) : null),
    text: () => 'https://www.example.org/x',
    date: () => '2026-01-01',
    lines: () => ['x', '*/y'],
    selectors: () => ['#ok', '//button'],
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
  notification: {
    events: ['new-issues'],
    allTeamMembers: true,
    me: true,
    specificUsers: ['sam@example.org'],
  },
  presetId: '00000000-0000-7000-8000-000000000003',
  sendToReports: false,
})
const shared = [
  { id: '00000000-0000-7000-8000-000000000001', type: 'TASK' as const },
  { id: '00000000-0000-7000-8000-000000000002', type: 'SESSION' as const },
]

it('preserves every setting in a round trip', () => {
  const values = toFormValues(full, { access: null, shared })
  const { access, ...settings } = toSentSettings(values, { teams: {}, groups: [] })
  expect(access).toBeUndefined()
  expect(z.parse(ScanSettings, settings)).toEqual(full)
  // Every value differs from its default, so a lost field would show above.
  const usual = ['teams', 'groups', 'timeZone', 'dayNumber', 'endDate', 'weekdays', 'urls']
  const unchanged = Object.keys(values).filter(
    (field) => !findChangedFields(form, values).includes(field as keyof ScanForm),
  )
  const empty = ['password', 'keystoreType', 'keystoreName', 'keystore', 'keystorePassword']
  expect(unchanged.filter((field) => !empty.includes(field) && !usual.includes(field))).toEqual([])
})

const rows = {
  components: [
    { name: 'A', selectors: 'nav' },
    { name: 'A', selectors: '[' },
  ],
  templateUrls: 'https://a.example/',
}
const sameDay = { pdfModifiedFrom: '2026-05-02', pdfModifiedTo: '2026-05-02' }
it.each<[Partial<ScanForm>, string, string]>([
  [{ name: ' ' }, 'name', 'required'],
  [{ urls: '' }, 'urls', 'required'],
  [{ urls: 'www.example.org' }, 'urls', 'bad-url'],
  [{ urls: 'ftp://example.org/' }, 'urls', 'url-scheme'],
  [{ urls: 'https://sam:secret@example.org/' }, 'urls', 'url-credentials'],
  [{ urls: 'https://a.example/\nhttps://a.example/' }, 'urls', 'duplicate'],
  [{ urls: 'https://a.example/\nhttps://A.example' }, 'urls', 'duplicate'],
  [{ type: 'custom', pageLimit: '0' }, 'pageLimit', 'too-small'],
  [{ type: 'custom', pageLimit: 'many' }, 'pageLimit', 'wrong-format'],
  [{ windowWidth: '9999' }, 'windowWidth', 'too-big'],
  [{ pageTimeoutMs: '0' }, 'pageTimeoutMs', 'too-small'],
  [{ testPages: false }, 'testPages', 'required'],
  [{ domains: 'http://example.org' }, 'domains', 'bad-domain'],
  [{ domains: 'example.org\nExample.org' }, 'domains', 'duplicate'],
  [{ excludeRules: [{ kind: 'regex', pattern: '(' }] }, 'excludeRules.0.pattern', 'wrong-format'],
  [{ testPdfs: true, pdfTargetCount: '1000' }, 'pdfTargetCount', 'too-big'],
  [{ ...sameDay, testPdfs: true }, 'pdfModifiedTo', 'too-small'],
  [{ components: [{ name: 'A', selectors: 'nav' }] }, 'templateUrls', 'required'],
  [{ ...rows, components: [rows.components[0]!, rows.components[0]!] }, 'components.1.name', 'duplicate'],
  [
    { ...rows, components: [rows.components[0]!, { name: 'a', selectors: 'footer' }] },
    'components.1.name',
    'duplicate',
  ],
  [{ ...rows, components: [rows.components[1]!] }, 'components.0.selectors', 'wrong-format'],
  [{ authType: 'basic', password: 'x' }, 'username', 'required'],
  [{ authType: 'basic', username: 'sam' }, 'password', 'required'],
  [{ authType: 'ntlm', username: 'sam', password: 'x' }, 'username', 'wrong-format'],
  [{ variables: [{ name: 'A', value: '', stored: false }] }, 'variables.0.value', 'required'],
  [{ frequency: 'weekly', startDate: '2020-01-01' }, 'startDate', 'in-past'],
  [{ frequency: 'weekly', weekdays: [] }, 'weekdays', 'required'],
  [{ frequency: 'weekly', timeoutHours: '0' }, 'timeoutHours', 'too-small'],
  [{ frequency: 'weekly', endKind: 'after', endRuns: '0' }, 'endRuns', 'too-small'],
  [{ frequency: 'monthly', dayKind: 'day', dayNumber: '32' }, 'dayNumber', 'too-big'],
  [{ notifyOthers: true }, 'specificUsers', 'required'],
  [{ notifyOthers: true, specificUsers: 'sam' }, 'specificUsers', 'wrong-format'],
  [{ notifyOthers: true, specificUsers: 'a@b.example A@b.example' }, 'specificUsers', 'duplicate'],
  [{ ownScripts: [{ name: 'A', type: 'TASK', text: 'projects: 1' }] }, 'ownScripts.0.text', 'invalid'],
  [{ extraHeaders: [{ name: 'X-A', value: '', stored: false }] }, 'extraHeaders.0.value', 'required'],
  [{ extraHeaders: [{ name: 'Cookie', value: 'x', stored: false }] }, 'extraHeaders.0.name', 'unknown-value'],
])('finds the error of %j', async (wrong, field, code) => {
  const values = { ...form, ...wrong }
  const foundErrors = (await findFormErrors(values, null)).map((error) => [
    findFormField(error.path, values),
    error.code,
  ])
  expect(foundErrors).toContainEqual([field, code])
  // A repeated selector accompanies a repeated component.
  expect(new Set(foundErrors.map(([one]) => one?.split('.')[0])).size).toBe(1)
})

/** An invalid value for each kind of field, and its error. */
const refused: Partial<Record<SettingKind, [typed: string, code: string]>> = {
  number: ['x', 'wrong-format'],
  'number-or-none': ['x', 'wrong-format'],
  text: ['é', 'wrong-format'],
  selectors: ['#ok\n#a >', 'wrong-format'],
}
it.each(
  getFieldsInSections('exclude', 'scope', 'advanced').flatMap((name) => {
    const [typed, code] = refused[getSettingKind(name)] ?? []
    return typed === undefined ? [] : [[name, typed, code] as const]
  }),
)('%s: shows %j at the field as %s', async (name, typed, code) => {
  const values = { ...form, [name]: typed }
  const foundErrors = (await findFormErrors(values, null)).map(({ path, code: as }) => [
    findFormField(path, values),
    as,
  ])
  expect(foundErrors).toEqual([[name, code]])
})

it('keeps a stored secret of the same kind and requires one of another kind', async () => {
  const values = toFormValues(full, { access: null, shared })
  const fields = async (one: ScanForm) =>
    (await findFormErrors(one, full)).map(({ path }) => findFormField(path, one))
  expect(await fields(values)).not.toContain('password')
  expect(await fields(values)).not.toContain('variables.0.value')
  expect(await fields({ ...values, authType: 'basic' })).toContain('password')
})

it('stores no secrets in drafts', () => {
  const text = JSON.stringify(
    toStorableValues({
      ...form,
      urls: [
        'https://www.example.org/a@b https://www.example.org:8080/@c',
        'https://sam:geheim@example.org/',
        'https://sam:geheim@',
        'https://sam:pa#geheim@example.org/',
        'https://sam:pa/geheim@example.org/?d',
        'sam:geheim@example.org',
        'https:sam:geheim@example.org',
        'http:\\\\sam:geheim@example.org',
      ].join('\n'),
      referrer: 'https://sam:geheim@example.org/',
      templateUrls: 'https://geheim@example.org/',
      sitemaps: 'https://sam:geheim@example.org/x.xml',
      listedUrls: 'https://sam:ge@heim:geheim@example.org/?a=b@c',
      password: 'geheim',
      keystore: 'geheim',
      keystorePassword: 'geheim',
      variables: [{ name: 'A', value: 'geheim', stored: false }],
      extraHeaders: [{ name: 'Authorization', value: 'geheim', stored: false }],
    }),
  )
  expect(text).not.toContain('geheim')
  expect(text).toContain('Authorization')
  expect(text).toContain('https://www.example.org/a@b https://www.example.org:8080/@c')
  expect(text).toContain('https://example.org/?d')
})

it('reads the known fields of a draft from any version', () => {
  const values = { ...toFormValues(full, { access: null, shared }), name: 'Draft', pageLimit: 'many' }
  expect(restoreDraftValues(JSON.parse(JSON.stringify(values)) as Record<string, unknown>, form)).toEqual(
    values,
  )
  const other = {
    name: 'Draft',
    urls: 7,
    type: 'enormous',
    variables: [{ name: 'A' }],
    teams: { t: 'king' },
    priority: undefined,
    mood: 'fine',
  }
  expect(restoreDraftValues(other, form)).toEqual({ ...form, name: 'Draft' })
  expect(restoreDraftValues({}, form)).toEqual(form)
})

it('merges the changes of two people and reports conflicts', () => {
  const mine = { ...form, name: 'Mine', depth: '2' }
  const theirs = { ...form, name: 'Theirs', priority: 'low' as const }
  const { values, takenFields, keptFields } = mergeForms(form, mine, theirs)
  expect(values).toMatchObject({ name: 'Mine', depth: '2', priority: 'low' })
  expect([takenFields, keptFields]).toEqual([['priority'], ['name']])
})

it('creates duplicates without secrets, schedule and groups', () => {
  const original: ScanForm = {
    ...form,
    frequency: 'weekly',
    groups: ['a'],
    teams: { t: 'scanViewer' },
    variables: [{ name: 'USER', value: 'typed', stored: true }],
    extraHeaders: [{ name: 'X-Key', value: '', stored: true }],
  }
  expect(copyFormValues(original)).toMatchObject({
    frequency: 'manual',
    groups: [],
    teams: { t: 'scanViewer' },
    variables: [{ name: 'USER', value: '', stored: false }],
    extraHeaders: [{ name: 'X-Key', value: '', stored: false }],
  })
})
