import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { fieldErrorText } from '../../../kit/client/problem-text.ts'
import { variableNameText } from '../../script/parts/words.ts'
import type { ScanForm } from './values.ts'

const wholeNumber = msg`Enter a whole number.`
const day = msg`Write a date like 2026-03-18.`
const rule = msg`This expression cannot be used. It needs closed brackets, and has no look-around and no back reference.`

/** What a field takes, where its code alone would only say that something is wrong with it. */
const allowed: { readonly [K in keyof ScanForm]?: MessageDescriptor } = {
  depth: wholeNumber,
  pageLimit: wholeNumber,
  preScanWaitMs: wholeNumber,
  pageTimeout: wholeNumber,
  scriptTimeout: wholeNumber,
  runTimeout: wholeNumber,
  stopAfterFailures: wholeNumber,
  pagesAtOnce: wholeNumber,
  pagesPerMinute: wholeNumber,
  windowWidth: wholeNumber,
  windowHeight: wholeNumber,
  pdfTargetCount: wholeNumber,
  timeoutHours: wholeNumber,
  interval: wholeNumber,
  dayNumber: wholeNumber,
  endRuns: wholeNumber,
  startDate: day,
  endDate: day,
  pdfModifiedFrom: day,
  pdfModifiedTo: day,
  startTime: msg`Write a time like 06:30.`,
  timeZone: msg`Choose a time zone of the list, such as Europe/Berlin.`,
  specificUsers: msg`Write mail addresses like sam@example.org, with commas between them.`,
  username: msg`Write the user name as domain\\user or user@domain.`,
  keystore: msg`Choose a keystore file, JKS or PKCS12, that its password opens.`,
  keystorePassword: msg`This password does not open the keystore.`,
  components: msg`This is neither a CSS selector nor an XPath expression.`,
  bannerSelectors: msg`This is neither a CSS selector nor an XPath expression.`,
  markValue: msg`This is neither a CSS selector nor an XPath expression.`,
  excludeRules: rule,
  includeRules: rule,
  ownScripts: msg`Please upload a valid script file.`,
  variables: variableNameText,
  headers: msg`A name has letters, digits and hyphens; a value has no line breaks and no letters outside ASCII.`,
  userAgent: msg`Use letters, digits and signs of ASCII only.`,
  referrer: msg`Write a web address like https://www.example.org/.`,
}
const oneSession = msg`At most one script of a scan may sign in.`
const vague: ReadonlySet<string> = new Set<FieldError['code']>(['wrong-format', 'wrong-type', 'invalid'])

/** What is wrong with a field of a scan's settings, as a sentence that says what it takes. */
export function faultText(field: string, code: string, params: FieldError['params']): MessageDescriptor {
  if (field === 'sharedTasks' && code === 'too-big') return oneSession
  const said = vague.has(code) ? allowed[(field.split('.')[0] ?? '') as keyof ScanForm] : undefined
  return said ?? fieldErrorText(code, params)
}
