import { toComparableUrl } from '../../../kit/url-form.ts'
import type { AdvancedSettings } from '../../scan/advanced/schema.ts'
import { filterFragment } from '../../scan/model.ts'
import { findSecretParameter, hasHiddenSegment, hideSecretSegments, toPlainName } from '../secret/model.ts'

/** Settings that determine which URLs identify the same page. */
export type PageUrlSettings = Pick<
  AdvancedSettings,
  'meaningfulParameters' | 'meaninglessParameters' | 'ignoreAllParameters' | 'discardAnchors' | 'hashRoutes'
>

export type PageUrl =
  | {
      ok: true
      /** URL to visit. */
      url: string
      /** URL to store and show: without sessions and tokens, which differ at each sign-in and may be secret. */
      shownUrl: string
      /** Identity of the page. */
      key: string
      parsed: URL
    }
  | { ok: false; why: 'bad-url' | 'scheme' | 'credentials' }

const maxUrlLength = 4000

/** Decodes a parameter's name like a server; returns it unchanged if its escapes are invalid. */
function decodeParameterName(parameterPair: string): string {
  const rawName = parameterPair.split('=', 1)[0]!.replaceAll('+', ' ')
  try {
    return decodeURIComponent(rawName)
  } catch {
    return rawName
  }
}

/** Parameter names for the origin of visitors: the page is the same without them. */
const originParameter =
  /^(utm_[a-z_]{2,30}|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_anon_id|oly_enc_id)$/i

/** A parameter that does not tell URLs apart: on every page, or at the paths of a pattern, in which `*` is one segment. */
type ParameterRule = { name: string; pathPattern: string | null }

/** Reads a line of `meaninglessParameters`: a name, or `/path?name`. */
function parseParameterRule(line: string): ParameterRule {
  const markIndex = line.indexOf('?')
  if (!line.startsWith('/') || markIndex < 0) return { name: line, pathPattern: null }
  return { name: line.slice(markIndex + 1), pathPattern: line.slice(0, markIndex) }
}
/** Returns false for a path or URL without the name of a parameter, which would never match. */
export const isParameterRule = (line: string): boolean => !/^(?:\/|https?:)/i.test(line) || /^\/[^?]*\?[^?&=]+$/.test(line)
export const formatParameterRule = ({ path, name }: { path: string; name: string }): string => `${path}?${name}`

function matchesPath(pathPattern: string, path: string): boolean {
  const segments = path.split('/')
  const patternSegments = pathPattern.split('/')
  return (
    segments.length === patternSegments.length &&
    patternSegments.every((segment, index) => segment === '*' || segment === segments[index])
  )
}

/** Splits a pair `name=value`. Escapes of the signs of tokens count as one of them. */
function readPair(parameterPair: string) {
  const value = parameterPair.slice(parameterPair.indexOf('=') + 1).replaceAll(/%(?:2[bdf]|3d|7e)/gi, '-')
  return { row: findSecretParameter(toPlainName(decodeParameterName(parameterPair))), value }
}

/** Returns true for a pair `name=value` that carries a session, or a token of a form: the page is the same without it. */
function isSessionPair(parameterPair: string): boolean {
  const { row, value } = readPair(parameterPair)
  return row?.showing === 'removed' && row.isSecret(value)
}

const hiddenValue = '*'
/** Returns true for a pair `name=value` with a secret. Its page may be another one without it. */
function isSecretPair(parameterPair: string): boolean {
  const { row, value } = readPair(parameterPair)
  if (!parameterPair.includes('=') || value === '' || value === hiddenValue) return false
  return row?.showing === 'hidden' && row.isSecret(value)
}
const hideSecret = (parameterPair: string): string =>
  isSecretPair(parameterPair) ? `${parameterPair.slice(0, parameterPair.indexOf('=') + 1)}${hiddenValue}` : parameterPair

