import type { ScanAccess } from '@clearway/contract/monitor/access/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ScanSettings, scanTypes } from '@clearway/contract/monitor/scan/schema.ts'
import type { NotificationOptions } from '@clearway/contract/monitor/notification/schema.ts'
import type { GroupId, TeamId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { advancedOf, advancedValues } from './advanced.ts'
import { scheduleOf, scheduleValues } from './schedule.ts'
import { sessionOf, sessionValues } from './session.ts'
import type {
  AccessValues,
  NotificationValues,
  RuleRow,
  ScanForm,
  ScopeValues,
  ScriptValues,
} from './values.ts'
import { pickKeys } from '../../../kit/client/pick.ts'
import { lines, numeric, numericOrNull } from './values.ts'

export type Settings = z.output<typeof ScanSettings>
export type SentSettings = z.input<typeof ScanSettings>
type Access = z.output<typeof ScanAccess>

function scopeValues({ domains, sources, includeRules, excludeRules }: Settings): ScopeValues {
  return {
    domains: domains.join('\n'),
    ...pickKeys(sources, ['followLinks', 'sitemapsOfRobots']),
    sitemaps: sources.sitemaps.join('\n'),
    listedUrls: sources.urls.join('\n'),
    excludeRules: excludeRules.map((rule) => ({ ...rule })),
    includeRules: includeRules.map((rule) => ({ ...rule })),
  }
}

const rulesOf = (rules: readonly RuleRow[]) =>
  rules.map(({ kind, pattern }) => ({ kind, pattern: pattern.trim() }))

function scopeOf(form: ScanForm) {
  return {
    domains: lines(form.domains),
    sources: {
      ...pickKeys(form, ['followLinks', 'sitemapsOfRobots']),
      sitemaps: lines(form.sitemaps),
      urls: lines(form.listedUrls),
    },
    includeRules: rulesOf(form.includeRules),
    excludeRules: rulesOf(form.excludeRules),
  }
}

type SharedScript = { id: string; type: 'TASK' | 'SESSION' }
function scriptValues({ scripts }: Settings, shared: readonly SharedScript[]): ScriptValues {
  const session = new Set<string>(shared.filter(({ type }) => type === 'SESSION').map(({ id }) => id))
  return {
    ownScripts: scripts.own.map((script) => ({ ...script })),
    sharedTasks: scripts.shared.filter((id) => !session.has(id)),
    sharedSession: scripts.shared.find((id) => session.has(id)) ?? '',
    variables: scripts.variables.map(({ name }) => ({ name, value: '', stored: true })),
  }
}

const scriptsOf = (form: ScanForm): SentSettings['scripts'] => ({
  own: form.ownScripts,
  shared: [...form.sharedTasks, ...(form.sharedSession ? [form.sharedSession] : [])],
  variables: form.variables.map(({ name, value }) => ({ name: name.trim(), value: value || null })),
})

function componentsOf({ templateUrls, components }: ScanForm): SentSettings['commonComponents'] {
  const urls = lines(templateUrls)
  if (urls.length === 0 && components.length === 0) return null
  return {
    templateUrls: urls,
    components: components.map(({ name, selectors }) => ({ name: name.trim(), selectors: lines(selectors) })),
  }
}

function notificationValues(stored: Settings['notification']): NotificationValues {
  return {
    ...pickKeys(stored, ['events', 'allTeamMembers', 'me']),
    notifyOthers: stored.specificUsers.length > 0,
    specificUsers: stored.specificUsers.join(', '),
  }
}

/** Addresses of mail, separated by commas, semicolons or spaces. */
const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

const notificationOf = (form: ScanForm): z.input<typeof NotificationOptions> => ({
  ...pickKeys(form, ['events', 'allTeamMembers', 'me']),
  specificUsers: form.notifyOthers ? addressesOf(form.specificUsers) : [],
})

function accessValues(access: Access | null): AccessValues {
  return {
    teams: Object.fromEntries((access?.teams ?? []).map(({ teamId, role }) => [teamId, role])),
    groups: (access?.groups ?? []).map(({ scanGroupId }) => scanGroupId),
  }
}

const accessOf = ({ teams, groups }: AccessValues): NonNullable<SentSettings['access']> => ({
  teams: Object.entries(teams).map(([teamId, role]) => ({ teamId: teamId as TeamId, role })),
  groups: groups as GroupId[],
})

/** What belongs to settings but is read by other calls. */
export type Beside = { access: Access | null; shared: readonly SharedScript[] }
const nothingBeside: Beside = { access: null, shared: [] }

/** A form for settings. */
export function valuesOf(settings: Settings, beside: Beside = nothingBeside): ScanForm {
  return {
    ...pickKeys(settings, ['name', 'type', 'priority', 'sendToReports']),
    urls: settings.urls.join('\n'),
    presetId: settings.presetId ?? '',
    depth: settings.depth?.toString() ?? '',
    pageLimit: String(settings.pageLimit),
    ...settings.ruleSet,
    templateUrls: settings.commonComponents?.templateUrls.join('\n') ?? '',
    components: (settings.commonComponents?.components ?? []).map(({ name, selectors }) => ({
      name,
      selectors: selectors.join('\n'),
    })),
    ...scriptValues(settings, beside.shared),
    ...scopeValues(settings),
    ...sessionValues(settings.session),
    ...advancedValues(settings.advanced),
    ...accessValues(beside.access),
    ...scheduleValues(settings.schedule),
    ...notificationValues(settings.notification),
  }
}

/** A form for a new scan of one URL, named after its host until somebody names it. */
export function newValues(url = ''): ScanForm {
  const settings = z.parse(ScanSettings, {
    name: 'new',
    urls: ['https://new.example/'],
    ruleSet: defaultRuleSet,
  })
  return { ...valuesOf(settings), name: URL.canParse(url) ? new URL(url).host : '', urls: url }
}

/** The values of a scan for another one: what is secret is not known here, and nothing of it is stored yet. */
export const copyOf = (values: ScanForm): ScanForm => ({
  ...values,
  // A scan that nobody has looked at yet should not run by itself, and its groups are for those who manage them.
  frequency: 'manual',
  groups: [],
  variables: values.variables.map(({ name }) => ({ name, value: '', stored: false })),
  extraHeaders: values.extraHeaders.map(({ name }) => ({ name, value: '', stored: false })),
})

/** Teams and groups as they were stored, and their version. */
export type OpenedAccess = AccessValues & { version?: number }

/** The settings that a form means. `access` is what the form was opened with: unchanged, it is not sent. */
export function settingsOf(form: ScanForm, opened: OpenedAccess | null): SentSettings {
  const custom = form.type === 'custom'
  const access = accessOf(form)
  const known = opened?.version === undefined ? {} : { version: opened.version }
  const sameAccess = opened !== null && JSON.stringify(accessOf(opened)) === JSON.stringify(access)
  return {
    name: form.name.trim(),
    type: form.type,
    urls: lines(form.urls),
    depth: custom ? numericOrNull(form.depth) : null,
    pageLimit: custom ? numeric(form.pageLimit) : scanTypes.standard.pageLimit,
    priority: form.priority,
    ruleSet: pickKeys(form, ['axeVersion', 'standard', 'bestPractices', 'experimental', 'pdfUa']),
    ...scopeOf(form),
    commonComponents: componentsOf(form),
    scripts: scriptsOf(form),
    session: sessionOf(form),
    advanced: advancedOf(form),
    schedule: scheduleOf(form),
    notification: notificationOf(form),
    presetId: (form.presetId || null) as Settings['presetId'],
    sendToReports: form.sendToReports,
    ...(sameAccess ? {} : { access: { ...access, ...known } }),
  }
}
