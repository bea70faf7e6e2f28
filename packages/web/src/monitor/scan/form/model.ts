import type { ScanAccess } from '@clearway/contract/monitor/access/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ScanSettings, scanTypeLimits } from '@clearway/contract/monitor/scan/schema.ts'
import type { NotificationOptions } from '@clearway/contract/monitor/notification/schema.ts'
import type { GroupId, TeamId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { toAdvancedSettings, toAdvancedValues } from './advanced.ts'
import { toSchedule, toScheduleValues } from './schedule.ts'
import { toSession, toSessionValues } from './session.ts'
import type {
  AccessValues,
  NotificationValues,
  RuleRow,
  ScanForm,
  ScopeValues,
  ScriptValues,
} from './values.ts'
import { pickKeys } from '../../../kit/client/pick-keys.ts'
import { splitLines, parseNumber, parseNumberOrNull } from './values.ts'

export type StoredScanSettings = z.output<typeof ScanSettings>
export type SentSettings = z.input<typeof ScanSettings>
type StoredScanAccess = z.output<typeof ScanAccess>

function toScopeValues({ domains, sources, includeRules, excludeRules }: StoredScanSettings): ScopeValues {
  return {
    domains: domains.join('\n'),
    ...pickKeys(sources, ['followLinks', 'sitemapsOfRobots']),
    sitemaps: sources.sitemaps.join('\n'),
    listedUrls: sources.urls.join('\n'),
    excludeRules: excludeRules.map((rule) => ({ ...rule })),
    includeRules: includeRules.map((rule) => ({ ...rule })),
  }
}

const toUrlRules = (rules: readonly RuleRow[]) =>
  rules.map(({ kind, pattern }) => ({ kind, pattern: pattern.trim() }))

function toScopeSettings(formValues: ScanForm) {
  return {
    domains: splitLines(formValues.domains),
    sources: {
      ...pickKeys(formValues, ['followLinks', 'sitemapsOfRobots']),
      sitemaps: splitLines(formValues.sitemaps),
      urls: splitLines(formValues.listedUrls),
    },
    includeRules: toUrlRules(formValues.includeRules),
    excludeRules: toUrlRules(formValues.excludeRules),
  }
}

type SharedScript = { id: string; type: 'TASK' | 'SESSION' }
function toScriptValues(
  { scripts }: StoredScanSettings,
  sharedScripts: readonly SharedScript[],
): ScriptValues {
  const sessionScriptIds = new Set<string>(
    sharedScripts.filter(({ type }) => type === 'SESSION').map(({ id }) => id),
  )
  return {
    ownScripts: scripts.own.map((script) => ({ ...script })),
    sharedTasks: scripts.shared.filter((id) => !sessionScriptIds.has(id)),
    sharedSession: scripts.shared.find((id) => sessionScriptIds.has(id)) ?? '',
    variables: scripts.variables.map(({ name }) => ({ name, value: '', stored: true })),
  }
}

const toScriptSettings = (formValues: ScanForm): SentSettings['scripts'] => ({
  own: formValues.ownScripts,
  shared: [...formValues.sharedTasks, ...(formValues.sharedSession ? [formValues.sharedSession] : [])],
  variables: formValues.variables.map(({ name, value }) => ({ name: name.trim(), value: value || null })),
})

function toCommonComponents({ templateUrls, components }: ScanForm): SentSettings['commonComponents'] {
  const templateUrlList = splitLines(templateUrls)
  if (templateUrlList.length === 0 && components.length === 0) return null
  return {
    templateUrls: templateUrlList,
    components: components.map(({ name, selectors }) => ({
      name: name.trim(),
      selectors: splitLines(selectors),
    })),
  }
}

function toNotificationValues(storedOptions: StoredScanSettings['notification']): NotificationValues {
  return {
    ...pickKeys(storedOptions, ['events', 'allTeamMembers', 'me']),
    notifyOthers: storedOptions.specificUsers.length > 0,
    specificUsers: storedOptions.specificUsers.join(', '),
  }
}

/** Parses email addresses separated by commas, semicolons or spaces. */
const parseAddresses = (addressText: string): string[] => addressText.split(/[\s,;]+/).filter(Boolean)

const toNotificationOptions = (formValues: ScanForm): z.input<typeof NotificationOptions> => ({
  ...pickKeys(formValues, ['events', 'allTeamMembers', 'me']),
  specificUsers: formValues.notifyOthers ? parseAddresses(formValues.specificUsers) : [],
})

function toAccessValues(access: StoredScanAccess | null): AccessValues {
  return {
    teams: Object.fromEntries((access?.teams ?? []).map(({ teamId, role }) => [teamId, role])),
    groups: (access?.groups ?? []).map(({ scanGroupId }) => scanGroupId),
  }
}

const toAccessSettings = ({ teams, groups }: AccessValues): NonNullable<SentSettings['access']> => ({
  teams: Object.entries(teams).map(([teamId, role]) => ({ teamId: teamId as TeamId, role })),
  groups: groups as GroupId[],
})

/** Data of the settings form that other requests load. */
export type RelatedSettings = { access: StoredScanAccess | null; shared: readonly SharedScript[] }
const noRelatedSettings: RelatedSettings = { access: null, shared: [] }

/** Converts stored settings to form values. */
export function toFormValues(
  settings: StoredScanSettings,
  related: RelatedSettings = noRelatedSettings,
): ScanForm {
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
    ...toScriptValues(settings, related.shared),
    ...toScopeValues(settings),
    ...toSessionValues(settings.session),
    ...toAdvancedValues(settings.advanced),
    ...toAccessValues(related.access),
    ...toScheduleValues(settings.schedule),
    ...toNotificationValues(settings.notification),
  }
}

