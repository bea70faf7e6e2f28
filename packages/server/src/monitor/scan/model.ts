import { hasPermission, type Role } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import {
  normalizeHref,
  createDomainMatcher,
  findPdfDaysFault,
  parseDomain,
  findRepeated,
  findUrlFault,
} from '@clearway/contract/monitor/scan/model.ts'
import { getPageLimit, type ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { findAllSelectorErrors } from './selector/model.ts'

const createFieldError = (
  path: string,
  code: FieldError['code'],
  params: FieldError['params'] = {},
): FieldError => ({
  path,
  code,
  params,
})

/** Error of a name with a valid length: control characters such as line breaks, or no visible character. */
export function findNameError(path: string, name: string): FieldError | null {
  if (/\p{Cc}/u.test(name)) return createFieldError(path, 'wrong-format')
  return /[^\p{C}\p{Z}\p{M}]/u.test(name) ? null : createFieldError(path, 'required')
}

/** Error of a start URL; null for a valid one. */
export function findUrlError(path: string, urlText: string): FieldError | null {
  const urlFaultCode = findUrlFault(urlText)
  if (urlFaultCode === 'url-scheme')
    return createFieldError(path, urlFaultCode, { value: new URL(urlText).protocol.replace(':', '') })
  // Passwords in the URL must not appear in the reply.
  return (
    urlFaultCode && createFieldError(path, urlFaultCode, urlFaultCode === 'bad-url' ? { value: urlText } : {})
  )
}

function findListErrors({ urls, domains }: ScanSettings): FieldError[] {
  const repeatedUrls = findRepeated(urls, normalizeHref)
  const repeatedDomains = findRepeated(domains)
  const createDuplicateError = (
    repeatedIndexes: ReadonlySet<number>,
    index: number,
    path: string,
    value: string,
  ) => (repeatedIndexes.has(index) ? createFieldError(path, 'duplicate', { value }) : null)
  return [
    ...urls.map((urlText, index) => {
      const errorPath = `settings.urls.${index}`
      return findUrlError(errorPath, urlText) ?? createDuplicateError(repeatedUrls, index, errorPath, urlText)
    }),
    ...domains.map((domainText, index) => {
      const errorPath = `settings.domains.${index}`
      if (!parseDomain(domainText)) return createFieldError(errorPath, 'bad-domain', { value: domainText })
      return createDuplicateError(repeatedDomains, index, errorPath, domainText)
    }),
  ].filter((fieldError) => fieldError !== null)
}

/** Start URLs must be in the scan's own domains, if it has any. */
function findDomainErrors(settings: ScanSettings): FieldError[] {
  const validDomains = settings.domains.filter((text) => parseDomain(text) !== null)
  if (validDomains.length === 0) return []
  const isInDomains = createDomainMatcher(validDomains)
  return settings.urls.flatMap((urlText, index) => {
    const parsedUrl = URL.parse(urlText)
    return !parsedUrl || isInDomains(parsedUrl)
      ? []
      : [createFieldError(`settings.urls.${index}`, 'outside-domains', { value: urlText })]
  })
}

function findLimitErrors(settings: ScanSettings, limits: ProductLimits): FieldError[] {
  const limitedValues: [string, number, number][] = [
    ['settings.pageLimit', settings.pageLimit, limits.pageLimit],
    ['settings.depth', settings.depth ?? 0, limits.depth],
  ]
  const fieldErrors = limitedValues.flatMap(([path, value, max]) =>
    value > max ? [createFieldError(path, 'too-big', { max })] : [],
  )
  if (settings.urls.length > limits.startUrls)
    fieldErrors.push(createFieldError('settings.urls', 'too-long', { max: limits.startUrls }))
  return fieldErrors
}

/** Errors of PDF settings: fewer PDFs than pages, and a date range that starts before it ends. */
function findPdfErrors(settings: ScanSettings): FieldError[] {
  const { advanced } = settings
  if (!advanced.mimeTypes.includes('application/pdf')) return []
  const pageLimit = getPageLimit(settings)
  const { pdfTargetCount: maxPdfCount } = advanced
  const fieldErrors: FieldError[] = []
  if (maxPdfCount !== null && maxPdfCount >= pageLimit)
    fieldErrors.push(createFieldError('settings.advanced.pdfTargetCount', 'too-big', { max: pageLimit - 1 }))
  const dateRangeFault = findPdfDaysFault(advanced)
  if (dateRangeFault)
    fieldErrors.push(createFieldError('settings.advanced.pdfModifiedTo', 'too-small', dateRangeFault))
  return fieldErrors
}

/** Errors of URLs other than start URLs: templates of common components, sitemaps, and the fixed list. */
function findOtherUrlErrors({ commonComponents, sources }: ScanSettings): FieldError[] {
  const urlLists: [string, readonly string[]][] = [
    ['settings.commonComponents.templateUrls', commonComponents?.templateUrls ?? []],
    ['settings.sources.sitemaps', sources.sitemaps],
    ['settings.sources.urls', sources.urls],
  ]
  return urlLists
    .flatMap(([path, urls]) =>
      urls.flatMap((urlText, index) => findUrlError(`${path}.${index}`, urlText) ?? []),
    )
    .slice(0, 100)
}

/** Errors of repeated words in a list, ignoring case. */
const findDuplicateErrors = (path: string, words: readonly string[]): FieldError[] =>
  [...findRepeated(words)].map((index) =>
    createFieldError(`${path}.${index}`, 'duplicate', { value: words[index]! }),
  )

/** Errors of lists with duplicates. Not part of their schemas, because stored settings may contain duplicates. */
const findAllDuplicateErrors = ({ advanced, notification, schedule }: ScanSettings): FieldError[] => [
  ...findDuplicateErrors('settings.advanced.mimeTypes', advanced.mimeTypes),
  ...findDuplicateErrors('settings.notification.events', notification.events),
  ...findDuplicateErrors('settings.notification.specificUsers', notification.specificUsers),
  ...('weekdays' in schedule ? findDuplicateErrors('settings.schedule.weekdays', schedule.weekdays) : []),
]

/** Errors of common components with the same name, ignoring case. */
export const findComponentErrors = (
  prefix: string,
  { commonComponents }: Pick<ScanSettings, 'commonComponents'>,
): FieldError[] =>
  findDuplicateErrors('', commonComponents?.components.map(({ name }) => name) ?? []).map(
    (duplicateError) => ({
      ...duplicateError,
      path: `${prefix}commonComponents.components${duplicateError.path}.name`,
    }),
  )

/**
 * Errors of scan settings that their schema cannot detect. Paths are those of an update body (`settings.urls.0`);
 * the body of a create call has them without `settings.`.
 */
export function findSettingsErrors(settings: ScanSettings, limits: ProductLimits): FieldError[] {
  const listFieldErrors = findListErrors(settings)
  const nameFieldError = findNameError('settings.name', settings.name)
  return [
    ...(nameFieldError ? [nameFieldError] : []),
    ...listFieldErrors,
    ...(listFieldErrors.length === 0 ? findDomainErrors(settings) : []),
    ...findLimitErrors(settings, limits),
    ...findPdfErrors(settings),
    ...findOtherUrlErrors(settings),
    ...findAllDuplicateErrors(settings),
    ...findComponentErrors('settings.', settings),
    ...findAllSelectorErrors('settings.', settings),
  ]
}

/** Permissions of a role on a scan, for the web's buttons. */
export const getScanRights = (role: Role) => ({
  run: hasPermission(role, 'scan.run'),
  manage: hasPermission(role, 'scan.manage'),
  discuss: hasPermission(role, 'scan.discuss'),
  curate: hasPermission(role, 'scan.curate'),
  export: hasPermission(role, 'scan.export'),
})

export const priorities = ['high', 'medium', 'low'] as const

/** Result of a name check; an invalid name is a result, not an error. */
export type NameValidity =
  | { success: true }
  | { success: false; message: string; code: string; params: Record<string, string | number> }

type NameCheck = {
  name: string
  /** Maximum length in characters. */
  maxLength: number
  /** Kind of the named thing in messages, such as "scan". */
  nounInMessage: string
  isTaken: (name: string) => Promise<boolean>
}

/** Checks a name of a scan, group or preset. */
export async function checkName({
  name,
  maxLength,
  nounInMessage,
  isTaken,
}: NameCheck): Promise<NameValidity> {
  const trimmedName = name.trim()
  const createInvalidResult = (code: string, message: string, params = {}): NameValidity => ({
    success: false,
    code,
    message,
    params,
  })
  if (trimmedName.length > maxLength)
    return createInvalidResult('too-long', `At most ${maxLength} characters.`, { max: maxLength })
  const nameFieldError = findNameError('name', trimmedName)
  if (nameFieldError?.code === 'required') return createInvalidResult('required', 'Enter a name.')
  if (nameFieldError)
    return createInvalidResult(nameFieldError.code, 'A name has no line breaks or other control characters.')
  if (await isTaken(trimmedName))
    return createInvalidResult('name-taken', `Another ${nounInMessage} has this name.`, {
      value: trimmedName,
    })
  return { success: true }
}
