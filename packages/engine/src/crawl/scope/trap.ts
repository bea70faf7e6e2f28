import { hash } from 'node:crypto'

/** Maximum length of a chain of pages with one pattern, each discovered on the previous page. */
const maxChainLength = 50
/** A path that repeats a sequence this often in a row is a loop of relative links. */
const maxRepeats = 3
const maxSegments = 25

const uuidPattern = /[0-9a-f]{8}-[0-9a-f-]{27}/i
/** A long word with a digit is a number, a hash or a token. Each word is checked once because paths may be long. */
const maskLongWord = (word: string): string => (/\d/.test(word) ? '#' : word.replace(uuidPattern, '#'))

/** Returns the pattern of a URL: parts that a site counts up or generates are masked. */
export function computePattern(url: URL): string {
  const maskedPath = url.pathname.replaceAll(/[\w-]{16,}/g, maskLongWord).replaceAll(/\d+/g, '0')
  const parameterNames = [...new URLSearchParams(url.search).keys()].sort()
  return `${url.host}${maskedPath}?${parameterNames.join('&')}`
}

/** Returns true if a sequence of one to four segments keeps repeating: `/a/b/a/b/a/b`. */
function hasRepeats(segments: readonly string[]): boolean {
  for (let sequenceLength = 1; sequenceLength <= 4; sequenceLength++) {
    let matchCount = 0
    for (let segmentIndex = sequenceLength; segmentIndex < segments.length; segmentIndex++) {
      matchCount = segments[segmentIndex] === segments[segmentIndex - sequenceLength] ? matchCount + 1 : 0
      if (matchCount >= sequenceLength * maxRepeats) return true
    }
  }
  return false
}

/** Contents of pages by pattern, to tell a chain of different pages from a site that generates the same one forever. */
export type ContentLog = {
  /** Returns true for the first page of a pattern with this content, given as a hash. */
  isNew(pattern: string, content: string): boolean
}

const maxContents = 50_000

export function openContentLog(): ContentLog {
  const seenContents = new Set<string>()
  return {
    isNew(pattern, content) {
      const contentHash = hash('sha256', `${pattern}\n${content}`, 'base64url')
      if (seenContents.has(contentHash) || seenContents.size >= maxContents) return false
      seenContents.add(contentHash)
      return true
    },
  }
}

/** The page that contains a link, as needed to detect chains. */
export type LinkingPage = { pattern: string; chain: number }

/** Returns the length of the chain of pages with one pattern. `linkingPage`: the page that contains the link. */
export const computeChain = (url: URL, linkingPage: LinkingPage | null): number =>
  linkingPage !== null && linkingPage.pattern === computePattern(url) ? linkingPage.chain + 1 : 0

/** Returns why a URL is considered one of endlessly many; null if it is not. */
export function getTrapReason(url: URL, chainLength: number): string | null {
  const pathSegments = url.pathname.split('/').filter(Boolean)
  if (pathSegments.length > maxSegments) return `More than ${maxSegments} folders`
  if (hasRepeats(pathSegments)) return 'The path repeats itself'
  if (chainLength > maxChainLength)
    return `More than ${maxChainLength} pages of this pattern lead to one another: ${computePattern(url)}`
  return null
}
