/** How many pages of one pattern may lead to one another, each found on the one before. */
const longestChain = 50
/** A path that says the same this often in a row is a loop of relative links. */
const mostRepeats = 3
const mostSegments = 25

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/i
/** A long word with a digit in it is a number, a hash or a token. Each word is looked at once: paths may be long. */
const maskLong = (word: string): string => (/\d/.test(word) ? '#' : word.replace(uuid, '#'))

/** The pattern of a URL: what a site counts up or makes up is the same in all of them. */
export function patternOf(url: URL): string {
  const path = url.pathname.replaceAll(/[\w-]{16,}/g, maskLong).replaceAll(/\d+/g, '0')
  const names = [...new URLSearchParams(url.search).keys()].sort()
  return `${url.host}${path}?${names.join('&')}`
}

/** Whether a sequence of one to four segments repeats again and again: `/a/b/a/b/a/b`. */
function repeats(segments: readonly string[]): boolean {
  for (let size = 1; size <= 4; size++) {
    let run = 0
    for (let at = size; at < segments.length; at++) {
      run = segments[at] === segments[at - size] ? run + 1 : 0
      if (run >= size * mostRepeats) return true
    }
  }
  return false
}

/** The page where links are, as far as chains are recognised by it. */
export type LinkingPage = { pattern: string; chain: number }

/** How often, in a row, a page of one pattern was found on another of it. `on`: the page where the link is. */
export const chainOf = (url: URL, on: LinkingPage | null): number =>
  on !== null && on.pattern === patternOf(url) ? on.chain + 1 : 0

/** Why a URL is taken for one of endlessly many; null when it is not. */
export function trapReason(url: URL, chain: number): string | null {
  const segments = url.pathname.split('/').filter(Boolean)
  if (segments.length > mostSegments) return `More than ${mostSegments} folders`
  if (repeats(segments)) return 'The path repeats itself'
  if (chain > longestChain)
    return `More than ${longestChain} pages of this pattern lead to one another: ${patternOf(url)}`
  return null
}
