import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AdvancedSetting, SettingKind } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { getSettingRow, timeUnits } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { ScanForm } from './values.ts'

/** Place of a setting: a wizard step, or the exclude part of the scope. */
export type SettingSection = 'basic' | 'exclude' | 'scope' | 'advanced'
export type SettingGroupInfo = {
  section: SettingSection
  /** Heading above the fields; omitted for standalone fields. */
  title?: MessageDescriptor
  hint?: MessageDescriptor
  /** Collapsed because few scans need it; shows a summary while closed. */
  isFolded?: true
  /** Shown only if this returns true. */
  when?: (form: ScanForm) => boolean
}

export const settingGroups = {
  skipped: { section: 'exclude' },
  acting: { section: 'exclude', isFolded: true, title: msg`Links that may change something` },
  limits: { section: 'scope' },
  words: {
    section: 'scope',
    isFolded: true,
    title: msg`Keyword rules`,
    hint: msg`Searched for in the URL and the text of a page, one word or phrase per line. Links on an excluded page are still followed.`,
  },
  further: { section: 'scope', isFolded: true, title: msg`More pages to find` },
  sameness: { section: 'scope', isFolded: true, title: msg`Duplicate URLs` },
  loading: { section: 'advanced', title: msg`Page loading` },
  driven: { section: 'advanced' },
  kept: { section: 'advanced', isFolded: true, title: msg`Stored data` },
  browser: { section: 'advanced', isFolded: true, title: msg`Browser` },
  reuse: { section: 'advanced', isFolded: true, title: msg`Unchanged pages` },
  pace: { section: 'advanced', isFolded: true, title: msg`Speed and timeouts` },
  pdf: {
    section: 'basic',
    title: msg`PDFs`,
    when: ({ advanced }) => advanced.mimeTypes.includes('application/pdf'),
  },
} as const satisfies Record<string, SettingGroupInfo>
export type GroupName = keyof typeof settingGroups

type SettingControlInfo = {
  group: GroupName
  label: MessageDescriptor
  hint?: MessageDescriptor
  placeholder?: string
  /** Expected format, if the kind of the control does not explain it. */
  format?: MessageDescriptor
  when?: (form: ScanForm) => boolean
}

type Advanced = ScanForm['advanced']
/** Path of a setting, or of a part of a setting, below `advanced`. */
type SettingPath = Exclude<keyof Advanced, 'mimeTypes' | 'keywordRules'> | `keywordRules.${keyof Advanced['keywordRules']}`
export type SettingField = `advanced.${SettingPath}`

