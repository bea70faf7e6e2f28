import type { ProductLimits } from '../../../kit/limit.ts'
import type { FieldError } from '../../../kit/problem.ts'
import { isParameterRule, readPageUrl } from '../../page/url/model.ts'
import { type AdvancedSettings, listSettings } from '../advanced/schema.ts'
import type { UrlRule } from '../crawl/schema.ts'
import {
  createDomainMatcher,
  findDuplicateErrors,
  findPdfDaysFault,
  findRepeated,
  findUrlFault,
  normalizeHref,
  parseDomain,
} from '../model.ts'
import { getPageLimit, type ScanSettings } from '../schema.ts'

/** Returns true if a browser can parse the CSS selector or XPath. Injected: browser and server parse differently. */
export type SelectorCheck = (selectorText: string) => boolean
/** Returns true for an expression of a URL rule. Injected: the server asks the library that runs the rules. */
export type ExpressionCheck = (expression: string) => boolean
type SettingsContext = {
  limits: Pick<ProductLimits, 'pageLimit' | 'depth' | 'startUrls'>
  isSelector: SelectorCheck
  isExpression: ExpressionCheck
}

/** Maximum number of errors of one rule. */
const maxErrors = 100

const createFieldError = (path: string, code: FieldError['code'], params: FieldError['params'] = {}): FieldError => ({
  path,
  code,
  params,
})

/** Error of a name with a valid length: control characters such as line breaks, or no visible character. */
export function findNameError(path: string, name: string): FieldError | null {
  if (/\p{Cc}/u.test(name)) return createFieldError(path, 'wrong-format')
  return /[^\p{C}\p{Z}\p{M}]/u.test(name) ? null : createFieldError(path, 'required')
}

function findUrlError(path: string, urlText: string): FieldError | null {
  const urlFaultCode = findUrlFault(urlText)
  if (urlFaultCode === 'url-scheme')
    return createFieldError(path, urlFaultCode, { value: new URL(urlText).protocol.replace(':', '') })
  // Passwords in the URL must not appear in the reply.
  return urlFaultCode && createFieldError(path, urlFaultCode, urlFaultCode === 'bad-url' ? { value: urlText } : {})
}

/** Errors of URLs that are visited: http or https, without credentials. */
const findUrlErrors = (path: string, urls: readonly string[]): FieldError[] =>
  urls.flatMap((urlText, index) => findUrlError(`${path}.${index}`, urlText) ?? []).slice(0, maxErrors)

/** Single labels below which a wildcard stays within one network (RFC 6761, RFC 6762 and common practice). */
const privateSuffixes = new Set(['corp', 'home', 'internal', 'intranet', 'lan', 'local', 'localhost', 'private', 'test'])
/** A label of a domain (RFC 1035), with underscores as some hosts have them. */
const labelPattern = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/

/** Checks a domain as the URL standard does for valid domains: its labels, its length and its port. */
function isValidDomain(domainText: string): boolean {
  const parsedDomain = parseDomain(domainText)
  if (parsedDomain === null || parsedDomain.port === '0') return false
  if (parsedDomain.host.startsWith('[')) return true
  const labels = parsedDomain.host.split('.')
  // A wildcard below a top-level domain would cover most of the web.
  if (parsedDomain.below && labels.length === 1 && !privateSuffixes.has(labels[0]!)) return false
  return parsedDomain.host.length <= 253 && labels.every((label) => labelPattern.test(label))
}

export const findDomainErrors = (path: string, domains: readonly string[]): FieldError[] =>
  domains.flatMap((domainText, index) =>
    isValidDomain(domainText) ? [] : [createFieldError(`${path}.${index}`, 'bad-domain', { value: domainText })],
  )

/** Start URLs must be in the scan's own domains, if it has any. */
function findOutsideErrors({ urls, domains }: ScanSettings): FieldError[] {
  if (domains.length === 0) return []
  const isInDomains = createDomainMatcher(domains)
  return urls.flatMap((urlText, index) => {
    const parsedUrl = URL.parse(urlText)
    return !parsedUrl || isInDomains(parsedUrl) ? [] : [createFieldError(`urls.${index}`, 'outside-domains', { value: urlText })]
  })
}

/** Identity of the page at a start URL by the settings of the scan; the text itself if it is no URL. */
function getPageKey(urlText: string, advanced: AdvancedSettings): string {
  const pageUrl = readPageUrl(urlText, advanced)
  return pageUrl.ok ? pageUrl.key : urlText
}

function findReachErrors(settings: ScanSettings): FieldError[] {
  const { urls, domains } = settings
  const listErrors = [
    ...findUrlErrors('urls', urls),
    ...findDuplicateErrors('urls', urls, (urlText) => getPageKey(urlText, settings.advanced)),
    ...findDomainErrors('domains', domains),
    ...findDuplicateErrors('domains', domains),
  ]
  return listErrors.length === 0 ? findOutsideErrors(settings) : listErrors
}

function findLimitErrors({ pageLimit, depth, urls }: ScanSettings, limits: SettingsContext['limits']): FieldError[] {
  const limitedValues: [string, number, FieldError['code'], number][] = [
    ['pageLimit', pageLimit, 'too-big', limits.pageLimit],
    ['depth', depth ?? 0, 'too-big', limits.depth],
    ['urls', urls.length, 'too-long', limits.startUrls],
  ]
  return limitedValues.flatMap(([path, value, code, max]) => (value > max ? [createFieldError(path, code, { max })] : []))
}

