import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { variableNameRule } from '../../script/parts/labels.ts'
import { getFieldsInSections, getFormat, isSettingField, type SettingField, settingControls } from './setting-controls.ts'
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
/** Paths of the fields in an object; a list or a record is one field. */
type FieldOf<T> = {
  [K in keyof T & string]: T[K] extends readonly unknown[] | string | number | boolean | null
    ? K
    : string extends keyof T[K]
      ? K
      : `${K}.${FieldOf<T[K]>}`
}[keyof T & string]
/** Path of a form field, which is the path of its setting: `schedule.day.kind`. */
export type FormField = FieldOf<ScanForm>

/** Texts and properties of a field or a part of one. */
export type FieldAbout = Omit<FieldRow, 'step'>

const wholeNumberFormat = msg`Enter a whole number.`
const dateFormat = msg`Write a date like 2026-03-18.`
const selectorFormat = msg`This is neither a CSS selector nor an XPath expression.`
const expressionFormat = msg`This expression cannot be used. Close all brackets, and use neither look-around nor back references.`

/** Every form field with its wizard step and texts, in screen order. Advanced settings are in `setting-controls.ts`. */
const fieldTable: Record<Exclude<FormField, SettingField>, FieldRow> = {
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
  'ruleSet.standard': { step: 'basic', label: msg`Standard` },
  'ruleSet.axeVersion': { step: 'basic', label: msg`axe-core version` },
  'ruleSet.bestPractices': {
    step: 'basic',
    label: msg`Best practices`,
    hint: msg`Rules that no standard demands but that help people.`,
  },
  'ruleSet.experimental': {
    step: 'basic',
    label: msg`Experimental rules`,
    hint: msg`New rules that may still give wrong results.`,
  },
  'advanced.mimeTypes': { step: 'basic', name: msg`What is tested` },
  'ruleSet.pdfUa': {
    step: 'basic',
    label: msg`Check full PDF/UA`,
    hint: msg`Also checks what only PDF/UA-1 requires, including fonts.`,
  },

  'commonComponents.templateUrls': {
    step: 'components',
    label: msg`Template pages`,
    hint: msg`One URL per line. Pages that contain the components; every run visits them first.`,
    placeholder: 'https://www.example.org/',
  },
  'commonComponents.components': {
    step: 'components',
    label: msg`Components`,
    hint: msg`An issue inside a component is reported once per run, however many pages have it.`,
    format: selectorFormat,
  },

  'scripts.shared': { step: 'scripts', label: msg`Shared user flows` },
  'scripts.sharedSession': {
    step: 'scripts',
    label: msg`Shared session script`,
    hint: msg`Signs in before the scan begins. At most one script of a scan does.`,
  },
  'scripts.own': {
    step: 'scripts',
    label: msg`Scripts of this scan`,
    hint: msg`A user flow walks through pages and tests them on the way; a session script signs in.`,
    format: msg`Please upload a valid script file.`,
  },
  'scripts.variables': {
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
  'sources.followLinks': {
    step: 'scope',
    label: msg`Follow links`,
    hint: msg`Off: only the start URLs, sitemaps and the list below.`,
  },
  'sources.sitemapsOfRobots': { step: 'scope', label: msg`Sitemaps that robots.txt names` },
  'sources.sitemaps': { step: 'scope', label: msg`Sitemaps`, hint: msg`One URL per line.` },
  'sources.urls': {
    step: 'scope',
    label: msg`List of URLs`,
    hint: msg`One URL per line. They are visited in addition to the pages that links lead to.`,
  },

  'session.connection.authType': {
    step: 'session',
    label: msg`Kind of sign-in`,
    hint: msg`A form on a page is recognized by itself. For one that is not, write a session script in step Scripts.`,
    format: msg`A script signs in already. Remove it in step Scripts, or choose another kind of sign-in.`,
  },
  'session.connection.url': {
    step: 'session',
    label: msg`URL of the sign-in page`,
    hint: msg`The page with the fields for user name and password, also on another host.`,
    placeholder: 'https://www.example.org/login',
  },
  'session.connection.username': {
    step: 'session',
    label: msg`User name`,
    format: msg`Write the user name as domain\\user or user@domain.`,
  },
  'session.connection.password': { step: 'session', label: msg`Password`, isSecret: true },
  'session.connection.hasCode': {
    step: 'session',
    label: msg`The site also asks for a code of an authenticator app`,
  },
  'session.connection.codeSecret': {
    step: 'session',
    label: msg`Secret of the codes`,
    hint: msg`The setup key that the site shows next to its QR code, or the otpauth:// address in it.`,
    format: msg`Enter the setup key (letters and the digits 2 to 7), or an address that begins with otpauth://totp/.`,
    isSecret: true,
  },
  'session.connection.keystoreType': { step: 'session', label: msg`Type of keystore` },
  'session.connection.keystoreName': { step: 'session' },
  'session.connection.keystore': {
    step: 'session',
    label: msg`Keystore file`,
    format: msg`Choose a keystore file, JKS or PKCS12, that this password opens.`,
    isSecret: true,
  },
  'session.connection.keystorePassword': {
    step: 'session',
    label: msg`Password of the keystore`,
    format: msg`This password does not open the keystore.`,
    isSecret: true,
  },
  'session.mark.means': {
    step: 'session',
    label: msg`Signed-in check`,
    hint: msg`Detects an expired sign-in, so that sign-in pages are not tested as pages of the site.`,
  },
  'session.mark.kind': { step: 'session', label: msg`Kind`, name: msg`What is looked for`, isQuestion: true },
  'session.mark.value': {
    step: 'session',
    label: msg`What it is`,
    name: msg`What is looked for`,
    format: selectorFormat,
  },

  'access.teams': { step: 'access', label: msg`Teams` },
  'access.groups': { step: 'access', label: msg`Scan groups` },

  'schedule.frequency': { step: 'schedule', label: msg`When it runs` },
  'schedule.startDate': { step: 'schedule', label: msg`Start date`, format: dateFormat },
  'schedule.startTime': { step: 'schedule', label: msg`Start time`, format: msg`Write a time like 06:30.` },
  'schedule.timeZone': {
    step: 'schedule',
    label: msg`Time zone`,
    format: msg`Choose a time zone from the list, such as Europe/Berlin.`,
  },
  'schedule.interval': { step: 'schedule', name: msg`How often it repeats`, format: wholeNumberFormat },
  'schedule.weekdays': { step: 'schedule', label: msg`On which days` },
  'schedule.day.kind': { step: 'schedule', label: msg`On which day` },
  'schedule.day.day': {
    step: 'schedule',
    label: msg`Day of the month`,
    hint: msg`1 to 31. In shorter months, the last day is used.`,
    format: wholeNumberFormat,
  },
  'schedule.day.week': { step: 'schedule', label: msg`Which one`, name: msg`On which day` },
  'schedule.day.weekday': { step: 'schedule', label: msg`Weekday` },
  'schedule.end.kind': { step: 'schedule', label: msg`When it ends` },
  'schedule.end.date': { step: 'schedule', label: msg`Last day`, format: dateFormat },
  'schedule.end.runs': { step: 'schedule', label: msg`Number of runs`, format: wholeNumberFormat },
  'schedule.timeoutMs': {
    step: 'schedule',
    label: msg`Hours`,
    name: msg`Timeout of scheduled runs`,
    hint: msg`The shorter one of this and “Run timeout” in step Advanced applies. Leave empty to use only that one.`,
    format: wholeNumberFormat,
    isQuestion: true,
  },
  'notification.events': { step: 'schedule', label: msg`Email notifications` },
  'notification.me': { step: 'schedule', label: msg`Me`, name: msg`Recipients`, isQuestion: true },
  'notification.allTeamMembers': {
    step: 'schedule',
    label: msg`All members of the scan's teams`,
    name: msg`Recipients`,
  },
  'notification.notifyOthers': { step: 'schedule', label: msg`Specific people`, name: msg`Recipients` },
  'notification.specificUsers': {
    step: 'schedule',
    label: msg`Email addresses`,
    hint: msg`Separated by commas.`,
    placeholder: 'sam@example.org, kim@example.org',
    format: msg`Enter email addresses like sam@example.org, separated by commas.`,
  },
}

/** Fields of list rows, by list. Errors of a whole row appear at its first field. */
const rowParts: Readonly<Record<string, Readonly<Record<string, FieldAbout>>>> = {
  'commonComponents.components': {
    name: { label: msg`Name of the component` },
    selectors: {
      label: msg`Selectors`,
      hint: msg`CSS or XPath, one per line.`,
      placeholder: 'header.site',
    },
  },
  'scripts.own': {
    text: {},
    name: { label: msg`Name of the script` },
    type: { label: msg`What it does` },
  },
  'scripts.variables': {
    name: { label: msg`Name of the variable`, placeholder: 'PASSWORD' },
    value: { label: msg`Value` },
  },
  'advanced.extraHeaders': {
    name: { label: msg`Name of the header`, placeholder: 'X-Test' },
    value: { label: msg`Value` },
  },
  includeRules: { pattern: {} },
  excludeRules: { pattern: {} },
}

const tableEntries = Object.entries(fieldTable) as [keyof typeof fieldTable, FieldRow][]
const isTableField = (name: string): name is keyof typeof fieldTable => name in fieldTable
export const formFields: readonly FormField[] = [
  ...tableEntries.map(([field]) => field),
  ...getFieldsInSections('basic', 'exclude', 'scope', 'advanced'),
]

/** Returns the field of a path: `excludeRules.2.pattern` is in `excludeRules`. For a group of fields, it is the first. */
export function findFieldOfPath(path: string): FormField | null {
  for (let prefix = path; prefix !== ''; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0))) {
    const formField = formFields.find((field) => field === prefix) ?? formFields.find((field) => field.startsWith(`${prefix}.`))
    if (formField) return formField
  }
  return null
}

