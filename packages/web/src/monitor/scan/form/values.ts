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

const textSchema = z.string()
const flagSchema = z.boolean()
const orEmptyString = <T extends z.ZodMiniType>(type: T) => z.union([type, z.literal('')])

const ComponentRow = z.object({ name: textSchema, selectors: textSchema })
export type ComponentRow = z.output<typeof ComponentRow>
const RuleRow = z.object({ kind: UrlRule.shape.kind, pattern: textSchema })
export type RuleRow = z.output<typeof RuleRow>
const ScriptRow = z.object({ name: textSchema, type: ScriptType, text: textSchema })
/** With `stored`, the server has a value that an empty field keeps. */
const ValueRow = z.object({ name: textSchema, value: textSchema, stored: flagSchema })

const generalFields = {
  name: textSchema,
  urls: textSchema,
  priority: Priority,
  sendToReports: flagSchema,
  presetId: textSchema,
}
const basicFields = {
  type: ScanType,
  depth: textSchema,
  pageLimit: textSchema,
  axeVersion: AxeVersion,
  standard: StandardId,
  bestPractices: flagSchema,
  experimental: flagSchema,
  pdfUa: flagSchema,
}
const componentFields = { templateUrls: textSchema, components: z.array(ComponentRow) }
const scriptFields = {
  ownScripts: z.array(ScriptRow),
  sharedTasks: z.array(textSchema),
  sharedSession: textSchema,
  variables: z.array(ValueRow),
}
const scopeFields = {
  domains: textSchema,
  followLinks: flagSchema,
  sitemaps: textSchema,
  sitemapsOfRobots: flagSchema,
  listedUrls: textSchema,
  excludeRules: z.array(RuleRow),
  includeRules: z.array(RuleRow),
}
const sessionFields = {
  authType: orEmptyString(AuthType),
  username: textSchema,
  password: textSchema,
  keystoreType: KeystoreType,
  keystoreName: textSchema,
  keystore: textSchema,
  keystorePassword: textSchema,
  markMeans: orEmptyString(SignInMark.shape.means),
  markKind: SignInMark.shape.kind,
  markValue: textSchema,
}
type FlagSetting = SettingsOf<'flag'>
type TypedSetting = SettingsOf<Exclude<SettingKind, 'flag' | 'special'>>
/** Plain settings have a field with the same name; other settings have several fields or rows. */
const plainSettings = Object.fromEntries(
  settingRows
    .filter(([, { kind }]) => kind !== 'special')
    .map(([name, { kind }]) => [name, kind === 'flag' ? flagSchema : textSchema]),
) as { [K in FlagSetting]: typeof flagSchema } & { [K in TypedSetting]: typeof textSchema }
const advancedFields = {
  ...plainSettings,
  mustHaveAll: textSchema,
  mustHaveAny: textSchema,
  mustNotHaveAny: textSchema,
  extraHeaders: z.array(ValueRow),
  testPages: flagSchema,
  testPdfs: flagSchema,
}
const accessFields = { teams: z.record(textSchema, z.enum(scanRoles)), groups: z.array(textSchema) }
const scheduleFields = {
  frequency: z.enum(['manual', 'once', 'weekly', 'monthly'] satisfies Schedule['frequency'][]),
  startDate: textSchema,
  startTime: textSchema,
  timeZone: textSchema,
  timeoutHours: textSchema,
  timeoutMinutes: textSchema,
  interval: textSchema,
  weekdays: z.array(Weekday),
  dayKind: z.enum(['first', 'last', 'day', 'weekday']),
  dayNumber: textSchema,
  dayWeek: z.enum(weeksOfMonth),
  dayWeekday: Weekday,
  endKind: z.enum(['never', 'on', 'after']),
  endDate: textSchema,
  endRuns: textSchema,
}
const notificationFields = {
  events: z.array(NotificationEvent),
  allTeamMembers: flagSchema,
  me: flagSchema,
  notifyOthers: flagSchema,
  specificUsers: textSchema,
}

/** Settings as form values: lists as lines, numbers as typed text, "" for none. */
export const ScanForm = z.object({
  ...generalFields,
  ...basicFields,
  ...componentFields,
  ...scriptFields,
  ...scopeFields,
  ...sessionFields,
  ...advancedFields,
  ...accessFields,
  ...scheduleFields,
  ...notificationFields,
})
export type ScanForm = z.output<typeof ScanForm>
type FormValuesOf<Fields extends Partial<typeof ScanForm.shape>> = Pick<
  ScanForm,
  keyof Fields & keyof ScanForm
>
export type ScriptValues = FormValuesOf<typeof scriptFields>
export type ScopeValues = FormValuesOf<typeof scopeFields>
export type SessionValues = FormValuesOf<typeof sessionFields>
export type AdvancedValues = FormValuesOf<typeof advancedFields>
export type AccessValues = FormValuesOf<typeof accessFields>
export type ScheduleValues = FormValuesOf<typeof scheduleFields>
export type NotificationValues = FormValuesOf<typeof notificationFields>

export const splitLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
/** Parses a typed number. Invalid text is returned as text so that validation reports it. */
export const parseNumber = (text: string): number =>
  /^-?\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number)
/** Like `parseNumber`, but null for an empty field. */
export const parseNumberOrNull = (text: string): number | null =>
  text.trim() === '' ? null : parseNumber(text)
/** Converts a typed number to the smaller stored unit. */
export const parseScaled = (text: string, factor: number): number => {
  const typedNumber = parseNumber(text)
  return typeof typedNumber === 'number' ? typedNumber * factor : typedNumber
}
