import type { GroupId, TeamId } from '@clearway/contract/kit/id.ts'
import type { ScanAccess } from '@clearway/contract/monitor/access/schema.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { ScanSettings, scanTypeLimits } from '@clearway/contract/monitor/scan/schema.ts'
import { getDayInZone } from '@clearway/contract/monitor/schedule/model.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import type { ScanSession, SessionConnection } from '@clearway/contract/monitor/session/schema.ts'
import * as z from 'zod/mini'
import { pickKeys } from '../../../kit/client/pick-keys.ts'
import type { ScanForm } from './values.ts'

export type StoredScanSettings = z.output<typeof ScanSettings>
export type SentSettings = z.input<typeof ScanSettings>
type StoredScanAccess = z.output<typeof ScanAccess>
type ConnectionValues = ScanForm['session']['connection']
type SecretRows = ScanForm['scripts']['variables']

export const getOwnTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const dayMs = 24 * 60 * 60_000
function createBlankSchedule(): ScanForm['schedule'] {
  const ownTimeZone = getOwnTimeZone()
  return {
    frequency: 'manual',
    startDate: getDayInZone(ownTimeZone, new Date(Date.now() + dayMs)),
    startTime: '02:00',
    timeZone: ownTimeZone,
    timeoutMs: null,
    interval: 1,
    weekdays: ['monday'],
    day: { kind: 'first', day: 1, week: 'first', weekday: 'monday' },
    end: { kind: 'never', date: '', runs: 10 },
  }
}

/** Fields that a choice does not use get the defaults of a new schedule. */
function toScheduleValues(schedule: Schedule): ScanForm['schedule'] {
  const blankSchedule = createBlankSchedule()
  return {
    ...blankSchedule,
    ...schedule,
    day: { ...blankSchedule.day, ...('day' in schedule ? schedule.day : {}) },
    end: { ...blankSchedule.end, ...('end' in schedule ? schedule.end : {}) },
  }
}

const startKeys = ['frequency', 'startDate', 'startTime', 'timeZone', 'timeoutMs'] as const
const endKeys = { never: ['kind'], on: ['kind', 'date'], after: ['kind', 'runs'] } as const
const dayKeys = { first: ['kind'], last: ['kind'], day: ['kind', 'day'], weekday: ['kind', 'week', 'weekday'] } as const

/** Reduces the values to those of the chosen frequency, day and end. */
export function toSchedule(values: ScanForm['schedule']): SentSettings['schedule'] {
  const { frequency, day: runDay, end: lastRun } = values
  if (frequency === 'manual') return { frequency }
  const isRepeated = frequency !== 'once'
  return {
    ...pickKeys(values, startKeys),
    ...(isRepeated && { interval: values.interval, end: pickKeys(lastRun, endKeys[lastRun.kind]) }),
    ...(frequency === 'weekly' && { weekdays: values.weekdays }),
    ...(frequency === 'monthly' && { day: pickKeys(runDay, dayKeys[runDay.kind]) }),
  } as SentSettings['schedule']
}

const blankConnection: ConnectionValues = {
  authType: '',
  url: '',
  username: '',
  password: '',
  hasCode: false,
  codeSecret: '',
  keystoreType: 'PKCS12',
  keystoreName: '',
  keystore: '',
  keystorePassword: '',
}
const blankMark: ScanForm['session']['mark'] = { means: '', kind: 'selector', value: '' }

/** Secrets are never sent to readers, so their fields are empty. */
const toSessionValues = ({ connection, mark }: z.output<typeof ScanSession>): ScanForm['session'] => ({
  connection: { ...blankConnection, ...connection, password: '', codeSecret: '', keystore: '', keystorePassword: '' },
  mark: { ...blankMark, ...mark },
})

/** Reduces the values to those of the chosen sign-in. An empty secret becomes null, which keeps the stored value. */
export function toConnection(values: ConnectionValues): SessionConnection | null {
  const { authType } = values
  if (authType === '') return null
  if (authType === 'form')
    return {
      authType,
      ...pickKeys(values, ['url', 'username', 'hasCode']),
      password: values.password || null,
      codeSecret: (values.hasCode && values.codeSecret) || null,
    }
  if (authType !== 'client_cer') return { authType, username: values.username, password: values.password || null }
  return {
    authType,
    ...pickKeys(values, ['keystoreType', 'keystoreName']),
    keystore: values.keystore || null,
    keystorePassword: values.keystorePassword || null,
  }
}

const toSession = ({ connection, mark }: ScanForm['session']): SentSettings['session'] => ({
  connection: toConnection(connection),
  mark: mark.means === '' ? null : { ...mark, means: mark.means, value: mark.value.trim() },
})

/** Returns true if the server already stores the secrets of this sign-in type. Each type has its own secrets. */
export const hasStoredSecrets = (
  storedSession: StoredScanSettings['session'] | undefined,
  { authType }: Pick<ConnectionValues, 'authType'>,
) => authType !== '' && storedSession?.connection?.authType === authType

const toSecretRows = (rows: readonly { name: string }[]): SecretRows =>
  rows.map(({ name }) => ({ name, value: '', stored: true }))
const fromSecretRows = (rows: SecretRows) => rows.map(({ name, value }) => ({ name: name.trim(), value: value || null }))

