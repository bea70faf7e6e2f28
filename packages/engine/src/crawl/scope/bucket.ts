import { hash } from 'node:crypto'
import { formatBucket, isOfSeveralPaths, splitShape, viewKind } from '@clearway/contract/monitor/run/bucket/model.ts'
import type { PageLink } from '../../axe/report-in-page.ts'
import { findCommonKind } from './page-kind.ts'

/** The page that contains a link, or the place where a URL was found otherwise. */
export type LinkSource = {
  /** Structure of the page; empty if it is unknown. */
  template: string
  /** The page asks search engines not to follow its links. */
  isUnfollowed: boolean
  place?: string
  /** Addresses of the page and of its links, as far as they have no parameters. */
  plainUrls?: ReadonlySet<string>
}

/** Addresses without parameters among those of a page and its links. */
export const listPlainUrls = (urls: readonly string[]): ReadonlySet<string> =>
  new Set(urls.filter((url) => !url.includes('?')).map((url) => url.split('#')[0]!))

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const languageParameters = new Set(['lang', 'language', 'locale', 'hl', 'l', 'lng', 'uselang', 'setlang'])

const readLanguage = (text: string): string | null => {
  const match = /^([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$/i.exec(text)
  const code = match?.[1]!.toLowerCase() ?? ''
  return code !== '' && languageNames.of(code) !== undefined ? code : null
}

type Parameter = readonly [name: string, value: string]
/** Parameters of a URL. Some applications separate them by semicolons. */
const listParameters = (url: URL): Parameter[] =>
  url.search
    .slice(1)
    .split(/[&;]/)
    .filter(Boolean)
    .slice(0, 50)
    .map((pair) => {
      const [name = '', ...values] = pair.split('=')
      return [name.toLowerCase(), values.join('=')] as const
    })

/** Parameters whose values are names of views: `action=history`. */
const viewParameters = new Set([
  'a',
  'act',
  'action',
  'cmd',
  'controller',
  'do',
  'func',
  'm',
  'mod',
  'mode',
  'module',
  'op',
  'option',
  'p',
  'page',
  'route',
  'show',
  'tab',
  'task',
  'type',
  'view',
])
/** Parameters of views of a page: sorted, printed or filtered ones, earlier ones, with a reply. */
const variantParameter =
  /^(?:print\w*|printable|sort\w*|order\w*|orderby|replyto\w*|share|oldid|diff|highlight|filter\w*|limit|perpage|per_page|view_mode)$/
/** Parameters that the same page has with other values: origins of visitors, sessions, times. */
const originParameter = /^(?:utm_\w+|\w*clid|mc_[ce]id|_ga|ref|referr?er|\w*sess\w*|nonce|ts|timestamp|_)$/
/** Parameters of lists of what a search found. */
const searchParameter = /^(?:q|s|query|keywords?)$/
/** Parameters of such views or of pages of their own. */
const ambiguousParameter =
  /^(?:source|from|next|back|return\w*|redirect\w*|format|output|dir|direction|reply|rev\w*|\w*sid|s?token|visit|v|version|theme|size|colou?r)$/
/** Values and segments of pages about pages: forms to edit them, earlier versions, printed versions. A namespace may precede them. */
const variantWord =
  /^(?:(?:\w+:)?(?:edit|raw|diff|print|printable|delete|blame|blob_plain|snapshot|patch|commitdiff|amp|rss|atom|feed|embed|api\.\w+|whatlinkshere|recentchangeslinked|contributions|backlinks?|revisions?)|\w+:log)$/i
/** The same, which are names of ordinary pages, too. */
const ambiguousWord = /^(?:history|info|log|shortlog)$/i
/** Segments of lists that repeat content: tags, archives, authors. */
const listWord = /^(?:tags?|authors?|archives?|archiv|schlagwort|schlagworte|etiquetas?|mots-cles|label|labels)$/i
/** The same, of pages with content of their own, too. */
const ambiguousListWord = /^(?:categor(?:y|ies)|kategorien?|date|calendar|kalender|events?|termine|categorias?)$/i
/** Segments of the next pages of a list, which lead to content that the first one lacks. */
const pagingWord = /^(?:page|pages|seite|pagina|página)$/i
const listParameter = /^(?:tag|category|cat|author|year|month|day|date|start|offset|page|paged)$/

/** Long words, and shorter mixtures of letters and digits, are generated. */
const isToken = (segment: string): boolean =>
  (/\d/.test(segment) && /[\w-]{16,}/.test(segment)) ||
  segment.startsWith('(') ||
  (segment.length >= 6 &&
    /^[a-z\d]+$/i.test(segment) &&
    /\d/.test(segment.slice(1, -1)) &&
    /[a-z]/i.test(segment) &&
    !/^[a-z]+\d+$/i.test(segment))

const maskSegment = (segment: string): string => (isToken(segment) ? '#' : segment.replaceAll(/\d+/g, '0').slice(0, 60))
/** Characters of a shape: buckets are keys of an index, which refuses long ones. */
const maxShapeLength = 300
/** Hostile sites have parameters with long names. */
const shortenShape = (shape: string): string =>
  shape.length <= maxShapeLength ? shape : `${shape.slice(0, maxShapeLength)}#${hash('sha256', shape, 'hex').slice(0, 16)}`

/** A name in a namespace keeps it: `Special:Search`. */
const maskName = (segment: string): string => {
  if (/^\d+$/.test(segment)) return '0'
  const namespace = /^[A-Za-z]\w{2,20}:/.exec(decodeURIComponentSafely(segment))?.[0] ?? ''
  return `${namespace}*${/\.[a-z]{2,5}\d?$/i.exec(segment)?.[0] ?? ''}`
}
function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const maxShapeSegments = 4

type UrlParts = {
  language: string
  section: string
  shape: string
  segments: readonly string[]
  parameters: readonly Parameter[]
}

/** Splits a URL into what tells parts of a site apart, and the form that its URLs share. */
function splitUrl(url: URL): UrlParts {
  const segments = url.pathname.split('/').filter(Boolean)
  const parameters = listParameters(url)
  const pathLanguage = segments[0] === undefined ? null : readLanguage(segments[0])
  const parameterLanguage = parameters.find(([name]) => languageParameters.has(name))?.[1] ?? ''
  const language = pathLanguage ?? readLanguage(parameterLanguage) ?? readLanguage(url.hostname.split('.')[0]!) ?? ''
  const ownSegments = segments.slice(pathLanguage === null ? 0 : 1)
  const [first = ''] = ownSegments
  // A program is a section, and so is the folder of further pages.
  const isProgram = /\.(?:php\d?|aspx?|jsp|do|cgi|pl|cfm)$/i.test(first)
  const section = `${url.host} ${ownSegments.length > 1 || isProgram ? maskSegment(first) : ''}`
  const shapeSegments = ownSegments.map((segment, index) =>
    index === 0 && (ownSegments.length > 1 || isProgram) ? maskSegment(segment) : maskName(segment),
  )
  const path = shapeSegments.length > maxShapeSegments ? `${shapeSegments[0]}/**` : shapeSegments.join('/')
  const names = parameters
    .filter(([name]) => !languageParameters.has(name) || name === 'l')
    .map(([name, value]) => (viewParameters.has(name) && /^[a-z_-]{1,20}$/i.test(value) ? `${name}=${value}` : name))
  const shape = `/${path}?${[...new Set(names)].sort().join('&')}`
  return { language, section, shape: shortenShape(shape), segments: ownSegments, parameters }
}

const baseLength = 6
/** Part of a hash of the address without parameters, if its shape stands for several paths and the page links to it, too. */
function computeBase({ origin, pathname, search }: URL, shape: string, { plainUrls }: LinkSource): string | null {
  const plainUrl = `${origin}${pathname}`
  const isKnown = search !== '' && isOfSeveralPaths(splitShape(shape).path) && plainUrls?.has(plainUrl)
  return isKnown ? hashText(plainUrl).slice(0, baseLength) : null
}

const placeWeights = new Map(Object.entries({ main: 1, nav: 1, header: 1, footer: 0.9, aside: 0.7, head: 0.6 }))

/** Returns true for a version of another page, as far as the words of its URL tell. */
const isVersion = ({ segments, parameters }: UrlParts): boolean =>
  parameters.some(([name, value]) => variantParameter.test(name) || variantWord.test(value) || ambiguousWord.test(value)) ||
  segments.some((segment) => variantWord.test(segment) || listWord.test(segment))
/** Returns true for a version of another page, or a list of what a search found on others. */
const isView = (parts: UrlParts): boolean => isVersion(parts) || parts.parameters.some(([name]) => searchParameter.test(name))

/** Parameters that rarely lead to new content. */
const rareParameters = [variantParameter, originParameter, searchParameter, ambiguousParameter]

/** Expected share of new content of a URL, by its form and link alone. */
function computePrior(parts: UrlParts, link: Pick<PageLink, 'place' | 'isUnfollowed'>, source: LinkSource): number {
  const { segments, parameters } = parts
  const has = (word: RegExp) => segments.some((segment) => word.test(segment))
  let prior = placeWeights.get(link.place ?? source.place ?? 'main') ?? 1
  if (link.isUnfollowed || source.isUnfollowed) prior *= 0.3
  for (const [name] of parameters)
    if (rareParameters.some((names) => names.test(name))) prior *= 0.3
    else if (listParameter.test(name)) prior *= 0.6
  prior *= 0.8 ** Math.max(0, parameters.length - 1)
  if (isVersion(parts) || has(ambiguousListWord)) prior *= 0.1
  if (has(ambiguousWord)) prior *= 0.3
  if (has(pagingWord)) prior *= 0.8
  return Math.max(0.001, Number(prior.toPrecision(2)))
}

/** Length of the part of a structure's hash that tells sources apart. */
const sourceLength = 6

/** Returns the bucket of a URL as text, its rank within it, and the base that views of a path share with it. */
export function describeUrl(
  url: URL,
  link: Pick<PageLink, 'place' | 'isUnfollowed' | 'label' | 'relations'>,
  source: LinkSource,
  depth: number,
): { bucket: string; rank: number; base?: string } {
  const parts = splitUrl(url)
  const base = computeBase(url, parts.shape, source)
  const prior = computePrior(parts, link, source)
  const common = prior >= 0.2 && parts.segments.length <= 4 ? findCommonKind(url, link) : null
  const place = link.place ?? source.place ?? 'main'
  // Texts in the content may use these words for something else.
  const isLikely = common !== null && common.isNamed
  return {
    bucket: formatBucket({
      depth,
      kind: isLikely ? common.kind : isView(parts) ? viewKind : '',
      language: parts.language,
      section: parts.section,
      shape: parts.shape,
      source: `${place} ${source.template.slice(0, sourceLength)}`,
      prior,
    }),
    rank: isLikely && place === 'main' ? 1 : 0,
    ...(base === null ? {} : { base }),
  }
}

/** Text of a page in which numbers of its own address, dates and tokens are masked. */
export function maskGenerated(text: string, url: URL): string {
  const ownNumbers = new Set<number>()
  for (const [digits] of `${url.pathname}${url.search}`.matchAll(/\d{1,9}/g))
    for (const step of [-1, 0, 1]) ownNumbers.add(Number(digits) + step)
  return text
    .toLowerCase()
    .replaceAll(/[\w-]{8,}/g, (word) => (/\d/.test(word) && /[a-z]/.test(word) ? '#' : word))
    .replaceAll(/\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|\b(?:19|20|21)\d{2}\b/g, '#')
    .replaceAll(monthName, '#')
    .replaceAll(/\d{1,9}/g, (digits) => (ownNumbers.has(Number(digits)) ? '#' : digits))
}
const monthName =
  /\b(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|oktober|nov(?:ember)?|de[cz](?:ember)?|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre)\b/g

export const hashText = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)
