/** An issue of a page as it was known before. */
export type KnownIssue = {
  id: string
  identity: string
  rule: string
  elementKey: string
  /** Markup of its newest finding; empty when that was cleared away. */
  html: string
  ignored: boolean
  /** Whether it is there as far as anybody knows; what was fixed comes back only on the strongest evidence. */
  present: boolean
}
/** What a run found on that page. */
export type FoundIssue = { identity: string; rule: string; elementKey: string; ordinal: number; html: string }
export type MatchPass = 'key' | 'alike' | 'moved'
/** `sure` is false where the place is the same but the content is not: owner and comments stay, an ignore does not. */
export type IssueMatch = { id: string; by: MatchPass; sure: boolean }

/**
 * Rules that axe-core renamed, old name to new: an issue keeps its life under the new one. From 4.10 to 4.14 none was;
 * uploads may come from before.
 */
const renamedRules: Readonly<Record<string, string>> = { 'aria-form-field-name': 'aria-input-field-name' }
export const currentRule = (rule: string): string => renamedRules[rule] ?? rule
/** A rule by all the names that it has had. */
export const namesOfRule = (rule: string): string[] => [
  rule,
  ...Object.keys(renamedRules).filter((old) => renamedRules[old] === rule),
]

const unstableAttributes =
  /\s(?:id|class|style|for|name|nonce|integrity|tabindex|aria-(?:labelledby|describedby|controls|owns|activedescendant|expanded|selected|checked)|data-[\w-]*|ng-[\w-]*|_ng[\w-]*|jsname|jsaction)(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?(?=[\s/>])/gi

/** Markup without what changes by itself: generated attributes, query strings, hashes, digits, white space. */
export function normaliseSnippet(html: string): string {
  return html
    .replaceAll(unstableAttributes, '')
    .replaceAll(/((?:href|src|srcset|action)=["'])([^"'?#]*)[?#][^"']*/gi, '$1$2')
    .replaceAll(/\b(?=[\da-f]*\d)[\da-f]{8,}\b/gi, '*')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([<>]) ?/g, '$1')
    .trim()
    .toLowerCase()
}

/** The key without places among siblings: what identical siblings share. */
const looseKey = (key: string): string => key.replaceAll(/:\d+(?=[>|]|$)/g, '')
/** A key that leans on nothing but places: no address of a resource, and steps below its anchor. */
const isPositional = (key: string): boolean => /:\d+(?=[>|]|$)/.test(key) && key.endsWith('|')
const anchorAndRole = (key: string): string => {
  const [path = '', role = '', type = ''] = key.split('|')
  const steps = path.split(' >>> ').map((step) => step.split('>')[0] ?? '')
  const last = path.split('>').at(-1)?.replace(/:\d+$/, '') ?? ''
  return [...steps, last, role, type].join('|')
}

/** Keys in document order: places are numbers, not texts. */
const inOrder = new Intl.Collator('en', { numeric: true }).compare

function trigrams(text: string): Set<string> {
  const found = new Set<string>()
  for (let at = 0; at + 3 <= text.length && at < 600; at++) found.add(text.slice(at, at + 3))
  return found
}
/** How alike two texts are, 0–1: shared runs of three characters against all. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1
  const [left, right] = [trigrams(a), trigrams(b)]
  if (left.size + right.size === 0) return 0
  let shared = 0
  for (const part of left) if (right.has(part)) shared++
  return (2 * shared) / (left.size + right.size)
}
const alikeEnough = 0.8

type Old = KnownIssue & { snippet: string; blocked: boolean; taken: boolean }
type New = FoundIssue & { snippet: string; match: IssueMatch | null }

const pair = (old: Old, found: New, by: MatchPass, sure: boolean): void => {
  old.taken = true
  found.match = { id: old.id, by: old.identity === found.identity ? 'key' : by, sure }
}
const free = (olds: readonly Old[]) => olds.filter((old) => !old.taken && !old.blocked)
const open = (news: readonly New[]) => news.filter((found) => found.match === null)

/** Of siblings that differ in what is normalised away, such as a price, those that are the same to the letter. */
function matchExact(olds: readonly Old[], news: readonly New[]): void {
  const found = Map.groupBy(news, ({ html }) => html)
  const known = Map.groupBy(olds, ({ html }) => html)
  if (found.size < 2 && known.size < 2) return
  for (const [html, [old, ...others]] of known) {
    const [only, ...more] = found.get(html) ?? []
    if (only && others.length === 0 && more.length === 0) pair(old!, only, 'moved', true)
  }
}

/**
 * Identical siblings are a bag. While their number stays they keep their order; when it changes nobody can know which
 * one went or came, so those that are ignored pass nothing on unless all of them are.
 */
function matchBags(olds: readonly Old[], news: readonly New[]): void {
  const bagOf = (item: { elementKey: string; snippet: string }) =>
    `${looseKey(item.elementKey)}\n${item.snippet}`
  const bags = Map.groupBy(open(news), bagOf)
  for (const [bag, members] of Map.groupBy(free(olds), bagOf)) {
    const found = bags.get(bag) ?? []
    if (found.length === 0) continue
    matchExact(members, found)
    const waiting = free(members)
    const rest = open(found)
    let candidates = waiting
    const mixed = members.some((old) => old.ignored !== members[0]!.ignored)
    if (mixed && rest.length !== waiting.length) {
      for (const old of waiting) old.blocked = old.ignored
      candidates = waiting.filter((old) => !old.ignored)
    }
    if (rest.length !== candidates.length)
      for (const item of rest) {
        const same = candidates.find((old) => !old.taken && old.identity === item.identity)
        if (same) pair(same, item, 'key', true)
      }
    const left = open(rest)
    free(candidates).forEach((old, place) => left[place] && pair(old, left[place], 'moved', true))
  }
}

/** The same place with other content: the same element with a new text, unless the place is all there is to go by. */
function matchPlaces(olds: readonly Old[], news: readonly New[]): void {
  const byIdentity = new Map(free(olds).map((old) => [old.identity, old]))
  for (const found of open(news)) {
    const old = byIdentity.get(found.identity)
    if (!old || old.taken) continue
    const sure =
      !isPositional(found.elementKey) ||
      old.html === '' ||
      likeness(old.snippet, found.snippet) >= alikeEnough
    pair(old, found, 'key', sure)
  }
}

/** The same anchor and role and nearly the same markup, the most alike first. */
function matchAlike(olds: readonly Old[], news: readonly New[]): void {
  const anchors = Map.groupBy(free(olds), (old) => anchorAndRole(old.elementKey))
  const pairs = open(news).flatMap((found) =>
    (anchors.get(anchorAndRole(found.elementKey)) ?? [])
      // A long list of lookalikes cannot be distinguished by likeness.
      .slice(0, 60)
      .map((old) => ({ old, found, alike: likeness(old.snippet, found.snippet) }))
      .filter(({ alike }) => alike >= alikeEnough),
  )
  pairs.sort((a, b) => b.alike - a.alike)
  for (const { old, found } of pairs) {
    if (old.taken || found.match !== null) continue
    // Two candidates that are equally near prove neither.
    const rivals = pairs.filter((other) => other.found === found && !other.old.taken && other.old !== old)
    pair(old, found, 'alike', !rivals.some((other) => other.old.ignored !== old.ignored))
  }
}

/** The same markup elsewhere on the page, when there is exactly one such on either side. */
function matchMoved(olds: readonly Old[], news: readonly New[], all: readonly Old[]): void {
  const found = Map.groupBy(news, ({ snippet }) => snippet)
  const known = Map.groupBy(all, ({ snippet }) => snippet)
  for (const old of free(olds)) {
    const there = found.get(old.snippet) ?? []
    const only = there.length === 1 && known.get(old.snippet)?.length === 1 ? there[0]! : null
    if (only && only.match === null) pair(old, only, 'moved', true)
  }
}

/**
 * Finds out which of the issues known on a page the findings of a run are, one to one, for each rule: the same markup in
 * the same place or a neighbour's, the same place, nearly the same markup, the same markup elsewhere. The answer does not
 * depend on the order of what is handed over.
 * @returns for each finding its issue, or null for a new one, in the order of `found`
 */
export function matchIssues(
  known: readonly KnownIssue[],
  found: readonly FoundIssue[],
): (IssueMatch | null)[] {
  const news = found.map((item): New => ({ ...item, snippet: normaliseSnippet(item.html), match: null }))
  const olds = known.map((item): Old => ({
    ...item,
    rule: currentRule(item.rule),
    snippet: normaliseSnippet(item.html),
    blocked: false,
    taken: false,
  }))
  const knownOf = Map.groupBy(olds, ({ rule }) => rule)
  for (const [rule, items] of Map.groupBy(news, (item) => currentRule(item.rule))) {
    items.sort((a, b) => inOrder(a.elementKey, b.elementKey) || a.ordinal - b.ordinal)
    const all = knownOf.get(rule) ?? []
    all.sort((a, b) => inOrder(a.elementKey, b.elementKey) || (a.id < b.id ? -1 : 1))
    const present = all.filter((old) => old.present)
    matchBags(present, items)
    matchPlaces(present, items)
    matchAlike(present, items)
    matchMoved(present, items, all)
    // What was fixed is back only as the very same thing.
    const gone = all.filter((old) => !old.present)
    matchBags(gone, items)
    matchPlaces(gone, items)
  }
  return news.map(({ match }) => match)
}
