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
    'A wait before each page is tested',
  ),
  waitFor: selectors(20, 'Elements that have to be on a page before it is tested: each selector names one', {
    option: 'wait-for',
  }),
  waitForMs: number(
    10_000,
    { min: 1000, max: 60_000, unit: 's', option: 'wait-for-timeout' },
    'How long they are waited for, within the time of the page; then it is tested all the same, and says so',
  ),
  includeErrorPages: flag(false, 'Pages that answer with 4xx or 5xx are tested too'),
  savePageContent: flag(true, 'The source of pages is kept'),
  savePictures: flag(true, 'Photographs of pages are kept, on which elements are marked'),
  meaningfulParameters: lines(
    parameter,
    200,
    'Only these parameters tell URLs apart; empty means that every parameter does',
  ),
  meaninglessParameters: lines(parameter, 200, 'Parameters that do not tell URLs apart'),
  ignoreAllParameters: flag(false, 'No parameter tells URLs apart'),
  discardAnchors: flag(true, 'Fragments do not tell URLs apart'),
  restrictToFolder: flag(false, 'The scan stays in the folders of its start URLs'),
  windowWidth: number(1280, { min: 200, max: 7680 }, 'Width of the browser window in CSS pixels'),
  windowHeight: number(1024, { min: 200, max: 4320 }, 'Height of the browser window in CSS pixels'),
  userAgent: text(/^[\x20-\x7e]+$/, 500, 'What the browser calls itself; none means its own name', {
    option: 'user-agent',
  }),
  headless: flag(true, "Off: a browser with a window, on the worker's display or a virtual one"),
  eagerStrategy: flag(
    false,
    'A page is tested when its document is there, without waiting for images, frames and late scripts',
  ),
  referrer: text(
    /^https?:\/\/[\x21-\x7e]+$/,
    2000,
    "Sent as `Referer` with pages that were found on no other page, and for the scan's own look-ups",
  ),
  extraHeaders: special(
    defaulted(z.array(HeaderSetting).check(z.maxLength(50)), []),
    "Headers sent with every request to hosts of the scan's domains, and nowhere else; their values are never shown again",
  ),
  pdfModifiedFrom: day(
    'PDFs last changed before this day are excluded; without a date of change a PDF stays in',
  ),
  pdfModifiedTo: day(
    'PDFs last changed after this day are excluded; without a date of change a PDF stays in',
  ),
  pdfTargetCount: numberOrNone(
    null,
    { min: 1, max: defaultLimits.pageLimit },
    'PDFs of a run at most; none for no limit of their own',
  ),
  urlsToSkip: lines(
    line(4000),
    500,
    'URLs that are excluded with all that they link to; `*` stands for any text',
  ),
  keywordRules: special(
    z.prefault(KeywordRules, {}),
    'Words that a page must or must not have in its URL or text; the links of an excluded page are followed',
  ),
  hashRoutes: flag(
    false,
    'Fragments that begin with `#/` or `#!` name pages of their own, whatever `discardAnchors` says',
  ),
  scrollPages: flag(
    false,
    'Each page is scrolled to its end and back before the test, so that what loads on sight is there',
    { option: 'scroll-pages' },
  ),
  closeBanners: flag(false, 'Known cookie banners are closed, and those that `bannerSelectors` names', {
    option: 'close-banners',
  }),
  bannerSelectors: selectors(50, "Buttons that close a cookie banner of the site's own", {
    option: 'banner-button',
  }),
  reuseUnchanged: flag(
    false,
    'A page of which nothing has changed that a rule can see keeps the results of the run before',
  ),
  reuseAuditPercent: number(
    5,
    { min: 1, max: 100 },
    'How many of a hundred unchanged pages are tested all the same and compared, one at least',
  ),
  reuseDays: number(30, { min: 1, max: 365 }, 'Days after which an unchanged page is tested again'),
  respectRobots: flag(true, 'The scan keeps to robots.txt'),
  pagesPerMinute: numberOrNone(
    null,
    { min: 1, max: 6000 },
    'New page loads a minute on one host; none for as many as go',
  ),
  pagesAtOnce: number(2, { min: 1, max: 16 }, 'Pages of one host in work at once'),
  pageTimeoutMs: number(
    60_000,
    { min: 1000, max: 300_000, unit: 's', option: 'page-timeout' },
    'Longest time for one page',
  ),
  scriptTimeoutMs: number(
    180_000,
    { min: 1000, max: defaultLimits.scriptTimeoutMs, unit: 's' },
    'Longest time for a script',
  ),
  runTimeoutMs: numberOrNone(
    null,
    { min: 0, max: 2 ** 31, unit: 'min' },
    'Longest time for a run; what was found until then is kept',
  ),
  stopAfterFailures: numberOrNone(
    50,
    { min: 3, max: 10_000 },
    'A run ends, partial, when a host did not answer this often in a row; none to go on',
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
