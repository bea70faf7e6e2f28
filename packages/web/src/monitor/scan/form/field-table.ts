import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { variableNameText } from '../../script/parts/words.ts'
import { fieldsIn, formatOf, isSettingField, type SettingField, settingControls } from './setting-controls.ts'
import { type Step, steps } from './step-name.ts'
import type { ScanForm } from './values.ts'

type Row = {
  step: Step
  /** Beside its control; none where that has words of its own, or is not shown. */
  label?: MessageDescriptor
  /** What it is called elsewhere, where the label alone does not say it. */
  name?: MessageDescriptor
  hint?: MessageDescriptor
  placeholder?: string
  /** What it takes, where the code of an error alone would only say that something is wrong with it. */
  format?: MessageDescriptor
  /** Kept in the form, and nowhere else in the browser. */
  isSecret?: true
  /** The first of several controls that answer one question: `name` and `hint` are those of the question. */
  isQuestion?: true
}
/** What is known about a field, whatever it is a field of. */
export type FieldAbout = Omit<Row, 'step'>

const wholeNumber = msg`Enter a whole number.`
const day = msg`Write a date like 2026-03-18.`
const selector = msg`This is neither a CSS selector nor an XPath expression.`
const expression = msg`This expression cannot be used. Close all brackets, and use neither look-around nor back references.`
const longest = msg`Longest time for a run`

/**
 * Every field of the form but those of the advanced settings, which have their table in `setting-controls.ts`: the step in
 * which it is asked for, in the order of the screen, and its words. Forms, summaries, messages and drafts go by it.
 */