/** Data of the settings form that other requests load. */
export type RelatedSettings = { access: StoredScanAccess | null; shared: readonly { id: string; type: 'TASK' | 'SESSION' }[] }

function toScriptValues(
  { own, shared, variables }: StoredScanSettings['scripts'],
  sharedScripts: RelatedSettings['shared'],
): ScanForm['scripts'] {
  const isSession = (id: string) => sharedScripts.some((script) => script.id === id && script.type === 'SESSION')
  return {
    own,
    shared: shared.filter((id) => !isSession(id)),
    sharedSession: shared.find(isSession) ?? '',
    variables: toSecretRows(variables),
  }
}

const toAccessValues = (access: StoredScanAccess | null): ScanForm['access'] => ({
  teams: Object.fromEntries((access?.teams ?? []).map(({ teamId, role }) => [teamId, role])),
  groups: (access?.groups ?? []).map(({ scanGroupId }) => scanGroupId),
})
const toAccess = ({ teams, groups }: ScanForm['access']): NonNullable<SentSettings['access']> => ({
  teams: Object.entries(teams).map(([teamId, role]) => ({ teamId: teamId as TeamId, role })),
  groups: groups as GroupId[],
})

export function toFormValues(
  storedSettings: StoredScanSettings,
  related: RelatedSettings = { access: null, shared: [] },
): ScanForm {
  const { access: _, ...settings } = storedSettings
  return {
    ...settings,
    commonComponents: settings.commonComponents ?? { templateUrls: [], components: [] },
    scripts: toScriptValues(settings.scripts, related.shared),
    session: toSessionValues(settings.session),
    advanced: { ...settings.advanced, extraHeaders: toSecretRows(settings.advanced.extraHeaders) },
    schedule: toScheduleValues(settings.schedule),
    notification: { ...settings.notification, notifyOthers: settings.notification.specificUsers.length > 0 },
    access: toAccessValues(related.access),
  }
}

/** Creates form values for a new scan of a URL. Its default name is the host. */
export function createNewValues(startUrl = ''): ScanForm {
  const defaultSettings = z.parse(ScanSettings, {
    name: 'new',
    urls: ['https://new.example/'],
    ruleSet: defaultRuleSet,
    // Existing scans keep what they have until someone chooses these.
    advanced: { representativeOrder: true, driven: 'templates' },
  })
  return {
    ...toFormValues(defaultSettings),
    // A URL may lack its scheme: "localhost:3000" parses without a host.
    name: URL.parse(startUrl)?.host || (startUrl.split('/')[0] ?? ''),
    urls: startUrl === '' ? [] : [startUrl],
  }
}

const removeSecrets = (rows: SecretRows): SecretRows => rows.map(({ name }) => ({ name, value: '', stored: false }))

/** Copies the values of a scan for a new one. Omits secrets, which are unknown here and not stored for the new scan. */
export const copyFormValues = (formValues: ScanForm): ScanForm => ({
  ...formValues,
  // A new scan must not run automatically before its settings are reviewed. Its groups are up to their managers.
  schedule: { ...formValues.schedule, frequency: 'manual' },
  access: { ...formValues.access, groups: [] },
  scripts: { ...formValues.scripts, variables: removeSecrets(formValues.scripts.variables) },
  advanced: { ...formValues.advanced, extraHeaders: removeSecrets(formValues.advanced.extraHeaders) },
})

/** Stored teams and groups with their version. */
export type OpenedAccess = ScanForm['access'] & { version?: number }

/** Unchanged access is not sent. `openedAccess` is the access when the form was opened. */
function toSentAccess(access: ScanForm['access'], openedAccess: OpenedAccess | null) {
  const sentAccess = toAccess(access)
  if (openedAccess && JSON.stringify(toAccess(openedAccess)) === JSON.stringify(sentAccess)) return {}
  const { version } = openedAccess ?? {}
  return { access: { ...sentAccess, ...(version !== undefined && { version }) } }
}

/** Converts form values to settings. Numbers that are not valid are still text, and refused by the schema. */
export function toSentSettings(formValues: ScanForm, openedAccess: OpenedAccess | null): SentSettings {
  const { access, notification, scripts, commonComponents, ...settings } = formValues
  const isCustomSize = settings.type === 'custom'
  const { sharedSession, ...ownScripts } = scripts
  const { notifyOthers, ...recipients } = notification
  const hasComponents = commonComponents.templateUrls.length > 0 || commonComponents.components.length > 0
  return {
    ...settings,
    name: settings.name.trim(),
    depth: isCustomSize ? settings.depth : null,
    pageLimit: isCustomSize ? settings.pageLimit : scanTypeLimits.standard.pageLimit,
    commonComponents: hasComponents ? commonComponents : null,
    scripts: {
      ...ownScripts,
      shared: [...scripts.shared, ...(sharedSession ? [sharedSession] : [])],
      variables: fromSecretRows(scripts.variables),
    },
    session: toSession(settings.session),
    advanced: { ...settings.advanced, extraHeaders: fromSecretRows(settings.advanced.extraHeaders) },
    schedule: toSchedule(settings.schedule),
    notification: { ...recipients, specificUsers: notifyOthers ? notification.specificUsers : [] },
    ...toSentAccess(access, openedAccess),
  } as SentSettings
}
