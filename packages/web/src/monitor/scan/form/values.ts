import { scanRoles } from '@clearway/contract/kit/permission.ts'
import { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { AxeVersion, StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import {
  type SettingKind,
  settingRows,
  type SettingsOf,
} from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { Priority, ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { type Schedule, Weekday, weeksOfMonth } from '@clearway/contract/monitor/schedule/schema.ts'
import { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { AuthType, KeystoreType, SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import * as z from 'zod/mini'

const text = z.string()
const flag = z.boolean()
const orNone = <T extends z.ZodMiniType>(type: T) => z.union([type, z.literal('')])

const ComponentRow = z.object({ name: text, selectors: text })
export type ComponentRow = z.output<typeof ComponentRow>
const RuleRow = z.object({ kind: UrlRule.shape.kind, pattern: text })
export type RuleRow = z.output<typeof RuleRow>
const ScriptRow = z.object({ name: text, type: ScriptType, text })
/** `stored`: the server keeps a value for it, which an empty field leaves as it is. */
const ValueRow = z.object({ name: text, value: text, stored: flag })

const general = { name: text, urls: text, priority: Priority, sendToReports: flag, presetId: text }
const basic = {
  type: ScanType,
  depth: text,
  pageLimit: text,
  axeVersion: AxeVersion,
  standard: StandardId,
  bestPractices: flag,
  experimental: flag,
  pdfUa: flag,
}
const components = { templateUrls: text, components: z.array(ComponentRow) }
const scripts = {
  ownScripts: z.array(ScriptRow),
  sharedTasks: z.array(text),
  sharedSession: text,
  variables: z.array(ValueRow),
}
const scope = {
  domains: text,
  followLinks: flag,
  sitemaps: text,
  sitemapsOfRobots: flag,
  listedUrls: text,
  excludeRules: z.array(RuleRow),
  includeRules: z.array(RuleRow),
}
const session = {
  authType: orNone(AuthType),
  username: text,
  password: text,
  keystoreType: KeystoreType,
  keystoreName: text,
  keystore: text,
  keystorePassword: text,
  markMeans: orNone(SignInMark.shape.means),
  markKind: SignInMark.shape.kind,
  markValue: text,
}
type Flag = SettingsOf<'flag'>
type Typed = SettingsOf<Exclude<SettingKind, 'flag' | 'special'>>
/** Plain settings have fields of their own names; the others are several fields, or rows. */
const plainSettings = Object.fromEntries(
  settingRows
    .filter(([, { kind }]) => kind !== 'special')
    .map(([name, { kind }]) => [name, kind === 'flag' ? flag : text]),
) as { [K in Flag]: typeof flag } & { [K in Typed]: typeof text }
const advanced = {
  ...plainSettings,
  mustHaveAll: text,
  mustHaveAny: text,
  mustNotHaveAny: text,
  extraHeaders: z.array(ValueRow),
  testPages: flag,
  testPdfs: flag,
}
const access = { teams: z.record(text, z.enum(scanRoles)), groups: z.array(text) }
const schedule = {
  frequency: z.enum(['manual', 'once', 'weekly', 'monthly'] satisfies Schedule['frequency'][]),
  startDate: text,
  startTime: text,
  timeZone: text,
  timeoutHours: text,
  timeoutMinutes: text,
  interval: text,
  weekdays: z.array(Weekday),
  dayKind: z.enum(['first', 'last', 'day', 'weekday']),
  dayNumber: text,
  dayWeek: z.enum(weeksOfMonth),
  dayWeekday: Weekday,
  endKind: z.enum(['never', 'on', 'after']),
  endDate: text,
  endRuns: text,
}
const notification = {
  events: z.array(NotificationEvent),
  allTeamMembers: flag,
  me: flag,
  notifyOthers: flag,
  specificUsers: text,
}

/** The settings as a form holds them: lists as lines, numbers as typed, "" for none. */
export const ScanForm = z.object({
  ...general,
  ...basic,
  ...components,
  ...scripts,
  ...scope,
  ...session,
  ...advanced,
  ...access,
  ...schedule,
  ...notification,
})
export type ScanForm = z.output<typeof ScanForm>
type Values<Fields extends Partial<typeof ScanForm.shape>> = Pick<ScanForm, keyof Fields & keyof ScanForm>
export type ScriptValues = Values<typeof scripts>
export type ScopeValues = Values<typeof scope>
export type SessionValues = Values<typeof session>
export type AdvancedValues = Values<typeof advanced>
export type AccessValues = Values<typeof access>
export type ScheduleValues = Values<typeof schedule>
export type NotificationValues = Values<typeof notification>

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