const table: Record<Exclude<keyof ScanForm, SettingField>, Row> = {
  name: { step: 'general', label: msg`Name` },
  urls: {
    step: 'general',
    label: msg`Start URLs`,
    hint: msg`One per line. The scan begins here and follows links.`,
    placeholder: 'https://www.example.org/',
  },
  priority: {
    step: 'general',
    label: msg`Priority`,
    hint: msg`When several scans are waiting, the one with the higher priority starts first.`,
  },
  sendToReports: { step: 'general', label: msg`Send results to the reports product` },

  presetId: { step: 'preset', label: msg`Preset` },

  type: { step: 'basic', label: msg`Scan size` },
  pageLimit: { step: 'basic', label: msg`Page limit`, format: wholeNumber },
  depth: { step: 'basic', label: msg`Depth`, format: wholeNumber },
  standard: { step: 'basic', label: msg`Standard` },
  axeVersion: { step: 'basic', label: msg`axe-core version` },
  bestPractices: {
    step: 'basic',
    label: msg`Best practices`,
    hint: msg`Rules that no standard demands but that help people.`,
  },
  experimental: {
    step: 'basic',
    label: msg`Experimental rules`,
    hint: msg`New rules that may still give wrong results.`,
  },
  testPages: { step: 'basic', label: msg`Test web pages`, name: msg`What is tested`, isQuestion: true },
  testPdfs: {
    step: 'basic',
    label: msg`Test PDFs`,
    hint: msg`Each PDF that a page links to becomes a page of the run.`,
  },
  pdfUa: {
    step: 'basic',
    label: msg`Check full PDF/UA`,
    hint: msg`Also checks what only PDF/UA-1 requires, including fonts.`,
  },

  templateUrls: {
    step: 'components',
    label: msg`Template pages`,
    hint: msg`One URL per line. Pages that contain the components; every run visits them first.`,
    placeholder: 'https://www.example.org/',
  },
  components: {
    step: 'components',
    label: msg`Components`,
    hint: msg`An issue inside a component is reported once per run, however many pages have it.`,
    format: selector,
  },

  sharedTasks: { step: 'scripts', label: msg`Shared user flows` },
  sharedSession: {
    step: 'scripts',
    label: msg`Shared session script`,
    hint: msg`Signs in before the scan begins. At most one script of a scan does.`,
  },
  ownScripts: {
    step: 'scripts',
    label: msg`Scripts of this scan`,
    hint: msg`A user flow walks through pages and tests them on the way; a session script signs in.`,
    format: msg`Please upload a valid script file.`,
  },
  variables: {
    step: 'scripts',
    label: msg`Variables`,
    hint: msg`Where a script contains <NAME>, the run inserts the value. Values are stored encrypted and never shown again.`,
    format: variableNameText,
  },

  domains: {
    step: 'scope',
    label: msg`Domains`,
    hint: msg`Hosts that belong to the scan, one per line, like example.org or *.example.org. Empty: those of the start URLs.`,
  },
  excludeRules: {
    step: 'scope',
    label: msg`Exclude rules`,
    hint: msg`A URL that matches one of these rules is excluded. In a pattern, * stands for any text and ? for any character.`,
    format: expression,
  },
  includeRules: {
    step: 'scope',
    label: msg`Include only`,
    hint: msg`If there are any rules, a URL must match one of them. Start URLs are always included.`,
    format: expression,
  },
  followLinks: {
    step: 'scope',
    label: msg`Follow links`,
    hint: msg`Off: only the start URLs, sitemaps and the list below.`,
  },
  sitemapsOfRobots: { step: 'scope', label: msg`Sitemaps that robots.txt names` },
  sitemaps: { step: 'scope', label: msg`Sitemaps`, hint: msg`One URL per line.` },
  listedUrls: {
    step: 'scope',
    label: msg`List of URLs`,
    hint: msg`One URL per line. They are visited in addition to the pages that links lead to.`,
  },

  authType: {
    step: 'session',
    label: msg`Sign-in that the server asks for`,
    hint: msg`For a form on a page, use a session script instead.`,
  },
  username: {
    step: 'session',
    label: msg`User name`,
    format: msg`Write the user name as domain\\user or user@domain.`,
  },
  password: { step: 'session', label: msg`Password`, isSecret: true },
  keystoreType: { step: 'session', label: msg`Type of keystore` },
  keystoreName: { step: 'session' },
  keystore: {
    step: 'session',
    label: msg`Keystore file`,
    format: msg`Choose a keystore file, JKS or PKCS12, that this password opens.`,
    isSecret: true,
  },
  keystorePassword: {
    step: 'session',
    label: msg`Password of the keystore`,
    format: msg`This password does not open the keystore.`,
    isSecret: true,
  },
  markMeans: {
    step: 'session',
    label: msg`Signed-in check`,
    hint: msg`Detects an expired sign-in, so that sign-in pages are not tested as pages of the site.`,
  },
  markKind: { step: 'session', label: msg`Kind`, name: msg`What is looked for`, isQuestion: true },
  markValue: {
    step: 'session',
    label: msg`What it is`,
    name: msg`What is looked for`,
    format: selector,
  },

  teams: { step: 'access', label: msg`Teams` },
  groups: { step: 'access', label: msg`Scan groups` },

  frequency: { step: 'schedule', label: msg`When it runs` },
  startDate: { step: 'schedule', label: msg`Start date`, format: day },
  startTime: { step: 'schedule', label: msg`Start time`, format: msg`Write a time like 06:30.` },
  timeZone: {
    step: 'schedule',
    label: msg`Time zone`,
    format: msg`Choose a time zone from the list, such as Europe/Berlin.`,
  },
  interval: { step: 'schedule', name: msg`How often it repeats`, format: wholeNumber },
  weekdays: { step: 'schedule', label: msg`On which days` },
  dayKind: { step: 'schedule', label: msg`On which day` },
  dayNumber: {
    step: 'schedule',
    label: msg`Day of the month`,
    hint: msg`1 to 31. In shorter months, the last day is used.`,
    format: wholeNumber,
  },
  dayWeek: { step: 'schedule', label: msg`Which one`, name: msg`On which day` },
  dayWeekday: { step: 'schedule', label: msg`Weekday` },
  endKind: { step: 'schedule', label: msg`When it ends` },
  endDate: { step: 'schedule', label: msg`Last day`, format: day },
  endRuns: { step: 'schedule', label: msg`Number of runs`, format: wholeNumber },
  timeoutHours: {
    step: 'schedule',
    label: msg`Hours`,
    name: longest,
    hint: msg`Empty: as long as it takes.`,
    format: wholeNumber,
    isQuestion: true,
  },
  timeoutMinutes: { step: 'schedule', label: msg`Minutes`, name: longest, format: wholeNumber },
  events: { step: 'schedule', label: msg`Email notifications` },
  me: { step: 'schedule', label: msg`Me`, name: msg`Recipients`, isQuestion: true },
  allTeamMembers: {
    step: 'schedule',
    label: msg`All members of the scan's teams`,
    name: msg`Recipients`,
  },
  notifyOthers: { step: 'schedule', label: msg`Specific people`, name: msg`Recipients` },
  specificUsers: {
    step: 'schedule',
    label: msg`Email addresses`,
    hint: msg`Separated by commas.`,
    placeholder: 'sam@example.org, kim@example.org',
    format: msg`Enter email addresses like sam@example.org, separated by commas.`,
  },
}

