import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { listSettings as settingsOfKind } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import {
  normalizeHref,
  findPdfDaysFault,
  parseDomain,
  findRepeated,
  findUrlFault,
} from '@clearway/contract/monitor/scan/model.ts'
import { getPageLimit, ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import * as z from 'zod/mini'
import type { SentSettings, StoredScanSettings } from './model.ts'
import { toSentSettings } from './model.ts'
import { hasStoredSecrets } from './session.ts'
import type { ScanForm } from './values.ts'

type FormError = Pick<FieldError, 'path' | 'code' | 'params'>
const createError = (
  path: string,
  code: FieldError['code'],
  params: FieldError['params'] = {},
): FormError => ({
  path,
  code,
  params,
})

function toErrorCode(issue: z.core.$ZodIssue): Pick<FormError, 'code' | 'params'> {
  const customCode =
    'params' in issue ? (issue.params as { code?: FieldError['code'] } | undefined)?.code : undefined
  if (customCode) return { code: customCode, params: {} }
  if (issue.code === 'too_small') {
    const isLength = issue.origin === 'string' || issue.origin === 'array'
    if (isLength && issue.minimum === 1) return { code: 'required', params: {} }
    return { code: isLength ? 'too-short' : 'too-small', params: { min: Number(issue.minimum) } }
  }
  if (issue.code === 'too_big') {
    const isLength = issue.origin === 'string' || issue.origin === 'array'
    return { code: isLength ? 'too-long' : 'too-big', params: { max: Number(issue.maximum) } }
  }
  return { code: 'input' in issue && issue.input === '' ? 'required' : 'wrong-format', params: {} }
}

const findUrlErrors = (path: string, urls: readonly string[] = []): FormError[] =>
  urls.flatMap((value, index) => {
    const faultCode = findUrlFault(value)
    return faultCode ? [createError(`${path}.${index}`, faultCode, { value })] : []
  })

/** Finds values that repeat an earlier value of the list. */
const findRepeatedErrors = (
  path: string,
  values: readonly string[] = [],
  getKey?: (value: string) => string,
): FormError[] =>
  [...findRepeated(values, getKey)].map((index) =>
    createError(`${path}.${index}`, 'duplicate', { value: values[index]! }),
  )

/** Returns true for a valid CSS selector or XPath expression. */
function isValidSelector(selectorText: string): boolean {
  try {
    if (/^(\/|\(|xpath=)/.test(selectorText)) document.createExpression(selectorText.replace(/^xpath=/, ''))
    else document.createDocumentFragment().querySelector(selectorText)
    return true
  } catch {
    return false
  }
}

function findComponentErrors({ commonComponents }: SentSettings): FormError[] {
  const definedComponents = commonComponents?.components ?? []
  const repeatedNameIndexes = findRepeated(definedComponents.map(({ name }) => name))
  const allSelectors = definedComponents.flatMap((component) => component.selectors)
  return definedComponents.flatMap((component, index) => {
    const componentPath = `commonComponents.components.${index}`
    const isNameRepeated = repeatedNameIndexes.has(index) && component.name !== ''
    return [
      ...(isNameRepeated ? [createError(`${componentPath}.name`, 'duplicate')] : []),
      ...component.selectors.flatMap((selector, n) => {
        if (!isValidSelector(selector))
          return [createError(`${componentPath}.selectors.${n}`, 'wrong-format', { value: selector })]
        const isRepeated = allSelectors.filter((otherSelector) => otherSelector === selector).length > 1
        return isRepeated
          ? [createError(`${componentPath}.selectors.${n}`, 'duplicate', { value: selector })]
          : []
      }),
    ]
  })
}

/** Finds selector settings that the browser cannot parse. */
const findSelectorErrors = ({ advanced = {} }: SentSettings): FormError[] =>
  settingsOfKind('selectors').flatMap((name) =>
    (advanced[name] ?? []).flatMap((value, index) =>
      isValidSelector(value) ? [] : [createError(`advanced.${name}.${index}`, 'wrong-format', { value })],
    ),
  )

function findPdfErrors(settings: SentSettings): FormError[] {
  const {
    pdfTargetCount: targetCount,
    pdfModifiedFrom = null,
    pdfModifiedTo = null,
    mimeTypes,
  } = settings.advanced ?? {}
  if (!mimeTypes?.includes('application/pdf')) return []
  const scanType = settings.type ?? 'standard'
  const pageLimit = getPageLimit({ type: scanType, pageLimit: settings.pageLimit ?? 0 })
  const daysFault = findPdfDaysFault({ mimeTypes, pdfModifiedFrom, pdfModifiedTo })
  return [
    ...(typeof targetCount === 'number' && targetCount >= pageLimit
      ? [createError('advanced.pdfTargetCount', 'too-big', { max: pageLimit - 1 })]
      : []),
    ...(daysFault ? [createError('advanced.pdfModifiedTo', 'too-small', daysFault)] : []),
  ]
}

/** Finds headers without a typed or stored value. */
function findHeaderErrors({ extraHeaders }: ScanForm): FormError[] {
  return extraHeaders.flatMap(({ value, stored }, index) =>
    value === '' && !stored ? [createError(`advanced.extraHeaders.${index}.value`, 'required')] : [],
  )
}

/** Finds secrets that are neither typed nor stored, and repeated variable names. */
function findSecretErrors(formValues: ScanForm, storedSettings: StoredScanSettings | null): FormError[] {
  const missingSecretErrors =
    formValues.authType === '' || hasStoredSecrets(storedSettings?.session, formValues)
      ? []
      : (formValues.authType === 'client_cer'
          ? (['keystore', 'keystorePassword'] as const)
          : (['password'] as const)
        )
          .filter((secretField) => formValues[secretField] === '')
          .map((field) => createError(`session.connection.${field}`, 'required'))
  const storedVariableNames = new Set(storedSettings?.scripts.variables.map(({ name }) => name))
  const variableNames = formValues.variables.map(({ name }) => name.trim())
  return [
    ...missingSecretErrors,
    ...findHeaderErrors(formValues),
    ...formValues.variables.flatMap(({ value }, i) => {
      const variablePath = `scripts.variables.${i}`
      return [
        ...(variableNames[i] && variableNames.indexOf(variableNames[i]) < i
          ? [createError(`${variablePath}.name`, 'duplicate')]
          : []),
        ...(value === '' && !storedVariableNames.has(variableNames[i] ?? '')
          ? [createError(`${variablePath}.value`, 'required')]
          : []),
      ]
    }),
  ]
}

function findTimeErrors(
  formValues: ScanForm,
  settings: SentSettings,
  storedSettings: StoredScanSettings | null,
): FormError[] {
  const parsedSchedule = z.safeParse(Schedule, settings.schedule)
  // If other schedule fields are invalid, the start is still checked separately, so that all errors appear at once.
  const { startDate, startTime, timeZone } = formValues
  const checkableSchedule = parsedSchedule.success
    ? parsedSchedule
    : z.safeParse(Schedule, { frequency: 'once', startDate, startTime, timeZone })
  return [
    ...(checkableSchedule.success
      ? findScheduleErrors('schedule', checkableSchedule.data, new Date(), storedSettings?.schedule ?? null)
      : []),
    ...(formValues.notifyOthers && settings.notification?.specificUsers?.length === 0
      ? [createError('notification.specificUsers', 'required')]
      : []),
  ]
}

/**
 * Finds the scan's own scripts that cannot be parsed. Errors appear at the script's text. The parser loads on demand.
 */
async function findScriptErrors(formValues: ScanForm): Promise<FormError[]> {
  const nonEmptyScripts = formValues.ownScripts.filter(({ text }) => text.trim() !== '')
  if (nonEmptyScripts.length === 0) return []
  const { parseScript } = await import('@clearway/contract/monitor/script/model.ts')
  return formValues.ownScripts.flatMap(({ text, type }, index) => {
    if (text.trim() === '' || parseScript(text, type).ok) return []
    return [createError(`scripts.own.${index}.text`, 'invalid')]
  })
}

/** Validates a form with the server's schemas and error codes; at most one error per path. */
export async function findFormErrors(
  formValues: ScanForm,
  storedSettings: StoredScanSettings | null,
): Promise<FormError[]> {
  const sentSettings = toSentSettings(formValues, null)
  const parsedSettings = z.safeParse(ScanSettings, sentSettings)
  // Duplicates in components are reported below, at the exact row.
  const schemaErrors = parsedSettings.success
    ? []
    : parsedSettings.error.issues
        .map((issue) => ({ path: issue.path.join('.'), ...toErrorCode(issue) }))
        .filter(({ path, code }) => !(code === 'duplicate' && path.startsWith('commonComponents')))
  const domainList = sentSettings.domains ?? []
  const allErrors = [
    ...schemaErrors,
    ...findUrlErrors('urls', sentSettings.urls),
    ...findUrlErrors('commonComponents.templateUrls', sentSettings.commonComponents?.templateUrls),
    ...findRepeatedErrors('urls', sentSettings.urls, normalizeHref),
    ...findRepeatedErrors(
      'commonComponents.templateUrls',
      sentSettings.commonComponents?.templateUrls,
      normalizeHref,
    ),
    ...findUrlErrors('sources.sitemaps', sentSettings.sources?.sitemaps),
    ...findUrlErrors('sources.urls', sentSettings.sources?.urls),
    ...domainList.flatMap((domain, i) =>
      parseDomain(domain) ? [] : [createError(`domains.${i}`, 'bad-domain', { value: domain })],
    ),
    ...findRepeatedErrors('domains', domainList),
    ...findRepeatedErrors('notification.specificUsers', sentSettings.notification?.specificUsers),
    ...findComponentErrors(sentSettings),
    ...findSelectorErrors(sentSettings),
    ...findPdfErrors(sentSettings),
    ...findSecretErrors(formValues, storedSettings),
    ...findTimeErrors(formValues, sentSettings, storedSettings),
    ...(await findScriptErrors(formValues)),
  ]
  return allErrors.filter(
    ({ path }, index) => allErrors.findIndex((candidate) => candidate.path === path) === index,
  )
}