/** Creates form values for a new scan of a URL. Its default name is the host. */
export function createNewValues(startUrl = ''): ScanForm {
  const defaultSettings = z.parse(ScanSettings, {
    name: 'new',
    urls: ['https://new.example/'],
    ruleSet: defaultRuleSet,
  })
  return {
    ...toFormValues(defaultSettings),
    name: URL.canParse(startUrl) ? new URL(startUrl).host : '',
    urls: startUrl,
  }
}

/**
 * Copies the values of a scan for a new one. Omits secrets, which are unknown here and not stored for the new scan.
 */
export const copyFormValues = (formValues: ScanForm): ScanForm => ({
  ...formValues,
  // A new scan must not run automatically before its settings are reviewed. Its groups are up to their managers.
  frequency: 'manual',
  groups: [],
  variables: formValues.variables.map(({ name }) => ({ name, value: '', stored: false })),
  extraHeaders: formValues.extraHeaders.map(({ name }) => ({ name, value: '', stored: false })),
})

/** Stored teams and groups with their version. */
export type OpenedAccess = AccessValues & { version?: number }

/**
 * Converts form values to settings. `openedAccess` is the access at the time the form was opened; unchanged access is
 * not sent.
 */
export function toSentSettings(formValues: ScanForm, openedAccess: OpenedAccess | null): SentSettings {
  const isCustomSize = formValues.type === 'custom'
  const formAccess = toAccessSettings(formValues)
  const accessVersion = openedAccess?.version === undefined ? {} : { version: openedAccess.version }
  const isAccessUnchanged =
    openedAccess !== null && JSON.stringify(toAccessSettings(openedAccess)) === JSON.stringify(formAccess)
  return {
    name: formValues.name.trim(),
    type: formValues.type,
    urls: splitLines(formValues.urls),
    depth: isCustomSize ? parseNumberOrNull(formValues.depth) : null,
    pageLimit: isCustomSize ? parseNumber(formValues.pageLimit) : scanTypeLimits.standard.pageLimit,
    priority: formValues.priority,
    ruleSet: pickKeys(formValues, ['axeVersion', 'standard', 'bestPractices', 'experimental', 'pdfUa']),
    ...toScopeSettings(formValues),
    commonComponents: toCommonComponents(formValues),
    scripts: toScriptSettings(formValues),
    session: toSession(formValues),
    advanced: toAdvancedSettings(formValues),
    schedule: toSchedule(formValues),
    notification: toNotificationOptions(formValues),
    presetId: (formValues.presetId || null) as StoredScanSettings['presetId'],
    sendToReports: formValues.sendToReports,
    ...(isAccessUnchanged ? {} : { access: { ...formAccess, ...accessVersion } }),
  }
}