/** The parts of a row of a list, by their path without its number. */
const parts: Readonly<Record<string, FieldAbout>> = {
  'components.name': { label: msg`Name of the component` },
  'components.selectors': {
    label: msg`Selectors`,
    hint: msg`CSS or XPath, one per line.`,
    placeholder: 'header.site',
  },
  'ownScripts.name': { label: msg`Name of the script` },
  'ownScripts.type': { label: msg`What it does` },
  'variables.name': { label: msg`Name of the variable`, placeholder: 'PASSWORD' },
  'variables.value': { label: msg`Value` },
  'extraHeaders.name': { label: msg`Name of the header`, placeholder: 'X-Test' },
  'extraHeaders.value': { label: msg`Value` },
}
/** What is known about a part of a row, `components.2.selectors`. */
export const aboutPart = (path: string): FieldAbout => parts[path.replace(/\.\d+\./, '.')] ?? {}

const rows = Object.entries(table) as [keyof typeof table, Row][]
const isInTable = (name: string): name is keyof typeof table => name in table

/** What is known about a field, by its path: `excludeRules.2.pattern` belongs to `excludeRules`. */
export function aboutField(path: string): FieldAbout {
  const name = path.split('.')[0] ?? ''
  if (isInTable(name)) return table[name]
  if (!isSettingField(name)) return {}
  const { label, hint, placeholder } = settingControls[name]
  const format = formatOf(name)
  return { label, ...(hint && { hint }), ...(placeholder && { placeholder }), ...(format && { format }) }
}

/** What a field is called, where its message does not stand beside it. */
export function nameOfField(path: string): MessageDescriptor | undefined {
  const { name, label } = aboutField(path)
  return name ?? label
}

/** The names of fields, each once. */
export const namesOfFields = (
  fields: readonly (keyof ScanForm)[],
  t: (words: MessageDescriptor) => string,
): string[] => [...new Set(fields.flatMap((field) => nameOfField(field) ?? []).map(t))]

/** The fields of each step of the wizard, in the order in which they are asked. */
const fieldsOf = (step: Step): readonly (keyof ScanForm)[] => [
  ...rows.filter(([, row]) => row.step === step).map(([name]) => name),
  ...(step === 'scope' ? fieldsIn('exclude', 'scope') : []),
  ...(step === 'advanced' ? fieldsIn('advanced') : []),
]
export const stepFields = Object.fromEntries(steps.map((step) => [step, fieldsOf(step)])) as Record<
  Step,
  ReturnType<typeof fieldsOf>
>

/** Kept in the form, and nowhere else in the browser. */
export const secretFields = rows.filter(([, row]) => row.isSecret).map(([name]) => name)
