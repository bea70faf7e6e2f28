import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { variableNameRule } from '../../script/parts/labels.ts'
import {
  getFieldsInSections,
  getFormat,
  isSettingField,
  type SettingField,
  settingControls,
} from './setting-controls.ts'
import { type WizardStep, wizardSteps } from './step-name.ts'
import type { ScanForm } from './values.ts'

type FieldRow = {
  step: WizardStep
  /** Label next to the control; omitted if the control has its own label or is hidden. */
  label?: MessageDescriptor
  /** Name in other places, if the label alone is unclear. */
  name?: MessageDescriptor
  hint?: MessageDescriptor
  placeholder?: string
  /** Expected format, for errors whose code does not explain the problem. */
  format?: MessageDescriptor
  /** Secret: kept only in the form and never stored in the browser. */
  isSecret?: true
  /** First of several controls that answer one question. `name` and `hint` belong to the question. */
  isQuestion?: true
}
/** Texts and properties of a field or a part of one. */
export type FieldAbout = Omit<FieldRow, 'step'>

const wholeNumberFormat = msg`Enter a whole number.`
const dateFormat = msg`Write a date like 2026-03-18.`
const selectorFormat = msg`This is neither a CSS selector nor an XPath expression.`
const expressionFormat = msg`This expression cannot be used. Close all brackets, and use neither look-around nor back references.`
const runTimeoutName = msg`Longest time for a run`

/**
 * Every form field with its wizard step and texts, in screen order. Advanced settings are in `setting-controls.ts`.
 * Forms, summaries, messages and drafts use this table.
 */
const fieldTable: Record<Exclude<keyof ScanForm, SettingField>, FieldRow> = {
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
  pageLimit: { step: 'basic', label: msg`Page limit`, format: wholeNumberFormat },
  depth: { step: 'basic', label: msg`Depth`, format: wholeNumberFormat },
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
    format: selectorFormat,
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
    format: variableNameRule,
  },

  domains: {
    step: 'scope',
    label: msg`Domains`,
    hint: msg`Hosts to scan, one per line, like example.org or *.example.org. Leave empty to use the hosts of the start URLs.`,
  },
  excludeRules: {
    step: 'scope',
    label: msg`Exclude rules`,
    hint: msg`A URL that matches one of these rules is excluded. In a pattern, * stands for any text and ? for any character.`,
    format: expressionFormat,
  },
  includeRules: {
    step: 'scope',
    label: msg`Include only`,
    hint: msg`If there are any rules, a URL must match one of them. Start URLs are always included.`,
    format: expressionFormat,
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
    format: selectorFormat,
  },

  teams: { step: 'access', label: msg`Teams` },
  groups: { step: 'access', label: msg`Scan groups` },

  frequency: { step: 'schedule', label: msg`When it runs` },
  startDate: { step: 'schedule', label: msg`Start date`, format: dateFormat },
  startTime: { step: 'schedule', label: msg`Start time`, format: msg`Write a time like 06:30.` },
  timeZone: {
    step: 'schedule',
    label: msg`Time zone`,
    format: msg`Choose a time zone from the list, such as Europe/Berlin.`,
  },
  interval: { step: 'schedule', name: msg`How often it repeats`, format: wholeNumberFormat },
  weekdays: { step: 'schedule', label: msg`On which days` },
  dayKind: { step: 'schedule', label: msg`On which day` },
  dayNumber: {
    step: 'schedule',
    label: msg`Day of the month`,
    hint: msg`1 to 31. In shorter months, the last day is used.`,
    format: wholeNumberFormat,
  },
  dayWeek: { step: 'schedule', label: msg`Which one`, name: msg`On which day` },
  dayWeekday: { step: 'schedule', label: msg`Weekday` },
  endKind: { step: 'schedule', label: msg`When it ends` },
  endDate: { step: 'schedule', label: msg`Last day`, format: dateFormat },
  endRuns: { step: 'schedule', label: msg`Number of runs`, format: wholeNumberFormat },
  timeoutHours: {
    step: 'schedule',
    label: msg`Hours`,
    name: runTimeoutName,
    hint: msg`Leave empty for no limit.`,
    format: wholeNumberFormat,
    isQuestion: true,
  },
  timeoutMinutes: { step: 'schedule', label: msg`Minutes`, name: runTimeoutName, format: wholeNumberFormat },
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

/** Fields of list rows, by path without the row number. */
const rowPartTable: Readonly<Record<string, FieldAbout>> = {
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
/** Returns the texts of a row's field, such as `components.2.selectors`. */
export const getPartInfo = (path: string): FieldAbout => rowPartTable[path.replace(/\.\d+\./, '.')] ?? {}

const tableEntries = Object.entries(fieldTable) as [keyof typeof fieldTable, FieldRow][]
const isTableField = (name: string): name is keyof typeof fieldTable => name in fieldTable

/** Returns the texts of a field by path: `excludeRules.2.pattern` belongs to `excludeRules`. */
export function getFieldInfo(path: string): FieldAbout {
  const fieldName = path.split('.')[0] ?? ''
  if (isTableField(fieldName)) return fieldTable[fieldName]
  if (!isSettingField(fieldName)) return {}
  const { label: fieldLabel, hint: fieldHint, placeholder } = settingControls[fieldName]
  const fieldFormat = getFormat(fieldName)
  return {
    label: fieldLabel,
    ...(fieldHint && { hint: fieldHint }),
    ...(placeholder && { placeholder }),
    ...(fieldFormat && { format: fieldFormat }),
  }
}

/** Returns the name of a field for messages in other places. */
export function getFieldName(path: string): MessageDescriptor | undefined {
  const { name: explicitName, label: fieldLabel } = getFieldInfo(path)
  return explicitName ?? fieldLabel
}

/** Returns the names of fields without duplicates. */
export const getFieldNames = (
  fields: readonly (keyof ScanForm)[],
  t: (words: MessageDescriptor) => string,
): string[] => [...new Set(fields.flatMap((field) => getFieldName(field) ?? []).map(t))]

/** Returns the fields of a wizard step, in screen order. */
const getFieldsOfStep = (step: WizardStep): readonly (keyof ScanForm)[] => [
  ...tableEntries.filter(([, row]) => row.step === step).map(([name]) => name),
  ...(step === 'scope' ? getFieldsInSections('exclude', 'scope') : []),
  ...(step === 'advanced' ? getFieldsInSections('advanced') : []),
]
export const stepFields = Object.fromEntries(
  wizardSteps.map((step) => [step, getFieldsOfStep(step)]),
) as Record<WizardStep, ReturnType<typeof getFieldsOfStep>>

/** Fields that are kept only in the form and never stored in the browser. */
export const secretFields = tableEntries.filter(([, row]) => row.isSecret).map(([name]) => name)