/** Removes the part of a body that the settings are in. */
export const toSettingsPath = (path: string): string => path.replace(/^settings\./, '')

/** Returns the form control of a settings path: a field, or a field of a row. Null if there is none. */
export function findFormField(path: string, { scripts }: ScanForm): string | null {
  const settingsPath = toSettingsPath(path)
  const listField = findFieldOfPath(settingsPath)
  const [, rowIndex, part = ''] = /^\.(\d+)(?:\.(\w+))?/.exec(settingsPath.slice(listField?.length ?? 0)) ?? []
  if (listField === null || rowIndex === undefined)
    // The file chooser sets the name.
    return listField === 'session.connection.keystoreName' ? 'session.connection.keystore' : listField
  if (listField === 'scripts.shared' && Number(rowIndex) >= scripts.shared.length) return 'scripts.sharedSession'
  const parts = rowParts[listField]
  if (!parts) return listField
  return `${listField}.${rowIndex}.${part in parts ? part : Object.keys(parts)[0]}`
}

/** Returns the texts of a field by path: `excludeRules.2.pattern` belongs to `excludeRules`. */
export function getFieldInfo(path: string): FieldAbout {
  const field = findFieldOfPath(path)
  if (field === null) return {}
  if (isTableField(field)) return fieldTable[field]
  if (!isSettingField(field)) return {}
  const fieldFormat = getFormat(field)
  return { ...settingControls[field], ...(fieldFormat && { format: fieldFormat }) }
}

