import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { toFieldErrors } from '@clearway/contract/kit/schema-issue.ts'
import { isPlausibleExpression } from '@clearway/contract/monitor/scan/crawl/model.ts'
import { findRepeated, parseXPath } from '@clearway/contract/monitor/scan/model.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { findSettingsErrors, keepFirstErrors } from '@clearway/contract/monitor/scan/settings/model.ts'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import * as z from 'zod/mini'
import type { FormProblem } from './fault-text.ts'
import { hasStoredSecrets, type SentSettings, type StoredScanSettings, toSentSettings } from './model.ts'
import type { ScanForm } from './values.ts'

const createError = (path: string, code: FieldError['code']): FormProblem => ({ path, code, params: {} })

/** Returns true for a valid CSS selector or XPath expression. */
function isSelector(selectorText: string): boolean {
  const xpathText = parseXPath(selectorText)
  const emptyDocument = document.implementation.createHTMLDocument('')
  try {
    if (xpathText === null) document.createDocumentFragment().querySelector(selectorText)
    // Only evaluation tells the type of the result.
    else emptyDocument.evaluate(xpathText, emptyDocument, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE)
    return true
  } catch {
    return false
  }
}

/** Finds errors by the server's schema and rules, with its codes. */
function findServerErrors(sentSettings: SentSettings, limits: ProductLimits): FormProblem[] {
  const parsedSettings = z.safeParse(ScanSettings, sentSettings)
  const schemaErrors = parsedSettings.success ? [] : toFieldErrors(sentSettings, parsedSettings.error.issues)
  // Also checked while the schema fails, so that all errors appear at once.
  const settings = parsedSettings.success ? parsedSettings.data : (sentSettings as StoredScanSettings)
  return [
    // The rules find duplicates of components at the exact row.
    ...schemaErrors.filter(({ path, code }) => !(code === 'duplicate' && path.startsWith('commonComponents'))),
    // The server has the last word: it runs the rules.
    ...findSettingsErrors(settings, { limits, isSelector, isExpression: isPlausibleExpression }),
  ]
}

/** Finds secrets that are neither typed nor stored. */
function findConnectionErrors({ connection }: ScanForm['session'], storedSettings: StoredScanSettings | null): FormProblem[] {
  if (connection.authType === '') return []
  const storedConnection = storedSettings?.session.connection
  const hasStoredCode = storedConnection?.authType === 'form' && storedConnection.hasCode
  const needsCode = connection.authType === 'form' && connection.hasCode && !hasStoredCode
  const secretNames = connection.authType === 'client_cer' ? (['keystore', 'keystorePassword'] as const) : (['password'] as const)
  const missingNames = hasStoredSecrets(storedSettings?.session, connection) ? [] : secretNames
  return [...missingNames, ...(needsCode ? (['codeSecret'] as const) : [])]
    .filter((name) => connection[name] === '')
    .map((name) => createError(`session.connection.${name}`, 'required'))
}

/** Finds headers and variables without a typed or stored value, and repeated names of variables. */
function findValueErrors({ advanced, scripts }: ScanForm, storedSettings: StoredScanSettings | null): FormProblem[] {
  const storedNames = new Set(storedSettings?.scripts.variables.map(({ name }) => name))
  const variableNames = scripts.variables.map(({ name }) => name.trim())
  const repeatedIndexes = findRepeated(variableNames, (name) => name)
  return [
    ...advanced.extraHeaders.flatMap(({ value, stored }, index) =>
      value === '' && !stored ? [createError(`advanced.extraHeaders.${index}.value`, 'required')] : [],
    ),
    ...scripts.variables.flatMap(({ value }, index) => {
      const name = variableNames[index]!
      const isRepeated = name !== '' && repeatedIndexes.has(index)
      const isMissing = value === '' && !storedNames.has(name)
      return [
        ...(isRepeated ? [createError(`scripts.variables.${index}.name`, 'duplicate')] : []),
        ...(isMissing ? [createError(`scripts.variables.${index}.value`, 'required')] : []),
      ]
    }),
  ]
}

function findTimeErrors(
  { schedule, notification }: ScanForm,
  sentSettings: SentSettings,
  storedSettings: StoredScanSettings | null,
): FormProblem[] {
  const parsedSchedule = z.safeParse(Schedule, sentSettings.schedule)
  // If other schedule fields are invalid, the start is still checked separately, so that all errors appear at once.
  const { startDate, startTime, timeZone } = schedule
  const checkableSchedule = parsedSchedule.success
    ? parsedSchedule
    : z.safeParse(Schedule, { frequency: 'once', startDate, startTime, timeZone })
  return [
    ...(checkableSchedule.success
      ? findScheduleErrors('schedule', checkableSchedule.data, new Date(), storedSettings?.schedule ?? null)
      : []),
    ...(notification.notifyOthers && notification.specificUsers.length === 0
      ? [createError('notification.specificUsers', 'required')]
      : []),
  ]
}

/** Finds the scan's own scripts that cannot be parsed. Errors appear at the script's text. The parser loads on demand. */
async function findScriptErrors({ own: ownScripts }: ScanForm['scripts']): Promise<FormProblem[]> {
  const isBlank = (text: string) => text.trim() === ''
  if (ownScripts.every(({ text }) => isBlank(text))) return []
  const { parseScript } = await import('@clearway/contract/monitor/script/model.ts')
  return ownScripts.flatMap(({ text, type }, index) =>
    isBlank(text) || parseScript(text, type).ok ? [] : [createError(`scripts.own.${index}.text`, 'invalid')],
  )
}

/** Validates a form by the server's schema, rules and limits, and what only the form knows; one error per path. */
export async function findFormErrors(
  formValues: ScanForm,
  storedSettings: StoredScanSettings | null,
  limits: ProductLimits,
): Promise<FormProblem[]> {
  const sentSettings = toSentSettings(formValues, null)
  return keepFirstErrors([
    ...findServerErrors(sentSettings, limits),
    ...findConnectionErrors(formValues.session, storedSettings),
    ...findValueErrors(formValues, storedSettings),
    ...findTimeErrors(formValues, sentSettings, storedSettings),
    ...(await findScriptErrors(formValues.scripts)),
  ])
}
