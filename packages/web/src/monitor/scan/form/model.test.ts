import type {
  AdvancedSetting,
  SettingKind,
  SettingsOf,
} from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { AdvancedSettings, settingRow, settingRows } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { formErrors } from './check.ts'
import { copyOf, newValues, settingsOf, valuesOf } from './model.ts'
import { fieldOf } from './paths.ts'
import { fieldsIn, kindOf, scaleOf } from './setting-controls.ts'
import { changedFields, knownForm, merge, storable } from './steps.ts'
import type { ScanForm } from './values.ts'

const form = newValues('https://www.example.org/')

/** Advanced settings, each other than usual: by its kind, or as its own shape wants it. */
function unusual() {
  const usual = z.parse(AdvancedSettings, {})
  const shapes: Record<SettingsOf<'special'>, unknown> = {
    mimeTypes: ['application/pdf'],
    extraHeaders: [{ name: 'X-Test', value: null }],
    keywordRules: { mustHaveAll: ['a'], mustHaveAny: ['b', 'c'], mustNotHaveAny: ['d'] },
  }
  const values: Record<SettingKind, (name: AdvancedSetting) => unknown> = {
    flag: (name) => !usual[name],
    // The most that the form can say.
    number: (name) => Math.floor((settingRow(name).max ?? 0) / scaleOf(name)) * scaleOf(name),
    'number-or-none': (name) => (usual[name] === null ? 3 * scaleOf(name) : null),
    text: () => 'https://www.example.org/x',
    date: () => '2026-01-01',
    lines: () => ['x', '*/y'],
    selectors: () => ['#ok', '//button'],
    special: (name) => shapes[name as SettingsOf<'special'>],
  }
  return Object.fromEntries(settingRows.map(([name, { kind }]) => [name, values[kind](name)]))
}

/** Every setting that has a field, each other than usual. */
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

it('gives every setting back as it was', () => {
  const values = valuesOf(full, { access: null, shared })
  const { access, ...settings } = settingsOf(values, { teams: {}, groups: [] })
  expect(access).toBeUndefined()
  expect(z.parse(ScanSettings, settings)).toEqual(full)
  // Each is other than usual, so that a field that is lost shows above.
  const usual = ['teams', 'groups', 'timeZone', 'dayNumber', 'endDate', 'weekdays', 'urls']
  const unchanged = Object.keys(values).filter(
    (field) => !changedFields(form, values).includes(field as keyof ScanForm),
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
])('finds what is wrong with %j', async (wrong, field, code) => {
  const values = { ...form, ...wrong }
  const found = (await formErrors(values, null)).map((error) => [fieldOf(error.path, values), error.code])
  expect(found).toContainEqual([field, code])
  // A duplicate selector comes with a duplicate component.
  expect(new Set(found.map(([one]) => one?.split('.')[0])).size).toBe(1)
})

/** What no field of its kind takes, and how that is shown. */
const refused: Partial<Record<SettingKind, [typed: string, code: string]>> = {
  number: ['x', 'wrong-format'],
  'number-or-none': ['x', 'wrong-format'],
  text: ['é', 'wrong-format'],
  selectors: ['#ok\n#a >', 'wrong-format'],
}
it.each(
  fieldsIn('exclude', 'scope', 'advanced').flatMap((name) => {
    const [typed, code] = refused[kindOf(name)] ?? []
    return typed === undefined ? [] : [[name, typed, code] as const]
  }),
)('%s: %j is shown at the field as %s', async (name, typed, code) => {
  const values = { ...form, [name]: typed }
  const found = (await formErrors(values, null)).map(({ path, code: as }) => [fieldOf(path, values), as])
  expect(found).toEqual([[name, code]])
})

it('keeps a stored secret of the same kind, and asks for one of another', async () => {
  const values = valuesOf(full, { access: null, shared })
  const fields = async (one: ScanForm) => (await formErrors(one, full)).map(({ path }) => fieldOf(path, one))
  expect(await fields(values)).not.toContain('password')
  expect(await fields(values)).not.toContain('variables.0.value')
  expect(await fields({ ...values, authType: 'basic' })).toContain('password')
})

it('keeps no secret in a draft', () => {
  const text = JSON.stringify(
    storable({
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

it('takes of a draft what it knows, whatever version wrote it', () => {
  const values = { ...valuesOf(full, { access: null, shared }), name: 'Draft', pageLimit: 'many' }
  expect(knownForm(JSON.parse(JSON.stringify(values)) as Record<string, unknown>, form)).toEqual(values)
  const other = {
    name: 'Draft',
    urls: 7,
    type: 'enormous',
    variables: [{ name: 'A' }],
    teams: { t: 'king' },
    priority: undefined,
    mood: 'fine',
  }
  expect(knownForm(other, form)).toEqual({ ...form, name: 'Draft' })
  expect(knownForm({}, form)).toEqual(form)
})

it('brings the changes of two people together, and names what both changed', () => {
  const mine = { ...form, name: 'Mine', depth: '2' }
  const theirs = { ...form, name: 'Theirs', priority: 'low' as const }
  const { values, taken, kept } = merge(form, mine, theirs)
  expect(values).toMatchObject({ name: 'Mine', depth: '2', priority: 'low' })
  expect([taken, kept]).toEqual([['priority'], ['name']])
})

it('a duplicate has no secrets, no schedule and no groups', () => {
  const original: ScanForm = {
    ...form,
    frequency: 'weekly',
    groups: ['a'],
    teams: { t: 'scanViewer' },
    variables: [{ name: 'USER', value: 'typed', stored: true }],
    extraHeaders: [{ name: 'X-Key', value: '', stored: true }],
  }
  expect(copyOf(original)).toMatchObject({
    frequency: 'manual',
    groups: [],
    teams: { t: 'scanViewer' },
    variables: [{ name: 'USER', value: '', stored: false }],
    extraHeaders: [{ name: 'X-Key', value: '', stored: false }],
  })
})
