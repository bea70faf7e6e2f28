import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AdvancedSetting, SettingKind } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { settingRow, timeUnits } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { AdvancedValues, ScanForm } from './values.ts'

/** Where settings are asked for: in a step of its own, or in the part of the scope that excludes URLs. */
export type Section = 'exclude' | 'scope' | 'advanced'
export type Group = {
  section: Section
  /** Asked above its fields; none for fields that stand alone. */
  title?: MessageDescriptor
  hint?: MessageDescriptor
  /** Few scans need it: closed, it says what is set. */
  isFolded?: true
  /** Asked for only then. */
  when?: (form: ScanForm) => boolean
}

/** What is asked together, in the order of the screen. */
export const settingGroups = {
  skipped: { section: 'exclude' },
  limits: { section: 'scope' },
  words: {
    section: 'scope',
    isFolded: true,
    title: msg`Rules for the words of a page`,
    hint: msg`Searched for in the URL and the text of a page, one word or phrase per line. Links on an excluded page are still followed.`,
  },
  sameness: { section: 'scope', isFolded: true, title: msg`Same page, different URL` },
  loading: { section: 'advanced', title: msg`How a page is loaded` },
  kept: { section: 'advanced', title: msg`What is kept` },
  browser: { section: 'advanced' },
  reuse: { section: 'advanced', title: msg`Unchanged pages` },
  pace: { section: 'advanced', title: msg`Speed and timeouts` },
  pdf: { section: 'advanced', title: msg`PDFs`, when: (form) => form.testPdfs },
} as const satisfies Record<string, Group>
export type GroupName = keyof typeof settingGroups

type Control = {
  group: GroupName
  label: MessageDescriptor
  hint?: MessageDescriptor
  placeholder?: string
  /** What it takes, where its kind alone does not say it. */
  format?: MessageDescriptor
  when?: (form: ScanForm) => boolean
}

/** A field of the form: of a setting with the same name, or of a part of one. */
export type SettingField = Exclude<keyof AdvancedValues, 'testPages' | 'testPdfs'>

/** The controls of the advanced settings, in the order of the screen; what kind of control it is, the contract's table says. */
export const settingControls: Record<SettingField, Control> = {
  restrictToFolder: { group: 'limits', label: msg`Stay in the folders of the start URLs` },
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
  mustHaveAll: { group: 'words', label: msg`Must have all of` },
  mustHaveAny: { group: 'words', label: msg`Must have any of` },
  mustNotHaveAny: { group: 'words', label: msg`Must not have any of` },
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
    hint: msg`Names, one per line. Empty: every parameter does.`,
    when: (form) => !form.ignoreAllParameters,
  },
  meaninglessParameters: {
    group: 'sameness',
    label: msg`Parameters without meaning`,
    hint: msg`Names of parameters that do not change the page, one per line: for example utm_source.`,
    when: (form) => !form.ignoreAllParameters,
  },
  includeErrorPages: {
    group: 'loading',
    label: msg`Test error pages too`,
    hint: msg`Pages that answer with a 4xx or 5xx status.`,
  },
  eagerStrategy: {
    group: 'loading',
    label: msg`Do not wait for images and late scripts`,
    hint: msg`Faster, but content that loads late is not tested.`,
  },
  scrollPages: {
    group: 'loading',
    label: msg`Scroll each page to its end first`,
    hint: msg`So that content that loads on scrolling is tested, too.`,
  },
  closeBanners: { group: 'loading', label: msg`Close cookie banners` },
  bannerSelectors: {
    group: 'loading',
    label: msg`Buttons that close a banner`,
    hint: msg`CSS selectors, one per line, for banners that are not known.`,
    when: (form) => form.closeBanners,
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
    when: (form) => form.waitFor.trim() !== '',
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
    hint: msg`What the browser calls itself. Empty: its own name.`,
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
  reuseUnchanged: {
    group: 'reuse',
    label: msg`Do not test unchanged pages again`,
    hint: msg`If nothing that the rules test has changed on a page, it keeps the results of the previous run.`,
  },
  reuseAuditPercent: {
    group: 'reuse',
    label: msg`Unchanged pages that are tested anyway (%)`,
    hint: msg`At least one. If the results differ, all pages are tested again until you save the scan.`,
    when: (form) => form.reuseUnchanged,
  },
  reuseDays: {
    group: 'reuse',
    label: msg`Test each page after (days)`,
    when: (form) => form.reuseUnchanged,
  },
  pagesAtOnce: {
    group: 'pace',
    label: msg`Pages at once`,
    hint: msg`How many pages of one host are loaded at the same time, 1 to 16.`,
  },
  pagesPerMinute: {
    group: 'pace',
    label: msg`Pages a minute`,
    hint: msg`On one host. Empty: as many as possible.`,
  },
  pageTimeoutMs: { group: 'pace', label: msg`Longest time for a page (s)` },
  scriptTimeoutMs: { group: 'pace', label: msg`Longest time for a script (s)` },
  runTimeoutMs: {
    group: 'pace',
    label: msg`Longest time for a run (min)`,
    hint: msg`Empty: no end. What was found until then is kept.`,
  },
  stopAfterFailures: {
    group: 'pace',
    label: msg`Failures in a row that end a run`,
    hint: msg`How many times in a row a host may fail to answer. Empty: no limit.`,
  },
  pdfModifiedFrom: { group: 'pdf', label: msg`Changed from` },
  pdfModifiedTo: { group: 'pdf', label: msg`Changed until` },
  pdfTargetCount: {
    group: 'pdf',
    label: msg`PDFs of a run at most`,
    hint: msg`Fewer than the page limit. Empty: no separate limit.`,
  },
}

const fields = Object.keys(settingControls) as SettingField[]
/** The fields of a group, or of all groups of some sections, in the order of the screen. */
export const fieldsOfGroup = (group: GroupName): SettingField[] =>
  fields.filter((field) => settingControls[field].group === group)
export const fieldsIn = (...sections: Section[]): SettingField[] =>
  fields.filter((field) => sections.includes(settingGroups[settingControls[field].group].section))

const partsOfSettings: Partial<Record<SettingField, SettingKind>> = {
  mustHaveAll: 'lines',
  mustHaveAny: 'lines',
  mustNotHaveAny: 'lines',
}
export const isSettingField = (name: string): name is SettingField => name in settingControls

/** What kind of control a field has. */
export const kindOf = (field: SettingField): SettingKind =>
  partsOfSettings[field] ?? settingRow(field as AdvancedSetting).kind

/** How many stored units one typed unit is. */
export const scaleOf = (field: string): number =>
  isSettingField(field) && !(field in partsOfSettings)
    ? timeUnits[settingRow(field as AdvancedSetting).unit ?? 'ms']
    : 1

const byKind: Partial<Record<SettingKind, MessageDescriptor>> = {
  number: msg`Enter a whole number.`,
  'number-or-none': msg`Enter a whole number.`,
  date: msg`Write a date like 2026-03-18.`,
  selectors: msg`This is neither a CSS selector nor an XPath expression.`,
}

/** What a field takes; nothing where the error alone says it. */
export const formatOf = (field: SettingField): MessageDescriptor | undefined =>
  settingControls[field].format ?? byKind[kindOf(field)]
