import { scanRoles } from '@clearway/contract/kit/permission.ts'
import { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { AxeVersion, StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import { MimeType, type SettingKind, settingRows, type SettingsOf } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { Priority, ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import { type Schedule, Weekday, weeksOfMonth } from '@clearway/contract/monitor/schedule/schema.ts'
import { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { AuthType, KeystoreType, SignInMark } from '@clearway/contract/monitor/session/schema.ts'
import * as z from 'zod/mini'

export const splitLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** A typed number, null for an empty field. Text that is no whole number stays text, so that validation reports it. */
export type NumberValue = number | string | null
export function parseNumber(text: string): NumberValue {
  // Japanese keyboards type full-width digits.
  const trimmedText = text.normalize('NFKC').trim()
  if (trimmedText === '') return null
  return /^-?\d{1,15}$/.test(trimmedText) ? Number(trimmedText) : text
}

const textSchema = z.string()
const flagSchema = z.boolean()
const numberSchema = z.union([z.number(), z.string(), z.null()])
/** A list. Drafts store lists of text as lines. */
const createList = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? splitLines(value) : value)),
    z.array(item),
  )
const linesSchema = createList(textSchema)
const orEmptyString = <T extends z.ZodMiniType>(type: T) => z.union([type, z.literal('')])
const ruleSchema = z.object({ kind: UrlRule.shape.kind, pattern: textSchema })
/** With `stored`, the server has a value that an empty field keeps. */
const secretRowSchema = z.object({ name: textSchema, value: textSchema, stored: flagSchema })

type FlagSetting = SettingsOf<'flag'>
type NumberSetting = SettingsOf<'number' | 'number-or-none'>
type TextSetting = SettingsOf<'text' | 'date'>
type ChoiceSetting = SettingsOf<'choice'>
type LinesSetting = SettingsOf<'lines' | 'selectors'>
const nullableTextSchema = z.nullable(textSchema)
const schemasByKind: Record<Exclude<SettingKind, 'special'>, z.ZodMiniType> = {
  flag: flagSchema,
  number: numberSchema,
  'number-or-none': numberSchema,
  text: nullableTextSchema,
  date: nullableTextSchema,
  lines: linesSchema,
  selectors: linesSchema,
  choice: textSchema,
}
const plainSettings = Object.fromEntries(
  settingRows.flatMap(([name, { kind }]) => (kind === 'special' ? [] : [[name, schemasByKind[kind]]])),
) as { [K in FlagSetting]: typeof flagSchema } & { [K in NumberSetting]: typeof numberSchema } & {
  [K in TextSetting]: typeof nullableTextSchema
} & { [K in LinesSetting]: typeof linesSchema } & { [K in ChoiceSetting]: typeof textSchema }

/** Values of the scan form in the shape of `ScanSettings`, with the fields of all choices. An empty choice is "". */
export const ScanForm = z.object({
  name: textSchema,
  type: ScanType,
  urls: linesSchema,
  domains: linesSchema,
  depth: numberSchema,
  pageLimit: numberSchema,
  priority: Priority,
  ruleSet: z.object({
    axeVersion: AxeVersion,
    standard: StandardId,
    bestPractices: flagSchema,
    experimental: flagSchema,
    pdfUa: flagSchema,
  }),
  sources: z.object({ followLinks: flagSchema, sitemaps: linesSchema, sitemapsOfRobots: flagSchema, urls: linesSchema }),
  includeRules: z.array(ruleSchema),
  excludeRules: z.array(ruleSchema),
  commonComponents: z.object({
    templateUrls: linesSchema,
    components: z.array(z.object({ name: textSchema, selectors: linesSchema })),
  }),
  scripts: z.object({
    own: z.array(z.object({ name: textSchema, type: ScriptType, text: textSchema })),
    /** Shared user flows; the shared session script is separate. */
    shared: linesSchema,
    sharedSession: textSchema,
    variables: z.array(secretRowSchema),
  }),
  session: z.object({
    connection: z.object({
      authType: orEmptyString(AuthType),
      url: textSchema,
      username: textSchema,
      password: textSchema,
      hasCode: flagSchema,
      codeSecret: textSchema,
      keystoreType: KeystoreType,
      keystoreName: textSchema,
      keystore: textSchema,
      keystorePassword: textSchema,
    }),
    mark: z.object({ means: orEmptyString(SignInMark.shape.means), kind: SignInMark.shape.kind, value: textSchema }),
  }),
  advanced: z.object({
    ...plainSettings,
    mimeTypes: createList(MimeType),
    extraHeaders: z.array(secretRowSchema),
    keywordRules: z.object({ mustHaveAll: linesSchema, mustHaveAny: linesSchema, mustNotHaveAny: linesSchema }),
  }),
  schedule: z.object({
    frequency: z.enum(['manual', 'once', 'weekly', 'monthly'] satisfies Schedule['frequency'][]),
    startDate: textSchema,
    startTime: textSchema,
    timeZone: textSchema,
    timeoutMs: numberSchema,
    interval: numberSchema,
    weekdays: createList(Weekday),
    day: z.object({
      kind: z.enum(['first', 'last', 'day', 'weekday']),
      day: numberSchema,
      week: z.enum(weeksOfMonth),
      weekday: Weekday,
    }),
    end: z.object({ kind: z.enum(['never', 'on', 'after']), date: textSchema, runs: numberSchema }),
  }),
  notification: z.object({
    events: createList(NotificationEvent),
    allTeamMembers: flagSchema,
    me: flagSchema,
    notifyOthers: flagSchema,
    specificUsers: linesSchema,
  }),
  presetId: nullableTextSchema,
  sendToReports: flagSchema,
  access: z.object({ teams: z.record(textSchema, z.enum(scanRoles)), groups: linesSchema }),
})
export type ScanForm = z.output<typeof ScanForm>
