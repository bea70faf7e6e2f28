import * as z from 'zod/mini'
import { defaultLimits } from '../../../kit/limit.ts'
import { driveModes } from '../../ruleset/drive/schema.ts'
import { HeaderSetting, KeywordRules } from '../crawl/schema.ts'

export const MimeType = z.enum(['text/html', 'application/pdf'])

/** Units of time settings in forms and on the command line. Values are stored in milliseconds. */
export const timeUnits = { ms: 1, s: 1000, min: 60_000 } as const
export type TimeUnit = keyof typeof timeUnits

type NumberRange = { min: number; max: number; unit?: TimeUnit; option?: string }
/** `negation`: help of the command line for turning off a flag that is on by default. */
type SettingOptions = { option?: string; negation?: string }

const createDefaulted = <T extends z.ZodMiniType>(valueType: T, value: z.output<T>) => z._default(valueType, value as never)
const createInteger = ({ min: minValue, max: maxValue }: NumberRange) => z.int().check(z.minimum(minValue), z.maximum(maxValue))
const createLine = (maxLength: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength))

// One function for each kind of setting: its schema, and the metadata for forms, command line and documentation.
const createFlag = (initialValue: boolean, about: string, settingOptions: SettingOptions = {}) => ({
  kind: 'flag' as const,
  about,
  ...settingOptions,
  schema: createDefaulted(z.boolean(), initialValue),
})
const createNumber = (initialValue: number, numberRange: NumberRange, about: string) => ({
  kind: 'number' as const,
  about,
  ...numberRange,
  schema: createDefaulted(createInteger(numberRange), initialValue),
})
const createNumberOrNone = (initialValue: number | null, numberRange: NumberRange, about: string) => ({
  kind: 'number-or-none' as const,
  about,
  ...numberRange,
  schema: createDefaulted(z.nullable(createInteger(numberRange)), initialValue),
})
const createText = (pattern: RegExp, maxLength: number, about: string, settingOptions: SettingOptions = {}) => ({
  kind: 'text' as const,
  about,
  ...settingOptions,
  schema: createDefaulted(z.nullable(z.string().check(z.minLength(1), z.maxLength(maxLength), z.regex(pattern))), null),
})
const createDay = (about: string) => ({ kind: 'date' as const, about, schema: createDefaulted(z.nullable(z.iso.date()), null) })
const createLines = (
  lineSchema: z.ZodMiniType<string, string>,
  maxLines: number,
  about: string,
  settingOptions: SettingOptions = {},
) => ({
  kind: 'lines' as const,
  about,
  ...settingOptions,
  schema: createDefaulted(z.array(lineSchema).check(z.maxLength(maxLines)), []),
})
/** CSS selectors, or XPath with the prefix `xpath=` or starting with `//`. */
const createSelectors = (maxSelectors: number, about: string, settingOptions: SettingOptions = {}) => ({
  ...createLines(createLine(2000), maxSelectors, about, settingOptions),
  kind: 'selectors' as const,
})
const createChoice = <T extends string>(
  choices: readonly T[],
  initialValue: T,
  about: string,
  settingOptions: SettingOptions = {},
) => ({
  kind: 'choice' as const,
  about,
  choices,
  ...settingOptions,
  schema: createDefaulted(z.enum(choices), initialValue),
})
/** A setting with a custom schema and control. */
const createSpecial = <T extends z.ZodMiniType>(schema: T, about: string) => ({ kind: 'special' as const, about, schema })

const parameterSchema = z.string().check(z.minLength(1), z.maxLength(200))

/**
 * Advanced settings, one row each: the path is `advanced.<name>`. A preset defines all of them together; a body may omit any.
 * Schema, form fields, checks, messages, command line options (`option`) and documentation are derived from these rows.
 */