/** Errors of PDF settings: fewer PDFs than pages, and a date range that starts before it ends. */
function findPdfErrors(settings: ScanSettings): FieldError[] {
  const { advanced } = settings
  if (!advanced.mimeTypes.includes('application/pdf')) return []
  const pageLimit = getPageLimit(settings)
  const isTooMany = advanced.pdfTargetCount !== null && advanced.pdfTargetCount >= pageLimit
  const dateRangeFault = findPdfDaysFault(advanced)
  return [
    ...(isTooMany ? [createFieldError('advanced.pdfTargetCount', 'too-big', { max: pageLimit - 1 })] : []),
    ...(dateRangeFault ? [createFieldError('advanced.pdfModifiedTo', 'too-small', dateRangeFault)] : []),
  ]
}

/** Error of a sign-in by a form in a scan with a script that signs in, too. */
export const createSignInConflict = (): FieldError =>
  createFieldError('session.connection.authType', 'invalid', { reason: 'sign-in-script' })

function findSignInErrors({ session, scripts }: ScanSettings): FieldError[] {
  const { connection } = session
  if (connection?.authType !== 'form') return []
  const urlError = findUrlError('session.connection.url', connection.url)
  const hasScript = scripts.own.some(({ type }) => type === 'SESSION')
  return [...(urlError ? [urlError] : []), ...(hasScript ? [createSignInConflict()] : [])]
}

/** Errors of lists with duplicates. Not part of their schemas, because stored settings may contain duplicates. */
const findListErrors = ({ advanced, notification }: ScanSettings): FieldError[] => [
  ...findDuplicateErrors('advanced.mimeTypes', advanced.mimeTypes),
  ...findDuplicateErrors('notification.events', notification.events),
  ...findDuplicateErrors('notification.specificUsers', notification.specificUsers),
]

const findSelectorErrors = (path: string, selectors: readonly string[], isSelector: SelectorCheck): FieldError[] =>
  selectors.flatMap((value, index) =>
    isSelector(value) ? [] : [createFieldError(`${path}.${index}`, 'wrong-format', { value })],
  )

/** Errors of common components: invalid or repeated template URLs, names, and selectors. */
export function findComponentErrors(commonComponents: ScanSettings['commonComponents'], isSelector: SelectorCheck): FieldError[] {
  if (!commonComponents) return []
  const { templateUrls, components } = commonComponents
  const componentsPath = 'commonComponents.components'
  const selectorPaths = components.flatMap(({ selectors }, index) =>
    selectors.map((_, selectorIndex) => `${componentsPath}.${index}.selectors.${selectorIndex}`),
  )
  const allSelectors = components.flatMap(({ selectors }) => selectors)
  return [
    ...findUrlErrors('commonComponents.templateUrls', templateUrls),
    ...findDuplicateErrors('commonComponents.templateUrls', templateUrls, normalizeHref),
    ...[...findRepeated(components.map(({ name }) => name))].map((index) =>
      createFieldError(`${componentsPath}.${index}.name`, 'duplicate', { value: components[index]!.name }),
    ),
    ...components
      .flatMap(({ selectors }, index) => findSelectorErrors(`${componentsPath}.${index}.selectors`, selectors, isSelector))
      .slice(0, maxErrors),
    ...[...findRepeated(allSelectors, (selectorText) => selectorText)].map((index) =>
      createFieldError(selectorPaths[index]!, 'duplicate', { value: allSelectors[index]! }),
    ),
  ]
}

/** Errors of URL rules by an expression. `path` names the list. */
export const findRuleErrors = (path: string, rules: readonly UrlRule[], isExpression: ExpressionCheck): FieldError[] =>
  rules.flatMap(({ kind, pattern }, index) =>
    kind !== 'regex' || isExpression(pattern)
      ? []
      : [createFieldError(`${path}.${index}.pattern`, 'wrong-format', { value: pattern })],
  )

const findParameterErrors = (lines: readonly string[]): FieldError[] =>
  lines.flatMap((line, index) =>
    isParameterRule(line) ? [] : [createFieldError(`advanced.meaninglessParameters.${index}`, 'wrong-format', { value: line })],
  )

export const findAdvancedErrors = (advanced: AdvancedSettings | null, isSelector: SelectorCheck): FieldError[] =>
  [
    ...listSettings('selectors').flatMap((name) => findSelectorErrors(`advanced.${name}`, advanced?.[name] ?? [], isSelector)),
    ...findParameterErrors(advanced?.meaninglessParameters ?? []),
  ].slice(0, maxErrors)

export function keepFirstErrors<T extends Pick<FieldError, 'path'>>(errors: readonly T[]): T[] {
  const seenPaths = new Set<string>()
  return errors.filter(({ path }) => {
    const isFirst = !seenPaths.has(path)
    seenPaths.add(path)
    return isFirst
  })
}

/** Errors of scan settings that their schema cannot detect, at most one per path relative to the settings (`urls.0`). */
export const findSettingsErrors = (settings: ScanSettings, { limits, isSelector, isExpression }: SettingsContext): FieldError[] =>
  keepFirstErrors([
    ...[findNameError('name', settings.name)].filter((nameError) => nameError !== null),
    ...findReachErrors(settings),
    ...findLimitErrors(settings, limits),
    ...findPdfErrors(settings),
    ...findComponentErrors(settings.commonComponents, isSelector),
    ...findRuleErrors('includeRules', settings.includeRules, isExpression),
    ...findRuleErrors('excludeRules', settings.excludeRules, isExpression),
    ...findUrlErrors('sources.sitemaps', settings.sources.sitemaps),
    ...findUrlErrors('sources.urls', settings.sources.urls),
    ...findUrlErrors('advanced.alwaysTested', settings.advanced.alwaysTested),
    ...findListErrors(settings),
    ...findSignInErrors(settings),
    ...findAdvancedErrors(settings.advanced, isSelector),
  ])