/** Returns the texts of a control: a field, or a field of a row such as `commonComponents.components.2.selectors`. */
export function getControlInfo(path: string): FieldAbout {
  const [, listField = '', part = ''] = /^(.+)\.\d+\.(\w+)$/.exec(path) ?? []
  return rowParts[listField]?.[part] ?? getFieldInfo(path)
}

export function getFieldName(path: string): MessageDescriptor | undefined {
  const { name: explicitName, label: fieldLabel } = getFieldInfo(path)
  return explicitName ?? fieldLabel
}

export const getFieldNames = (fields: readonly FormField[], t: (words: MessageDescriptor) => string): string[] => [
  ...new Set(fields.flatMap((field) => getFieldName(field) ?? []).map(t)),
]

const getFieldsOfStep = (step: WizardStep): readonly FormField[] => [
  ...tableEntries.filter(([, row]) => row.step === step).map(([name]) => name),
  ...(step === 'basic' ? getFieldsInSections('basic') : []),
  ...(step === 'scope' ? getFieldsInSections('exclude', 'scope') : []),
  ...(step === 'advanced' ? getFieldsInSections('advanced') : []),
]
export const stepFields = Object.fromEntries(wizardSteps.map((step) => [step, getFieldsOfStep(step)])) as Record<
  WizardStep,
  ReturnType<typeof getFieldsOfStep>
>

/** Fields that are kept only in the form and never stored in the browser. */
export const secretFields = tableEntries.filter(([, row]) => row.isSecret).map(([name]) => name)
