import * as z from 'zod/mini'
import { defaultLimits } from '../../../kit/limit.ts'
import { HeaderSetting, KeywordRules } from '../crawl/schema.ts'

export const MimeType = z.enum(['text/html', 'application/pdf'])

/** Stored in milliseconds; asked for, and said on the command line, in these. */
export const timeUnits = { ms: 1, s: 1000, min: 60_000 } as const
export type TimeUnit = keyof typeof timeUnits

type Range = { min: number; max: number; unit?: TimeUnit; option?: string }
type Words = { option?: string }

const defaulted = <T extends z.ZodMiniType>(type: T, value: z.output<T>) => z._default(type, value as never)
const whole = ({ min, max }: Range) => z.int().check(z.minimum(min), z.maximum(max))
const line = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most))

// One function a kind of setting: what it is in a body, and what a form, the command line and the documentation need to know.
const flag = (initial: boolean, about: string, rest: Words = {}) => ({
  kind: 'flag' as const,
  about,
  ...rest,
  schema: defaulted(z.boolean(), initial),
})
const number = (initial: number, range: Range, about: string) => ({
  kind: 'number' as const,
  about,
  ...range,
  schema: defaulted(whole(range), initial),
})
const numberOrNone = (initial: number | null, range: Range, about: string) => ({
  kind: 'number-or-none' as const,
  about,
  ...range,
  schema: defaulted(z.nullable(whole(range)), initial),
})
const text = (pattern: RegExp, most: number, about: string, rest: Words = {}) => ({
  kind: 'text' as const,
  about,
  ...rest,
  schema: defaulted(z.nullable(z.string().check(z.minLength(1), z.maxLength(most), z.regex(pattern))), null),
})
const day = (about: string) => ({
  kind: 'date' as const,
  about,
  schema: defaulted(z.nullable(z.iso.date()), null),
})
const lines = (each: z.ZodMiniType<string, string>, most: number, about: string, rest: Words = {}) => ({
  kind: 'lines' as const,
  about,
  ...rest,
  schema: defaulted(z.array(each).check(z.maxLength(most)), []),
})
/** CSS selectors, or XPath with the mark `xpath=` or from `//` on. */
const selectors = (most: number, about: string, rest: Words = {}) => ({
  ...lines(line(2000), most, about, rest),
  kind: 'selectors' as const,
})
/** A shape of its own, with a control of its own. */
const special = <T extends z.ZodMiniType>(schema: T, about: string) => ({
  kind: 'special' as const,
  about,
  schema,
})

const parameter = z.string().check(z.minLength(1), z.maxLength(200))

/**
 * The advanced settings, one row each: its path is `advanced.<name>`, and a preset decides all of them together. A body
 * may leave any out. From these rows come the schema, the form's fields, checks and messages, the options of the command
 * line (`option`), and the documentation.
 */
