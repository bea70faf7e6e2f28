import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import type { AxeVersion, StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { SettingKind, SettingsOf } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { Priority, ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import type { Schedule, Weekday, weeksOfMonth } from '@clearway/contract/monitor/schedule/schema.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import type { AuthType, KeystoreType, SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import type * as z from 'zod/mini'

export type ComponentRow = { name: string; selectors: string }
export type RuleRow = UrlRule
export type ScriptRow = { name: string; type: ScriptType; text: string }
/** `stored`: the server keeps a value for it, which an empty field leaves as it is. */
export type VariableRow = { name: string; value: string; stored: boolean }
export type HeaderRow = { name: string; value: string; stored: boolean }

type General = {
  name: string
  urls: string
  priority: z.output<typeof Priority>
  sendToReports: boolean
  presetId: string
}
type Basic = {
  type: ScanType
  depth: string
  pageLimit: string
  axeVersion: AxeVersion
  standard: StandardId
  bestPractices: boolean
  experimental: boolean
  pdfUa: boolean
}
export type ComponentValues = { templateUrls: string; components: ComponentRow[] }
export type ScriptValues = {
  ownScripts: ScriptRow[]
  sharedTasks: string[]
  sharedSession: string
  variables: VariableRow[]
}
export type ScopeValues = {
  domains: string
  followLinks: boolean
  sitemaps: string
  sitemapsOfRobots: boolean
  listedUrls: string
  excludeRules: RuleRow[]
  includeRules: RuleRow[]
}
export type SessionValues = {
  authType: AuthType | ''
  username: string
  password: string
  keystoreType: z.output<typeof KeystoreType>
  keystoreName: string
  keystore: string
  keystorePassword: string
  markMeans: SignInMark['means'] | ''
  markKind: SignInMark['kind']
  markValue: string
}
/** Plain settings have fields of their own names; the others are several fields, or rows. */
export type AdvancedValues = { [K in SettingsOf<'flag'>]: boolean } & {
  [K in SettingsOf<Exclude<SettingKind, 'flag' | 'special'>>]: string
} & {
  mustHaveAll: string
  mustHaveAny: string
  mustNotHaveAny: string
  extraHeaders: HeaderRow[]
  testPages: boolean
  testPdfs: boolean
}
export type AccessValues = { teams: Record<string, ScanRole>; groups: string[] }
type Day = z.output<typeof Weekday>
export type ScheduleValues = {
  frequency: Schedule['frequency']
  startDate: string
  startTime: string
  timeZone: string
  timeoutHours: string
  timeoutMinutes: string
  interval: string
  weekdays: Day[]
  dayKind: 'first' | 'last' | 'day' | 'weekday'
  dayNumber: string
  dayWeek: (typeof weeksOfMonth)[number]
  dayWeekday: Day
  endKind: 'never' | 'on' | 'after'
  endDate: string
  endRuns: string
}
export type NotificationValues = {
  events: z.output<typeof NotificationEvent>[]
  allTeamMembers: boolean
  me: boolean
  notifyOthers: boolean
  specificUsers: string
}

/** The settings as a form holds them: lists as lines, numbers as typed, "" for none. */
export type ScanForm = General &
  Basic &
  ComponentValues &
  ScriptValues &
  ScopeValues &
  SessionValues &
  AdvancedValues &
  AccessValues &
  ScheduleValues &
  NotificationValues

export const lines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
/** What was typed as a number; text that is none stays text, so that validation says so. */
export const numeric = (text: string): number =>
  /^-?\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number)
/** The same, or null for an empty field. */
export const numericOrNull = (text: string): number | null => (text.trim() === '' ? null : numeric(text))
/** A number that is typed in larger units than it is stored in. */
export const scaled = (text: string, by: number): number => {
  const value = numeric(text)
  return typeof value === 'number' ? value * by : value
}
export const pick = <T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
