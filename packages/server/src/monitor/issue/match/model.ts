import type { Finding } from '@clearway/engine/outcome.ts'
import { hashOf } from '../../../kit/hash.ts'
import type { StoredPage } from '../model.ts'

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
/** Which issue a finding is, as far as its place tells. */
export const identityOf = (page: Pick<StoredPage, 'keyHash'>, finding: Finding): string =>
  hashOf('v1', page.keyHash, '', currentRule(finding.rule), finding.elementKey, finding.ordinal).toString(
    'hex',
  )
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
/** A key that leans on nothing but places: no URL of a resource, and steps below its anchor. */
const isPositional = (key: string): boolean => /:\d+(?=[>|]|$)/.test(key) && /\|#?$/.test(key)
/** What an element shows or leads to, by its URL; empty for one that has none. */
const resourceOf = (key: string): string => key.slice(key.lastIndexOf('|') + 1)
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
function shared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 0
  let both = 0
  for (const part of left) if (right.has(part)) both++
  return (2 * both) / (left.size + right.size)
}
/** How alike two texts are, 0–1: shared runs of three characters against all. */
export const likeness = (a: string, b: string): number => (a === b ? 1 : shared(trigrams(a), trigrams(b)))
const alikeEnough = 0.8

type Old = KnownIssue & { snippet: string; blocked: boolean; taken: boolean }
type New = FoundIssue & { snippet: string; match: IssueMatch | null }

const pair = (old: Old, found: New, by: MatchPass, sure: boolean): void => {
  old.taken = true
  found.match = { id: old.id, by: old.identity === found.identity ? 'key' : by, sure }
}
const free = (olds: readonly Old[]) => olds.filter((old) => !old.taken && !old.blocked)
const open = (news: readonly New[]) => news.filter((found) => found.match === null)

/** The markup to the letter but for what looks generated: within a bag, class names and data attributes are better than nothing. */
const weakEvidence = (html: string): string =>
  html.replaceAll(/[\w-]+/g, (word) => (/\d|__/.test(word) ? '*' : word)).replaceAll(/\s+/g, ' ')
/** By how much the best of several must be more alike than the next. */
const clearly = 0.05
/** Of more siblings none is looked at closely: a stranger's page may have thousands. */
const mostWeakPairs = 36

/** Of siblings that differ in what is normalised away, those whose whole markup says clearly who is who. */
function matchWeak(olds: readonly Old[], news: readonly New[]): void {
  if (olds.length === news.length || olds.length * news.length > mostWeakPairs) return
  const texts = new Map([...olds, ...news].map((item) => [item, weakEvidence(item.html)]))
  if (new Set(texts.values()).size < 2) return
  const parts = new Map([...texts].map(([item, text]) => [item, trigrams(text)]))
  const pairs = olds.flatMap((old) =>
    news.map((found) => ({ old, found, alike: shared(parts.get(old)!, parts.get(found)!) })),
  )
  for (const best of pairs) {
    const rivals = pairs.filter((one) => one !== best && (one.old === best.old || one.found === best.found))
    const isClear = rivals.every(({ alike }) => alike <= best.alike - clearly)
    if (isClear && best.alike >= alikeEnough) pair(best.old, best.found, 'moved', true)
  }
}

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

/** For each item the last one before it that has a partner: what came or went elsewhere on the page is then no matter. */
function lastKnownBefore<T extends Old | New>(all: readonly T[], partner: (item: T) => string | null) {
  const before = new Map<T, string>()
  let last = ''
  for (const item of all) {
    before.set(item, last)
    last = partner(item) ?? last
  }
  return before
}

/**
 * Identical siblings are a bag. While their number stays they keep their order; when it changes nobody can know which
 * one went or came, so those that are ignored pass nothing on unless all of them are.
 */
