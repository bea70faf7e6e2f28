import type { LeftOutPatterns } from './schema.ts'

const maxLeftOutPatterns = 20
/** URLs of a run that are grouped at once. */
export const maxGroupedUrls = 20_000

/** Segments that a site counts up or generates, in part or as a whole. */
const maskSegment = (segment: string): string => (/\d/.test(segment) ? '*' : segment)

/** Returns the form of a path. @param minDepth number of folders from which the last segment is masked as a whole */
export function toPathForm(path: string, minDepth: number): string {
  const segments = path.split('/').slice(1)
  const lastIndex = segments.findLastIndex((segment) => segment !== '')
  return `/${segments.map((segment, index) => (index === lastIndex && index >= minDepth ? '*' : maskSegment(segment))).join('/')}`
}

/** Returns the form of a URL as a rule's pattern: `*` for segments with digits, the last one in a folder, and parameters. */
export function toUrlForm(url: string): string {
  const parsedUrl = URL.parse(url)
  if (!parsedUrl) return url
  const path = toPathForm(parsedUrl.pathname, 1)
  const parameters = parsedUrl.search
    .slice(1)
    .split('&')
    .map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=*` : pair))
    .join('&')
  return `${parsedUrl.origin}${path}${parameters === '' ? '' : `?${parameters}`}`
}

/** Groups URLs by their form, the most frequent first. The form of a single URL is the URL itself. */
export function groupLeftOut(urls: readonly string[]): LeftOutPatterns {
  const patterns = [...Map.groupBy(urls.toSorted(), toUrlForm)]
    .map(([form, [example = form, ...others]]) => ({
      pattern: others.length === 0 ? example : form,
      urls: others.length + 1,
      example,
    }))
    .sort((first, second) => second.urls - first.urls || (first.pattern < second.pattern ? -1 : 1))
    .slice(0, maxLeftOutPatterns)
  return { patterns, urls: urls.length }
}
