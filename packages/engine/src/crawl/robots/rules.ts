/** What one robots.txt says to one crawler. */
export type RobotsRules = {
  /** @param path path and query of a URL, encoded as URLs are */
  allows: (path: string) => boolean
  /** Seconds between two visits, as many as it asks for (`robots.ts` bounds them); null when nothing is said. */
  delay: number | null
  sitemaps: string[]
}

type Rule = { allow: boolean; pattern: string }
type Group = { agents: string[]; rules: Rule[]; delay: number | null }
type Field = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

/** Field names as they are, and as people mistype them. */
const fields: readonly [RegExp, Field][] = [
  [/^user[- ]?agent$/i, 'user-agent'],
  [/^allow$/i, 'allow'],
  [/^(disallow|dissallow|dissalow|disalow|diasllow|disallaw)$/i, 'disallow'],
  [/^site-?map$/i, 'sitemap'],
  [/^crawl-?delay$/i, 'crawl-delay'],
]

/** Lines beyond this length are cut, as the search engines' parser does. */
const longestLine = 2083 * 8
const mostLines = 100_000
/** Rules for one crawler: each is checked against each URL. */
const mostRules = 5000
/** Letters that its rules with a `*` have together: at the worst, each is compared with each letter of a path. */
const mostWildcardLetters = 20_000
const longestPath = 2083

function readLine(line: string): { field: Field; value: string } | null {
  const text = line.slice(0, longestLine).split('#', 1)[0]!.trim()
  // A missing colon is forgiven where there are just two words.
  const colon = text.indexOf(':')
  const words = text.split(/\s+/, 3)
  const parts = colon > 0 ? [text.slice(0, colon), text.slice(colon + 1)] : words.length === 2 ? words : []
  const [key = '', value = ''] = parts.map((part) => part.trim())
  const field = fields.find(([name]) => name.test(key))?.[1]
  return field ? { field, value } : null
}

/** A pattern as URLs are written: letters outside of ASCII encoded, escapes in capitals. */
function encoded(pattern: string): string {
  const ascii = pattern.replaceAll(/[^\0-\x7f]+/g, (letters) => encodeURIComponent(letters.toWellFormed()))
  return ascii.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

/** The name in a user agent: letters, `_` and `-`, up to the first other sign. */
const nameIn = (agent: string): string => /^[a-z_-]*/i.exec(agent)![0].toLowerCase()

function groupsOf(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let open = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, mostLines)) {
    const read = readLine(line)
    if (!read) continue
    const { field, value } = read
    if (field === 'sitemap') sitemaps.push(value)
    else if (field === 'user-agent') {
      if (!open) groups.push({ agents: [], rules: [], delay: null })
      groups.at(-1)!.agents.push(value)
      open = true
    } else {
      open = false
      const group = groups.at(-1)
      if (!group) continue
      if (field === 'crawl-delay') group.delay ??= Number.isFinite(Number(value)) ? Number(value) : null
      else group.rules.push({ allow: field === 'allow', pattern: encoded(value) })
    }
  }
  return { groups, sitemaps }
}

/** Whether a path fits a pattern from its start; `*` is any text, `$` at the end the end. Linear in both. */
function fitsPattern(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const first = parts.shift()!
  if (!path.startsWith(first)) return false
  let at = first.length
  if (parts.length === 0) return !anchored || at === path.length
  const last = parts.pop()!
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return anchored
    ? path.length - last.length >= at && path.endsWith(last)
    : path.indexOf(last, at) >= 0 || last === ''
}

/** A rule for `/a/index.html` also speaks of `/a/`. */
function fits({ allow, pattern }: Rule, path: string): number {
  if (pattern === '') return -1
  if (fitsPattern(pattern, path)) return pattern.length
  const folder = allow && /\/index\.html?$/.exec(pattern)
  return folder && fitsPattern(`${pattern.slice(0, folder.index + 1)}$`, path) ? folder.index + 2 : -1
}

/** As many of a crawler's rules as can be held against each URL in time. */
function affordable(rules: readonly Rule[]): Rule[] {
  let letters = mostWildcardLetters
  return rules.slice(0, mostRules).filter(({ pattern }) => {
    if (!pattern.includes('*')) return true
    letters -= pattern.length
    return letters >= 0
  })
}

/**
 * Reads a robots.txt as the search engines' open-source parser does: the group of the crawler's name counts, else that for
 * all; of its rules the longest that fits, and among equals the one that allows. Takes anything, never throws.
 */
export function readRobots(text: string, agent: string): RobotsRules {
  const { groups, sitemaps } = groupsOf(text)
  const name = agent.toLowerCase()
  const mine = groups.filter(({ agents }) => agents.some((known) => nameIn(known) === name && known !== '*'))
  const all = groups.filter(({ agents }) => agents.some((known) => /^\*(\s|$)/.test(known)))
  const chosen = mine.length > 0 ? mine : all
  const rules = affordable(chosen.flatMap((group) => group.rules))
  return {
    allows(path) {
      const plain = encoded(path.slice(0, longestPath))
      let longest = { allow: true, length: -1 }
      for (const rule of rules) {
        const length = fits(rule, plain)
        if (length > longest.length || (length >= 0 && length === longest.length && rule.allow))
          longest = { allow: rule.allow, length }
      }
      return longest.allow
    },
    delay: chosen.map(({ delay }) => delay).find((delay) => delay !== null) ?? null,
    sitemaps,
  }
}