/** Controls of advanced settings, in screen order. The contract's table defines the kind of each control. */
const settingTable: Record<SettingPath, SettingControlInfo> = {
  representativeOrder: {
    group: 'limits',
    label: msg`Choose pages that represent the site`,
    hint: msg`Common pages, forms, other sections, templates and languages come first.`,
  },
  restrictToFolder: {
    group: 'limits',
    label: msg`Stay in the folders of the start URLs`,
    // A standard scan always does.
    when: ({ type }) => type !== 'standard',
  },
  respectRobots: {
    group: 'limits',
    label: msg`Respect robots.txt`,
    hint: msg`Excludes what the site asks crawlers not to visit.`,
  },
  urlsToSkip: {
    group: 'skipped',
    label: msg`URLs to skip`,
    hint: msg`URLs to exclude, one per line; * matches any text.`,
  },
  skipActingLinks: {
    group: 'acting',
    label: msg`Do not open links that may change something`,
    hint: msg`Such as links that delete, approve or sign out. A scan that signs in never opens them.`,
  },
  actingUrlsToOpen: {
    group: 'acting',
    label: msg`URLs to open although they may change something`,
    hint: msg`One per line; * matches any text.`,
  },
  lookOnly: {
    group: 'acting',
    label: msg`Only look: hold requests that may change something`,
    hint: msg`Pages send no forms and no other changes; the sign-in does. Content that a page asks for in this way is missing.`,
  },
  requestsToAllow: {
    group: 'acting',
    label: msg`URLs that pages may send any request to`,
    hint: msg`Such as a search that sends its words. One URL per line; * matches any text.`,
    when: ({ advanced }) => advanced.lookOnly,
  },
  'keywordRules.mustHaveAll': { group: 'words', label: msg`Must have all of` },
  'keywordRules.mustHaveAny': { group: 'words', label: msg`Must have any of` },
  'keywordRules.mustNotHaveAny': { group: 'words', label: msg`Must not have any of` },
  followForms: {
    group: 'further',
    label: msg`Follow forms with few choices`,
    hint: msg`Visits the results of lists and boxes without text fields, one choice at a time. Forms that may change something stay out.`,
  },
  alwaysTested: {
    group: 'further',
    label: msg`Pages to test in every run`,
    hint: msg`URLs, one per line. They come before other pages, so that the page limit does not leave them out.`,
  },
  trapUrlsToOpen: {
    group: 'further',
    label: msg`URLs to test although they look endless`,
    hint: msg`One per line; * matches any text. For pages of one form that are excluded because they bring nothing new.`,
  },
  discardAnchors: {
    group: 'sameness',
    label: msg`Ignore what follows # in a URL`,
    hint: msg`Switch this off if what follows # selects the page.`,
  },
  hashRoutes: { group: 'sameness', label: msg`URLs with #/ or #! are pages of their own` },
  ignoreAllParameters: { group: 'sameness', label: msg`Ignore what follows ? in a URL` },
  meaningfulParameters: {
    group: 'sameness',
    label: msg`Parameters that tell pages apart`,
    hint: msg`Names, one per line. Leave empty if every parameter does.`,
    when: ({ advanced }) => !advanced.ignoreAllParameters,
  },
  meaninglessParameters: {
    group: 'sameness',
    label: msg`Parameters without meaning`,
    hint: msg`Parameters that do not change the page, one per line: names such as utm_source, or /shop/*?sort for the pages at one path.`,
    when: ({ advanced }) => !advanced.ignoreAllParameters,
  },
  separatePages: {
    group: 'sameness',
    label: msg`Pages of their own, although another one is the same`,
    hint: msg`URLs, one per line; * matches any text. Other pages with the same content and path count once.`,
  },
  includeErrorPages: {
    group: 'loading',
    label: msg`Test error pages too`,
    hint: msg`Pages that answer with a 4xx or 5xx status.`,
  },
  eagerStrategy: {
    group: 'loading',
    label: msg`Do not wait for late content`,
    hint: msg`Faster, but content that loads late is not tested.`,
  },
  scrollPages: {
    group: 'loading',
    label: msg`Scroll each page to its end first`,
    hint: msg`Also tests content that loads on scroll.`,
  },
  loadMore: {
    group: 'loading',
    label: msg`Press buttons that load more`,
    hint: msg`Also tests further entries of lists, and finds their links. At most five times on a page.`,
  },
  closeBanners: {
    group: 'loading',
    label: msg`Close cookie banners`,
    hint: msg`Tests each banner once as it arrives, then refuses and tests the content behind it.`,
  },
  acceptBanners: {
    group: 'loading',
    label: msg`Accept banners that cannot be refused`,
    hint: msg`Gives consent each time: only for your own sites.`,
    when: ({ advanced }) => advanced.closeBanners,
  },
  bannerSelectors: {
    group: 'loading',
    label: msg`Buttons that close a banner`,
    hint: msg`CSS selectors or XPath, one per line: for age gates, country choosers, newsletters and banners that are not known.`,
  },
  preScanWaitMs: {
    group: 'loading',
    label: msg`Wait before testing a page (ms)`,
    hint: msg`For pages that take time to render.`,
  },
  waitFor: {
    group: 'loading',
    label: msg`Wait for these elements before testing a page`,
    hint: msg`CSS selectors or XPath, one per line. A page on which an element does not appear is tested anyway, with a note.`,
  },
  waitForMs: {
    group: 'loading',
    label: msg`Wait for elements at most (s)`,
    when: ({ advanced }) => advanced.waitFor.length > 0,
  },
  savePictures: { group: 'kept', label: msg`Keep pictures of the elements with issues` },
  savePageContent: { group: 'kept', label: msg`Keep the source of the pages` },
  windowWidth: { group: 'browser', label: msg`Window width (px)` },
  windowHeight: { group: 'browser', label: msg`Window height (px)` },
  headless: {
    group: 'browser',
    label: msg`Headless browser`,
    hint: msg`Off: the browser has a window, for sites that refuse a headless browser.`,
  },
  userAgent: {
    group: 'browser',
    label: msg`User agent`,
    hint: msg`User agent to send. Leave empty for the browser’s default.`,
    format: msg`Use letters, digits and signs of ASCII only.`,
  },
  referrer: {
    group: 'browser',
    label: msg`Referrer`,
    hint: msg`The referring URL that is sent to pages.`,
    placeholder: 'https://www.example.org/',
    format: msg`Enter a URL like https://www.example.org/.`,
  },
  extraHeaders: {
    group: 'browser',
    label: msg`Extra headers`,
    hint: msg`Sent with every request to the domains of the scan, and nowhere else. Values are stored encrypted and never shown again. A preset with headers has to name the domains.`,
    format: msg`A name has letters, digits and hyphens; a value has no line breaks and no letters outside ASCII.`,
  },
  driven: {
    group: 'driven',
    label: msg`Pages to test by keyboard and mouse`,
    hint: msg`Also tests these pages in narrow windows, in a dark color scheme and with their menus open. Each page takes some seconds more.`,
  },
  reuseUnchanged: {
    group: 'reuse',
    label: msg`Do not test unchanged pages again`,
    hint: msg`If nothing that the rules test has changed on a page, it keeps the results of the previous run.`,
  },
  reuseAuditPercent: {
    group: 'reuse',
    label: msg`Unchanged pages that are tested anyway (%)`,
    hint: msg`At least one. If the results differ, all pages are tested again until you save the scan.`,
    when: ({ advanced }) => advanced.reuseUnchanged,
  },
  reuseDays: {
    group: 'reuse',
    label: msg`Test each page after (days)`,
    when: ({ advanced }) => advanced.reuseUnchanged,
  },
  pagesAtOnce: {
    group: 'pace',
    label: msg`Pages at once`,
    hint: msg`How many pages of one host are loaded at the same time, 1 to 16.`,
  },
  pagesPerMinute: {
    group: 'pace',
    label: msg`Pages a minute`,
    hint: msg`On one host. Leave empty for as many as possible.`,
  },
  pageTimeoutMs: { group: 'pace', label: msg`Page timeout (seconds)` },
  scriptTimeoutMs: { group: 'pace', label: msg`Script timeout (seconds)` },
  runTimeoutMs: {
    group: 'pace',
    label: msg`Run timeout (minutes)`,
    hint: msg`Leave empty for no limit. Results so far are kept.`,
  },
  stopAfterFailures: {
    group: 'pace',
    label: msg`Stop after consecutive failures`,
    hint: msg`How many times in a row a host may fail to answer. Leave empty for no limit.`,
  },
  pdfModifiedFrom: { group: 'pdf', label: msg`Modified from` },
  pdfModifiedTo: { group: 'pdf', label: msg`Modified to` },
  pdfTargetCount: {
    group: 'pdf',
    label: msg`Maximum PDFs`,
    hint: msg`Fewer than the page limit. Leave empty for no separate limit.`,
  },
}