/** Returns true for a stored URL without the secret that it was visited with, so that nothing can be said by visiting it. */
export const hidesSecret = (urlText: string): boolean =>
  hasHiddenSegment(urlText.split(/[?#]/, 1)[0]!) ||
  urlText.split(/[?#&]/).some((part) => part.endsWith(`=${hiddenValue}`) && readPair(part).row?.showing === 'hidden')

type PairChange = (pairs: readonly string[]) => readonly string[]
/** Removes sessions and tokens from a query or a route with one, except those that a person chose. */
const createSessionRemoval =
  (allowedNames: readonly string[]): PairChange =>
  (pairs) =>
    pairs.filter((pair) => !isSessionPair(pair) || allowedNames.includes(decodeParameterName(pair)))
/** Also hides secrets. */
const createSecretHiding =
  (allowedNames: readonly string[]): PairChange =>
  (pairs) =>
    createSessionRemoval(allowedNames)(pairs).map((pair) =>
      allowedNames.includes(decodeParameterName(pair)) ? pair : hideSecret(pair),
    )
const changePairs = (query: string, change: PairChange): string => change(query.split('&')).join('&')

/** Changes the pairs of a route in a fragment, or of the answer of a provider of sign-ins. */
function changeRoute(fragment: string, change: PairChange): string {
  if (fragment === '') return ''
  const markIndex = fragment.indexOf('?')
  if (markIndex < 0 && !fragment.includes('=')) return `#${fragment}`
  const routeQuery = changePairs(fragment.slice(markIndex + 1), change)
  if (markIndex < 0) return routeQuery && `#${routeQuery}`
  const isEmptied = routeQuery === '' && markIndex + 1 < fragment.length
  return `#${fragment.slice(0, isEmptied ? markIndex : markIndex + 1)}${routeQuery}`
}

/**
 * Returns a URL as it is stored and shown: without sessions and tokens of forms, and with `*` in place of secrets. All else stays as it
 * is written.
 */
export function toShownUrl(urlText: string, { meaningfulParameters }: Pick<PageUrlSettings, 'meaningfulParameters'>): string {
  const [address = '', ...fragments] = urlText.split('#')
  const [path = '', ...queries] = address.split('?')
  const change = createSecretHiding(meaningfulParameters)
  const query = changePairs(queries.join('?'), change)
  return `${hideSecretSegments(removeSessionId(path))}${query && `?${query}`}${changeRoute(fragments.join('#'), change)}`
}

/** Applies `toShownUrl` to all URLs in a text. */
export const hideSessionsInText = (text: string, settings: Pick<PageUrlSettings, 'meaningfulParameters'>): string =>
  text.replaceAll(/https?:\/\/[^\s"'<>]+/g, (url) => toShownUrl(url, settings))

function filterQuery({ search, pathname }: URL, settings: PageUrlSettings): string {
  if (settings.ignoreAllParameters || search.length < 2) return ''
  const { meaningfulParameters: allowedNames } = settings
  const ignoredNames = settings.meaninglessParameters
    .map(parseParameterRule)
    .filter(({ pathPattern }) => pathPattern === null || matchesPath(pathPattern, pathname))
    .map(({ name }) => name)
  const keptPairs = search
    .slice(1)
    .split('&')
    .filter((parameterPair) => {
      if (parameterPair === '') return false
      const parameterName = decodeParameterName(parameterPair)
      const isIgnored = originParameter.test(parameterName) || isSessionPair(parameterPair)
      if (isIgnored && !allowedNames.includes(parameterName)) return false
      return (allowedNames.length === 0 || allowedNames.includes(parameterName)) && !ignoredNames.includes(parameterName)
    })
  return keptPairs.length === 0 ? '' : `?${keptPairs.join('&')}`
}

/**
 * Returns what tells pages of a site apart: URLs that differ only in their query, in `www`, in the scheme, in upper case, in repeated
 * or trailing slashes, in a session of ASP.NET or in the name of an index are variants of one page. Hash routes are pages.
 */
export function readPagePath(url: string): string {
  const parsedUrl = URL.parse(url)
  if (!parsedUrl) return url
  const path = removeSessionId(parsedUrl.pathname)
    .replaceAll(/\/\([A-Z]\([^/()]*\)\)(?=\/)/gi, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/(?:index|default)\.\w{1,5}$/i, '/')
    .replace(/\/$/, '')
  const route = /^#[/!]/.test(parsedUrl.hash) ? parsedUrl.hash : ''
  return `${parsedUrl.host.replace(/^www\./, '')}${path.toLowerCase()}${route}`
}

const removeSessionId = (url: string): string => url.replace(/;jsessionid=[^/?#]*/i, '')

/**
 * Parses a URL, optionally relative to `baseUrl`, and normalizes it according to the WHATWG URL standard (case of the
 * host, default port, dot segments, punycode, forms of IP addresses), parameters and fragment by the settings, and for the
 * key the escapes (RFC 3986, section 6.2.2). Only http and https URLs without credentials identify pages.
 */
export function readPageUrl(urlText: string, settings: PageUrlSettings, baseUrl?: string): PageUrl {
  const parsedUrl = URL.parse(urlText.trim(), baseUrl)
  if (!parsedUrl) return { ok: false, why: 'bad-url' }
  if (parsedUrl.protocol !== 'http:' && parsedUrl.protocol !== 'https:') return { ok: false, why: 'scheme' }
  if (parsedUrl.username !== '' || parsedUrl.password !== '') return { ok: false, why: 'credentials' }
  if (parsedUrl.hostname === '' || parsedUrl.href.length > maxUrlLength) return { ok: false, why: 'bad-url' }
  const fragment = filterFragment(parsedUrl.hash, settings)
  const keyFragment = changeRoute(fragment.slice(1), createSessionRemoval(settings.meaningfulParameters))
  const urlWithoutQuery = `${parsedUrl.origin}${parsedUrl.pathname}`
  const url = `${urlWithoutQuery}${parsedUrl.search === '?' ? '' : parsedUrl.search}${fragment}`
  return {
    ok: true,
    url,
    shownUrl: toShownUrl(url, settings),
    key: toComparableUrl(`${removeSessionId(urlWithoutQuery)}${filterQuery(parsedUrl, settings)}${keyFragment}`),
    parsed: parsedUrl,
  }
}

/**
 * Returns the key that a page had when keys were written as the URL was; null if it is the same. Issues of such a page
 * move to its key.
 */
export function findFormerKey(url: string, key: string): string | null {
  const parsedUrl = URL.parse(url)
  if (!parsedUrl || hidesSecret(url) || toComparableUrl(parsedUrl.href) === parsedUrl.href) return null
  const [keyWithoutFragment = '', ...keyFragments] = key.split('#')
  const keyPairs = new Set(keyWithoutFragment.split('?').slice(1).join('?').split('&'))
  const keptPairs = parsedUrl.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && keyPairs.has(toComparableUrl(pair)))
  const query = keptPairs.length === 0 ? '' : `?${keptPairs.join('&')}`
  const fragment = keyFragments.length === 0 ? '' : parsedUrl.hash
  const formerKey = `${removeSessionId(`${parsedUrl.origin}${parsedUrl.pathname}`)}${query}${fragment}`
  return formerKey === key ? null : formerKey
}
