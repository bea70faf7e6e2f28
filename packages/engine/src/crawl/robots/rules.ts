/** Rules of one robots.txt for one crawler. */
export type RobotsRules = {
  /** @param path path and query of a URL, percent-encoded */
  allows: (path: string) => boolean
  /** Requested seconds between two visits (limited in `robots.ts`); null if not specified. */
  delaySeconds: number | null
  sitemaps: string[]
}

type RobotsRule = { allow: boolean; pattern: string }
type RobotsGroup = { agents: string[]; rules: RobotsRule[]; delay: number | null }
type RobotsField = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

/** Field names and their common misspellings. */
const fieldPatterns: readonly [RegExp, RobotsField][] = [
  [/^user[- ]?agent$/i, 'user-agent'],
  [/^allow$/i, 'allow'],
  [/^(disallow|dissallow|dissalow|disalow|diasllow|disallaw)$/i, 'disallow'],
  [/^site-?map$/i, 'sitemap'],
  [/^crawl-?delay$/i, 'crawl-delay'],
]

/** Longer lines are cut, as in the search engines' parser. */
const maxLineLength = 2083 * 8
const maxLines = 100_000
/** Maximum number of rules for one crawler: each is checked against each URL. */
const maxRules = 5000
/** Maximum total length of rules with a `*`: in the worst case, each character is compared with each character of a path. */
const maxWildcardChars = 20_000
const maxPathLength = 2083

function parseLine(line: string): { field: RobotsField; value: string } | null {
  const lineText = line.slice(0, maxLineLength).split('#', 1)[0]!.trim()
  // A missing colon is accepted if there are just two words.
  const colonIndex = lineText.indexOf(':')
  const lineWords = lineText.split(/\s+/, 3)
  const fieldParts =
    colonIndex > 0 ? [lineText.slice(0, colonIndex), lineText.slice(colonIndex + 1)] : lineWords.length === 2 ? lineWords : []
  const [fieldName = '', value = ''] = fieldParts.map((fieldPart) => fieldPart.trim())
  const robotsField = fieldPatterns.find(([namePattern]) => namePattern.test(fieldName))?.[1]
  return robotsField ? { field: robotsField, value } : null
}

/** Normalizes a pattern: percent-encodes non-ASCII characters, and uses uppercase escapes. */
function encodePattern(pattern: string): string {
  const asciiPattern = pattern.replaceAll(/[^\0-\x7f]+/g, (nonAscii) => encodeURIComponent(nonAscii.toWellFormed()))
  return asciiPattern.replaceAll(/%[0-9a-f]{2}/gi, (percentEscape) => percentEscape.toUpperCase())
}

/** Returns the name in a user agent: letters, `_` and `-` up to the first other character. */
const extractAgentName = (userAgent: string): string => /^[a-z_-]*/i.exec(userAgent)![0].toLowerCase()

function parseGroups(text: string): { groups: RobotsGroup[]; sitemaps: string[] } {
  const groups: RobotsGroup[] = []
  const sitemaps: string[] = []
  let isGroupOpen = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, maxLines)) {
    const parsedLine = parseLine(line)
    if (!parsedLine) continue
    const { field, value } = parsedLine
    if (field === 'sitemap') sitemaps.push(value)
    else if (field === 'user-agent') {
      if (!isGroupOpen) groups.push({ agents: [], rules: [], delay: null })
      groups.at(-1)!.agents.push(value)
      isGroupOpen = true
    } else {
      isGroupOpen = false
      const currentGroup = groups.at(-1)
      if (!currentGroup) continue
      if (field === 'crawl-delay') currentGroup.delay ??= Number.isFinite(Number(value)) ? Number(value) : null
      else currentGroup.rules.push({ allow: field === 'allow', pattern: encodePattern(value) })
    }
  }
  return { groups, sitemaps }
}

/** Returns true if a path matches a pattern from its start; `*` is any text, a final `$` is the end. Linear time. */
function matchesPattern(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const patternParts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  const prefix = patternParts.shift()!
  if (!path.startsWith(prefix)) return false
  let position = prefix.length
  if (patternParts.length === 0) return !isAnchored || position === path.length
  const suffix = patternParts.pop()!
  for (const patternPart of patternParts) {
    const foundIndex = path.indexOf(patternPart, position)
    if (foundIndex < 0) return false
    position = foundIndex + patternPart.length
  }
  return isAnchored
    ? path.length - suffix.length >= position && path.endsWith(suffix)
    : path.indexOf(suffix, position) >= 0 || suffix === ''
}

/** Length of the match, or -1. An allow rule for `/a/index.html` also applies to `/a/`. */
function matchLength({ allow, pattern }: RobotsRule, path: string): number {
  if (pattern === '') return -1
  if (matchesPattern(pattern, path)) return pattern.length
  const indexMatch = allow && /\/index\.html?$/.exec(pattern)
  return indexMatch && matchesPattern(`${pattern.slice(0, indexMatch.index + 1)}$`, path) ? indexMatch.index + 2 : -1
}

/** Returns the crawler's rules that can be checked against each URL in bounded time. */
function limitRules(rules: readonly RobotsRule[]): RobotsRule[] {
  let remainingChars = maxWildcardChars
  return rules.slice(0, maxRules).filter(({ pattern }) => {
    if (!pattern.includes('*')) return true
    remainingChars -= pattern.length
    return remainingChars >= 0
  })
}

/**
 * Parses robots.txt like the search engines' open-source parser: the groups of the crawler's name apply, otherwise the
 * general ones. The longest matching rule wins, and on a tie the allowing one. Never throws.
 */
export function readRobots(text: string, agentName: string): RobotsRules {
  const { groups, sitemaps } = parseGroups(text)
  const lowerAgent = agentName.toLowerCase()
  const ownGroups = groups.filter(({ agents }) =>
    agents.some((agentLine) => extractAgentName(agentLine) === lowerAgent && agentLine !== '*'),
  )
  const generalGroups = groups.filter(({ agents }) => agents.some((agentLine) => /^\*(\s|$)/.test(agentLine)))
  const chosenGroups = ownGroups.length > 0 ? ownGroups : generalGroups
  const limitedRules = limitRules(chosenGroups.flatMap((group) => group.rules))
  return {
    allows(path) {
      const encodedPath = encodePattern(path.slice(0, maxPathLength))
      let bestMatch = { allow: true, length: -1 }
      for (const rule of limitedRules) {
        const matchedLength = matchLength(rule, encodedPath)
        if (matchedLength > bestMatch.length || (matchedLength >= 0 && matchedLength === bestMatch.length && rule.allow))
          bestMatch = { allow: rule.allow, length: matchedLength }
      }
      return bestMatch.allow
    },
    delaySeconds: chosenGroups.map(({ delay }) => delay).find((delay) => delay !== null) ?? null,
    sitemaps,
  }
}