export const settingControls = Object.fromEntries(
  Object.entries(settingTable).map(([path, info]) => [`advanced.${path}`, info]),
) as Record<SettingField, SettingControlInfo>

const settingFields = Object.keys(settingControls) as SettingField[]
export const getFieldsOfGroup = (group: GroupName): SettingField[] =>
  settingFields.filter((field) => settingControls[field].group === group)
export const getFieldsInSections = (...sections: SettingSection[]): SettingField[] =>
  settingFields.filter((field) => sections.includes(settingGroups[settingControls[field].group].section))

export const isSettingField = (field: string): field is SettingField => field in settingControls

const findRow = (field: SettingField) => {
  const [, name, part] = field.split('.')
  return part === undefined ? getSettingRow(name as AdvancedSetting) : undefined
}
/** Returns the kind of a field's control. Parts of a setting are lists of lines. */
export const getSettingKind = (field: SettingField): SettingKind => findRow(field)?.kind ?? 'lines'

/** Returns the number of stored units per displayed unit. */
export const getUnitScale = (field: string): number => (isSettingField(field) ? timeUnits[findRow(field)?.unit ?? 'ms'] : 1)

const formatsByKind: Partial<Record<SettingKind, MessageDescriptor>> = {
  number: msg`Enter a whole number.`,
  'number-or-none': msg`Enter a whole number.`,
  date: msg`Write a date like 2026-03-18.`,
  selectors: msg`This is neither a CSS selector nor an XPath expression.`,
}

/** Returns the expected format of a field; undefined if the error message is sufficient. */
export const getFormat = (field: SettingField): MessageDescriptor | undefined =>
  settingControls[field].format ?? formatsByKind[getSettingKind(field)]
