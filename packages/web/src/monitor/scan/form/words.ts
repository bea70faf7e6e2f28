import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { fieldErrorText } from '../../../kit/client/problem-text.ts'
import { variableNameText } from '../../script/parts/words.ts'
import { formatOf, isSettingField, settingControls } from './setting-controls.ts'
import type { ScanForm } from './values.ts'

const settingNames = Object.fromEntries(
  Object.entries(settingControls).map(([name, { label }]) => [name, label]),
)

/** What the fields are called, where their message does not stand beside them. */
export const fieldNames: Partial<Record<keyof ScanForm, MessageDescriptor>> = {
  ...settingNames,
  name: msg`Name`,
  urls: msg`Start URLs`,
  priority: msg`Priority`,
  presetId: msg`Preset`,
  type: msg`Scan size`,
  pageLimit: msg`Page limit`,
  depth: msg`Depth`,
  standard: msg`Standard`,
  axeVersion: msg`axe-core version`,
  testPages: msg`What is tested`,
  testPdfs: msg`Test PDFs`,
  templateUrls: msg`Template pages`,
  components: msg`Components`,
  sharedTasks: msg`Shared user flows`,
  sharedSession: msg`Shared session script`,
  ownScripts: msg`Scripts of this scan`,
  variables: msg`Variables`,
  domains: msg`Domains`,
  excludeRules: msg`Exclude`,
  includeRules: msg`Include only`,
  sitemaps: msg`Sitemaps`,
  listedUrls: msg`List of URLs`,
  authType: msg`Sign-in that the server asks for`,
  username: msg`User name`,
  password: msg`Password`,
  keystore: msg`Keystore file`,
  keystorePassword: msg`Password of the keystore`,
  markValue: msg`What is looked for`,
  teams: msg`Teams`,
  groups: msg`Scan groups`,
  frequency: msg`When it runs`,
  startDate: msg`Start date`,
  startTime: msg`Start time`,
  timeZone: msg`Time zone`,
  interval: msg`How often it repeats`,
  weekdays: msg`On which days`,
  dayNumber: msg`Day of the month`,
  endDate: msg`Last day`,
  endRuns: msg`Number of runs`,
  timeoutHours: msg`Longest time for a run`,
  events: msg`Email notifications`,
  specificUsers: msg`Email addresses`,
}

const wholeNumber = msg`Enter a whole number.`
const day = msg`Write a date like 2026-03-18.`
const rule = msg`This expression cannot be used. It needs closed brackets, and has no look-around and no back reference.`

/** What a field takes, where its code alone would only say that something is wrong with it. */
const allowed: { readonly [K in keyof ScanForm]?: MessageDescriptor } = {
  depth: wholeNumber,
  pageLimit: wholeNumber,
  timeoutHours: wholeNumber,
  interval: wholeNumber,
  dayNumber: wholeNumber,
  endRuns: wholeNumber,
  startDate: day,
  endDate: day,
  startTime: msg`Write a time like 06:30.`,
  timeZone: msg`Choose a time zone of the list, such as Europe/Berlin.`,
  specificUsers: msg`Enter email addresses like sam@example.org, separated by commas.`,
  username: msg`Write the user name as domain\\user or user@domain.`,
  keystore: msg`Choose a keystore file, JKS or PKCS12, that its password opens.`,
  keystorePassword: msg`This password does not open the keystore.`,
  components: msg`This is neither a CSS selector nor an XPath expression.`,
  markValue: msg`This is neither a CSS selector nor an XPath expression.`,
  excludeRules: rule,
  includeRules: rule,
  ownScripts: msg`Please upload a valid script file.`,
  variables: variableNameText,
}
const oneSession = msg`At most one script of a scan may sign in.`
const vague: ReadonlySet<string> = new Set<FieldError['code']>(['wrong-format', 'wrong-type', 'invalid'])

/** What is wrong with a field of a scan's settings, as a sentence that says what it takes. */
export function faultText(field: string, code: string, params: FieldError['params']): MessageDescriptor {
  if (field === 'sharedTasks' && code === 'too-big') return oneSession
  const name = field.split('.')[0] ?? ''
  const takes = isSettingField(name) ? formatOf(name) : allowed[name as keyof ScanForm]
  const said = vague.has(code) ? takes : undefined
  return said ?? fieldErrorText(code, params)
}