function matchBag(
  bag: readonly Old[],
  [waiting, found]: readonly [readonly Old[], readonly New[]],
  now: ReadonlyMap<string, string>,
): void {
  const rest = open(found)
  let candidates: readonly Old[] = waiting
  const mixed = bag.some((old) => old.ignored !== bag[0]!.ignored)
  if (mixed && rest.length !== waiting.length) {
    for (const old of waiting) old.blocked = old.ignored
    candidates = waiting.filter((old) => !old.ignored)
  }
  // Where something else is now in the place of one of them, places say nothing, and nobody knows which ones are left.
  const shifted = candidates.some((old) => (now.get(old.identity) ?? old.snippet) !== old.snippet)
  const sure = !shifted || rest.length === candidates.length
  if (rest.length !== candidates.length && !shifted)
    for (const item of rest) {
      const same = candidates.find((old) => !old.taken && old.identity === item.identity)
      if (same) pair(same, item, 'key', true)
    }
  const left = open(rest)
  free(candidates).forEach((old, place) => left[place] && pair(old, left[place], 'moved', sure))
}

/** Bags whose number stays first: those in which something came or went are then cut at what is known around them. */
function matchBags(olds: readonly Old[], news: readonly New[]): void {
  const bagOf = (item: { elementKey: string; snippet: string }) =>
    `${looseKey(item.elementKey)}\n${item.snippet}`
  const bags = Map.groupBy(open(news), bagOf)
  /** What is where now, by places. */
  const now = new Map(news.map((item) => [item.identity, item.snippet]))
  const changed: [Old[], New[]][] = []
  for (const [bag, members] of Map.groupBy(free(olds), bagOf)) {
    const found = bags.get(bag) ?? []
    if (found.length === 0) continue
    matchExact(members, found)
    matchWeak(free(members), open(found))
    if (free(members).length === open(found).length) matchBag(members, [free(members), found], now)
    else changed.push([members, found])
  }
  const paired = new Set(news.map(({ match }) => match?.id))
  const oldBefore = lastKnownBefore(olds, ({ id }) => (paired.has(id) ? id : null))
  const newBefore = lastKnownBefore(news, ({ match }) => match?.id ?? null)
  for (const [members, found] of changed) {
    const after = Map.groupBy(open(found), (item) => newBefore.get(item)!)
    for (const [place, some] of Map.groupBy(free(members), (old) => oldBefore.get(old)!)) {
      const there = after.get(place)
      if (there) matchBag(members, [some, there], now)
    }
    // What is left stood among others before.
    matchBag(members, [free(members), found], now)
  }
}

/**
 * The same place with other content: the same element with a new text, unless the place is all there is to go by. Such a
 * place is believed last, and keeps no ignore.
 */
function matchPositions(olds: readonly Old[], news: readonly New[], isLast: boolean): void {
  const byIdentity = new Map(free(olds).map((old) => [old.identity, old]))
  for (const found of open(news)) {
    const old = byIdentity.get(found.identity)
    if (!old || old.taken) continue
    const sure =
      !isPositional(found.elementKey) ||
      old.html === '' ||
      likeness(old.snippet, found.snippet) >= alikeEnough
    if (sure || isLast) pair(old, found, 'key', sure)
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

/**
 * The same markup elsewhere on the page, when there is exactly one such on either side. Of more, when as many are left on
 * either side they are the same in their order, but keep no ignore.
 */
function matchMoved(olds: readonly Old[], news: readonly New[], all: readonly Old[]): void {
  const bySnippet = <T extends { snippet: string }>(items: readonly T[]) =>
    Map.groupBy(items, ({ snippet }) => snippet)
  const [found, known, left] = [bySnippet(news), bySnippet(all), bySnippet(open(news))]
  for (const [snippet, waiting] of bySnippet(free(olds))) {
    const there = left.get(snippet) ?? []
    if (there.length !== waiting.length) continue
    const isOnly = found.get(snippet)!.length === 1 && known.get(snippet)!.length === 1
    waiting.forEach((old, place) => {
      const item = there[place]!
      if (isOnly || resourceOf(old.elementKey) === resourceOf(item.elementKey))
        pair(old, item, 'moved', isOnly)
    })
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
    matchPositions(present, items, false)
    matchAlike(present, items)
    matchMoved(present, items, all)
    matchPositions(present, items, true)
    // What was fixed is back only as the very same thing.
    const gone = all.filter((old) => !old.present)
    matchBags(gone, items)
    matchPositions(gone, items, true)
  }
  return news.map(({ match }) => match)
}