export const advancedSettings = {
  mimeTypes: special(
    defaulted(z.array(MimeType).check(z.minLength(1), z.maxLength(2)), ['text/html']),
    'What is tested: web pages, PDFs or both',
  ),
  preScanWaitMs: number(
    0,
    { min: 0, max: defaultLimits.preScanWaitMs, unit: 'ms' },
    'Time to wait before testing each page',
  ),
  waitFor: selectors(20, 'Elements that must be on a page before it is tested: one per selector', {
    option: 'wait-for',
  }),
  waitForMs: number(
    10_000,
    { min: 1000, max: 60_000, unit: 's', option: 'wait-for-timeout' },
    'Time to wait for them, within the timeout of the page; then the page is tested anyway, with a notice',
  ),
  includeErrorPages: flag(false, 'Test pages that answer with 4xx or 5xx'),
  savePageContent: flag(true, 'Store the source of pages'),
  savePictures: flag(true, 'Store screenshots of pages, with elements marked'),
  meaningfulParameters: lines(
    parameter,
    200,
    'Only these parameters tell URLs apart; empty means that every parameter does',
  ),
  meaninglessParameters: lines(parameter, 200, 'Parameters that do not tell URLs apart'),
  ignoreAllParameters: flag(false, 'No parameter tells URLs apart'),
  discardAnchors: flag(true, 'Fragments do not tell URLs apart'),
  restrictToFolder: flag(false, 'Stay in the folders of the start URLs'),
  windowWidth: number(1280, { min: 200, max: 7680 }, 'Width of the browser window in CSS pixels'),
  windowHeight: number(1024, { min: 200, max: 4320 }, 'Height of the browser window in CSS pixels'),
  userAgent: text(/^[\x20-\x7e]+$/, 500, 'User agent that the browser sends; none for its own', {
    option: 'user-agent',
  }),
  headless: flag(true, "Off: a browser with a window, on the worker's display or a virtual one"),
  eagerStrategy: flag(
    false,
    'Test a page as soon as its document is loaded, without waiting for images, frames and late scripts',
  ),
  referrer: text(
    /^https?:\/\/[\x21-\x7e]+$/,
    2000,
    "Sent as `Referer` for pages that no other page links to, and for the scan's own lookups",
  ),
  extraHeaders: special(
    defaulted(z.array(HeaderSetting).check(z.maxLength(50)), []),
    "Headers sent with every request to hosts of the scan's domains, and nowhere else; their values are never shown again",
  ),
  pdfModifiedFrom: day(
    'PDFs last changed before this day are excluded; PDFs without a date of change are not',
  ),
  pdfModifiedTo: day('PDFs last changed after this day are excluded; PDFs without a date of change are not'),
  pdfTargetCount: numberOrNone(
    null,
    { min: 1, max: defaultLimits.pageLimit },
    'Maximum number of PDFs in a run; none for no separate limit',
  ),
  urlsToSkip: lines(
    line(4000),
    500,
    'URLs that are excluded, and whose links are not followed; `*` stands for any text',
  ),
  keywordRules: special(
    z.prefault(KeywordRules, {}),
    'Words that a page must or must not have in its URL or text; the links of an excluded page are followed',
  ),
  hashRoutes: flag(
    false,
    'Treat fragments that begin with `#/` or `#!` as separate pages, whatever `discardAnchors` says',
  ),
  scrollPages: flag(
    false,
    'Scroll each page to its end and back before the test, so that lazy content loads',
    { option: 'scroll-pages' },
  ),
  closeBanners: flag(false, 'Close known cookie banners, and those in `bannerSelectors`', {
    option: 'close-banners',
  }),
  bannerSelectors: selectors(50, "Buttons that close the site's own cookie banner", {
    option: 'banner-button',
  }),
  reuseUnchanged: flag(
    false,
    'Keep the results of the previous run for a page if nothing has changed that a rule can see',
  ),
  reuseAuditPercent: number(
    5,
    { min: 1, max: 100 },
    'Percentage of unchanged pages that are tested and compared anyway, at least one',
  ),
  reuseDays: number(30, { min: 1, max: 365 }, 'Days after which an unchanged page is tested again'),
  respectRobots: flag(true, 'Obey robots.txt'),
  pagesPerMinute: numberOrNone(
    null,
    { min: 1, max: 6000 },
    'Page loads per minute on one host; none for no limit',
  ),
  pagesAtOnce: number(2, { min: 1, max: 16 }, 'Pages of one host that are tested at the same time'),
  pageTimeoutMs: number(
    60_000,
    { min: 1000, max: 300_000, unit: 's', option: 'page-timeout' },
    'Timeout of one page',
  ),
  scriptTimeoutMs: number(
    180_000,
    { min: 1000, max: defaultLimits.scriptTimeoutMs, unit: 's' },
    'Timeout of a script',
  ),
  runTimeoutMs: numberOrNone(
    null,
    { min: 0, max: 2 ** 31, unit: 'min' },
    'Timeout of a run; results so far are kept',
  ),
  stopAfterFailures: numberOrNone(
    50,
    { min: 3, max: 10_000 },
    'Number of consecutive failures of a host to answer after which the run ends with partial results; none to continue',
  ),
}

type Table = typeof advancedSettings
export type AdvancedSetting = keyof Table
export type SettingKind = Table[AdvancedSetting]['kind']
/** The settings of some kinds. */
export type SettingsOf<Kind extends SettingKind> = {
  [K in AdvancedSetting]: Table[K]['kind'] extends Kind ? K : never
}[AdvancedSetting]

/** What every row may say; which of it does depends on the kind. */
export type SettingRow = {
  kind: SettingKind
  about: string
  min?: number
  max?: number
  unit?: TimeUnit
  option?: string
  schema: z.ZodMiniType
}

/** The rows in their order. */
export const settingRows = Object.entries(advancedSettings) as [AdvancedSetting, SettingRow][]
export const settingRow = (name: AdvancedSetting): SettingRow => advancedSettings[name]

/** The names of the settings of one kind. */
export const settingsOf = <Kind extends SettingKind>(...kinds: Kind[]): SettingsOf<Kind>[] =>
  settingRows
    .filter(([, { kind }]) => (kinds as string[]).includes(kind))
    .map(([name]) => name as SettingsOf<Kind>)

/** Every field has a default, so that a body may leave any out. */
export const AdvancedSettings = z.strictObject(
  Object.fromEntries(settingRows.map(([name, { schema }]) => [name, schema])) as {
    [K in AdvancedSetting]: Table[K]['schema']
  },
)
export type AdvancedSettings = z.output<typeof AdvancedSettings>
