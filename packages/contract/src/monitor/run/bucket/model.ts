/**
 * A group of URLs that are probably alike. Its text form is its identity in the frontier: equal buckets have equal texts.
 */
export type Bucket = {
  /** Depth of its URLs in a scan with a maximum depth; otherwise 0. Lower depths come first. */
  depth: number
  /** Kind of page that most sites have once, such as `contact`; empty for others. */
  kind: string
  language: string
  section: string
  /** Form of the URLs, without what a site counts up or generates. */
  shape: string
  /** Landmark of the links, and template of the pages that contain them. */
  source: string
  /** Expected share of new content, before any page of the bucket is visited. */
  prior: number
}

const separator = '\t'

export const formatBucket = ({ depth, kind, language, section, shape, source, prior }: Bucket): string =>
  [depth, kind, language, section, shape, source, prior].join(separator)

export function parseBucket(text: string): Bucket {
  const [depth, kind = '', language = '', section = '', shape = '', source = '', prior] = text.split(separator)
  return { depth: Number(depth), kind, language, section, shape, source, prior: Number(prior) }
}

/** Kind of the buckets of views of other pages, as the words of their URLs tell: histories, printed or sorted pages. */
export const viewKind = 'view'

/** Kind of the buckets of pages that the last run tested. */
export const previousPageKind = 'previous'

/** Kind of the buckets that the scan visits although they are traps. */
export const openTrapKind = 'open-trap'
export const openTrapBucket = (text: string): string => formatBucket({ ...parseBucket(text), kind: openTrapKind })

export const getLanguageName = ({ language }: Bucket): string => `language ${language}`
export const getSectionName = ({ language, section }: Bucket): string => `section ${language} ${section}`
/** URLs of one form, no matter which pages link to them. */
export const getPatternName = ({ language, section, shape }: Bucket): string => `pattern ${language} ${section} ${shape}`
export const splitShape = (shape: string): { path: string; query: string } => {
  const [path = '', query = ''] = shape.split('?')
  return { path, query }
}
/** Returns true if a shape without its query stands for several paths. */
export const isOfSeveralPaths = (path: string): boolean => /[*#0]/.test(path)
export const listNames = (query: string): string[] => query.split('&').filter(Boolean)
export const getPathName = ({ language, section, shape }: Bucket): string =>
  `path ${language} ${section} ${splitShape(shape).path}`
/** URLs of one path with any parameters; null for URLs without parameters. */
export const getVariantName = (bucket: Bucket): string | null =>
  splitShape(bucket.shape).query === '' ? null : `variants of ${getPathName(bucket)}`
export const getKindName = ({ kind }: Bucket): string => `kind ${kind}`
/** URLs of one path with the same named views: `action=history`. */
export const getActionName = (bucket: Bucket): string => {
  const { query } = splitShape(bucket.shape)
  return `action ${getPathName(bucket)} ${listNames(query)
    .filter((name) => name.includes('='))
    .join('&')}`
}

/** Names of the groups of URLs whose visits are summed up. */
export const listGroupNames = (bucket: Bucket): string[] => {
  const variantName = getVariantName(bucket)
  return [
    getPatternName(bucket),
    getActionName(bucket),
    ...(variantName === null ? [] : [variantName]),
    getSectionName(bucket),
    getLanguageName(bucket),
    getKindName(bucket),
  ]
}

/** Returns true for pages that most sites have once. */
export const isCommonKind = ({ kind }: Bucket): boolean => !['', viewKind, previousPageKind, openTrapKind].includes(kind)

/** Bucket of a page that the last run tested. Its visits count for the pattern of its URL. */
export const toPreviousBucket = (text: string): string =>
  formatBucket({ ...parseBucket(text), kind: previousPageKind, source: '', prior: 1 })