export const advancedSettings = {
  mimeTypes: createSpecial(
    createDefaulted(z.array(MimeType).check(z.minLength(1), z.maxLength(2)), ['text/html']),
    'What is tested: web pages, PDFs or both',
  ),
  preScanWaitMs: createNumber(
    0,
    { min: 0, max: defaultLimits.preScanWaitMs, unit: 'ms' },
    'Time to wait before testing each page',
  ),
  waitFor: createSelectors(20, 'Elements that must be on a page before it is tested: one per selector', { option: 'wait-for' }),
  waitForMs: createNumber(
    10_000,
    { min: 1000, max: 60_000, unit: 's', option: 'wait-for-timeout' },
    'Time to wait for them, within the timeout of the page; then the page is tested anyway, with a notice',
  ),
  includeErrorPages: createFlag(false, 'Test pages that answer with 4xx or 5xx'),
  savePageContent: createFlag(true, 'Store the source of pages'),
  savePictures: createFlag(true, 'Store screenshots of pages, with elements marked'),
  meaningfulParameters: createLines(
    parameterSchema,
    200,
    'Only these parameters tell URLs apart; empty means that every parameter does',
  ),
  meaninglessParameters: createLines(
    createLine(1000),
    200,
    'Parameters that do not tell URLs apart: names, or `/path?name` for the pages at one path, in which `*` stands for a segment',
  ),
  ignoreAllParameters: createFlag(false, 'No parameter tells URLs apart'),
  discardAnchors: createFlag(true, 'Fragments do not tell URLs apart'),
  restrictToFolder: createFlag(false, 'Stay in the folders of the start URLs'),
  windowWidth: createNumber(1280, { min: 200, max: 7680 }, 'Width of the browser window in CSS pixels'),
  windowHeight: createNumber(1024, { min: 200, max: 4320 }, 'Height of the browser window in CSS pixels'),
  userAgent: createText(/^[\x20-\x7e]+$/, 500, 'User agent that the browser sends; none for its own', { option: 'user-agent' }),
  headless: createFlag(true, "Off: a browser with a window, on the worker's display or a virtual one"),
  eagerStrategy: createFlag(
    false,
    'Test a page as soon as its document is loaded, without waiting for images, frames and late scripts',
  ),
  referrer: createText(
    /^https?:\/\/[\x21-\x7e]+$/,
    2000,
    "Sent as `Referer` for pages that no other page links to, and for the scan's own lookups",
  ),
  extraHeaders: createSpecial(
    createDefaulted(z.array(HeaderSetting).check(z.maxLength(50)), []),
    "Headers sent with every request to hosts of the scan's domains, and nowhere else; their values are never shown again",
  ),
  pdfModifiedFrom: createDay('PDFs last changed before this day are excluded; PDFs without a date of change are not'),
  pdfModifiedTo: createDay('PDFs last changed after this day are excluded; PDFs without a date of change are not'),
  pdfTargetCount: createNumberOrNone(
    null,
    { min: 1, max: defaultLimits.pageLimit },
    'Maximum number of PDFs in a run; none for no separate limit',
  ),
  urlsToSkip: createLines(
    createLine(4000),
    500,
    'URLs that are excluded, and whose links are not followed; `*` stands for any text',
  ),
  skipActingLinks: createFlag(
    false,
    'Do not open links that may sign out or change something on the site; a scan that signs in never does',
    { option: 'skip-acting-links' },
  ),
  actingUrlsToOpen: createLines(
    createLine(4000),
    500,
    'URLs that are opened although they may change something; `*` stands for any text',
    { option: 'open-acting-url' },
  ),
  lookOnly: createFlag(
    false,
    'Hold every request of a page that may change something: all but GET, HEAD, OPTIONS and queries of GraphQL; the sign-in is not held',
    { option: 'look-only' },
  ),
  requestsToAllow: createLines(
    createLine(4000),
    500,
    'URLs that pages may send any request to in look-only mode; `*` stands for any text',
    { option: 'allow-requests-to' },
  ),
  keywordRules: createSpecial(
    z.prefault(KeywordRules, {}),
    'Words that a page must or must not have in its URL or text; the links of an excluded page are followed',
  ),
  hashRoutes: createFlag(false, 'Treat fragments that begin with `#/` or `#!` as separate pages, whatever `discardAnchors` says'),
  followForms: createFlag(
    false,
    'Visit the results of forms that send nothing but up to twenty choices by GET, one choice at a time',
    {
      option: 'follow-forms',
    },
  ),
  alwaysTested: createLines(
    createLine(4000),
    500,
    'URLs of pages that each run tests before others, so that its page limit does not leave them out',
    { option: 'always-test' },
  ),
  trapUrlsToOpen: createLines(
    createLine(4000),
    500,
    'URLs that are tested although pages of their form bring no new content, or lead to one another without end; `*` stands for any text',
    { option: 'open-trap-url' },
  ),
  separatePages: createLines(
    createLine(4000),
    500,
    'URLs of pages that count by themselves, whatever their canonical URL says and although another page has the same content; `*` stands for any text',
    { option: 'separate-page' },
  ),
  scrollPages: createFlag(false, 'Scroll each page to its end and back before the test, so that lazy content loads', {
    option: 'scroll-pages',
  }),
  loadMore: createFlag(
    false,
    'Press buttons that load more of a list, at most five times on a page, so that their links are found; navigations and requests that may change something are held at that time',
    { option: 'load-more' },
  ),
  closeBanners: createFlag(
    true,
    'Test each cookie banner once as it arrives, then close it by the button that refuses, and test the content behind it',
    { option: 'close-banners', negation: 'do not close cookie banners' },
  ),
  acceptBanners: createFlag(false, 'Accept a banner that offers no way to refuse', { option: 'accept-banners' }),
  bannerSelectors: createSelectors(
    50,
    "Buttons that close the site's own banners: cookies, age, country, newsletter; clicked before all others",
    { option: 'banner-button' },
  ),
  driven: createChoice(
    driveModes,
    'off',
    'Pages that are also driven by keyboard and mouse, in narrow windows and opened states: none, the first of each template and a share, or all',
    { option: 'driven' },
  ),
  reuseUnchanged: createFlag(false, 'Keep the results of the previous run for a page if nothing has changed that a rule can see'),
  reuseAuditPercent: createNumber(
    5,
    { min: 1, max: 100 },
    'Percentage of unchanged pages that are tested and compared anyway, at least one',
  ),
  reuseDays: createNumber(30, { min: 1, max: 365 }, 'Days after which an unchanged page is tested again'),
  respectRobots: createFlag(true, 'Obey robots.txt'),
  pagesPerMinute: createNumberOrNone(null, { min: 1, max: 6000 }, 'Page loads per minute on one host; none for no limit'),
  representativeOrder: createFlag(
    false,
    'Visit what is likely to be new first, so that the pages up to the limit represent the site; off: by distance from the start URLs',
  ),
  pagesAtOnce: createNumber(2, { min: 1, max: 16 }, 'Pages of one host that are tested at the same time'),
  pageTimeoutMs: createNumber(
    60_000,
    { min: 1000, max: 300_000, unit: 's', option: 'page-timeout' },
    'Longest time for one page, waiting included',
  ),
  scriptTimeoutMs: createNumber(
    180_000,
    { min: 1000, max: defaultLimits.scriptTimeoutMs, unit: 's' },
    'Longest time for all steps of one script',
  ),
  runTimeoutMs: createNumberOrNone(null, { min: 0, max: 2 ** 31, unit: 'min' }, 'Timeout of a run; results so far are kept'),
  stopAfterFailures: createNumberOrNone(
    50,
    { min: 3, max: 10_000 },
    'Number of consecutive failures of a host to answer after which the run ends with partial results; none to continue',
  ),
}

type SettingsTable = typeof advancedSettings
export type AdvancedSetting = keyof SettingsTable
export type SettingKind = SettingsTable[AdvancedSetting]['kind']
/** Names of the settings of certain kinds. */
export type SettingsOf<Kind extends SettingKind> = {
  [SettingKey in AdvancedSetting]: SettingsTable[SettingKey]['kind'] extends Kind ? SettingKey : never
}[AdvancedSetting]

/** All possible fields of a row; the kind determines which ones exist. */
export type SettingRow = {
  kind: SettingKind
  about: string
  min?: number
  max?: number
  unit?: TimeUnit
  option?: string
  negation?: string
  choices?: readonly string[]
  schema: z.ZodMiniType
}

/** Rows in display order. */
export const settingRows = Object.entries(advancedSettings) as [AdvancedSetting, SettingRow][]
export const getSettingRow = (name: AdvancedSetting): SettingRow => advancedSettings[name]

export const listSettings = <Kind extends SettingKind>(...kinds: Kind[]): SettingsOf<Kind>[] =>
  settingRows.filter(([, { kind }]) => (kinds as string[]).includes(kind)).map(([name]) => name as SettingsOf<Kind>)

/** Every field has a default, so a body may omit any of them. */
export const AdvancedSettings = z.strictObject(
  Object.fromEntries(settingRows.map(([name, { schema }]) => [name, schema])) as {
    [K in AdvancedSetting]: SettingsTable[K]['schema']
  },
)
export type AdvancedSettings = z.output<typeof AdvancedSettings>
