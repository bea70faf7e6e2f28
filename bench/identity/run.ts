import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type KnownIssue, matchIssues } from '../../packages/server/src/monitor/issue/match/model.ts'
import type { Finding } from '../../packages/engine/src/outcome.ts'
import { findingsOf } from './scan.ts'
import { sites } from './sites.ts'

/**
 * Whether an issue stays the same issue when a site publishes its next version: both versions are served at one address, scanned,
 * and matched as a run does; the answer is checked against what somebody found out by reading both versions' pages
 * (`truth.json`: the old element and the new one, by axe-core's selectors; without the new one: fixed, without the old one: new).
 *
 *   npm run -s identity
 */
type Element = string | unknown[] | null
type Truth = Record<string, Record<string, Record<string, [Element, Element][]>>>
const truth = JSON.parse(readFileSync(join(import.meta.dirname, 'truth.json'), 'utf8')) as Truth

const nameOf = (element: Element): string => JSON.stringify(typeof element === 'string' ? [element] : element)
const identity = ({ rule, elementKey, ordinal }: Finding) => `${rule} ${elementKey} ${ordinal}`
/** Who is ignored before: nobody, all, every second, every third but two. */
const ignores: ((n: number) => boolean)[] = [
  () => false,
  () => true,
  (n) => n % 2 === 0,
  (n) => n % 2 === 1,
  (n) => n % 3 === 1,
]

type Tally = { issues: number; kept: number; new: number; fixed: number; wrong: number; inherited: number }
const tally = (): Tally => ({ issues: 0, kept: 0, new: 0, fixed: 0, wrong: 0, inherited: 0 })

/** What matching makes of the findings of one rule on one page: the old element of each new one. */
function matched(before: readonly Finding[], after: readonly Finding[], isIgnored: (n: number) => boolean) {
  const known = before.map((finding, n): KnownIssue => ({
    id: JSON.stringify(finding.target),
    identity: identity(finding),
    rule: finding.rule,
    elementKey: finding.elementKey,
    html: finding.html,
    ignored: isIgnored(n),
    present: true,
  }))
  const matches = matchIssues(
    known,
    after.map((finding) => ({ ...finding, identity: identity(finding) })),
  )
  const ignored = new Set(known.filter((one) => one.ignored).map(({ id }) => id))
  return after.map(({ target }, n) => ({
    now: JSON.stringify(target),
    old: matches[n]?.id ?? null,
    ignored: matches[n] ? matches[n].sure && ignored.has(matches[n].id) : false,
  }))
}

function judge(
  place: string,
  pairs: readonly [Element, Element][],
  [before, after]: readonly [readonly Finding[], readonly Finding[]],
  sums: Tally,
): void {
  const gone = (found: readonly Finding[], at: 0 | 1) => {
    const there = new Set(found.map(({ target }) => JSON.stringify(target)))
    for (const pair of pairs)
      if (pair[at] !== null && !there.has(nameOf(pair[at])))
        throw new Error(`${place}: ${nameOf(pair[at])} is not found: another browser, or another axe-core?`)
  }
  gone(before, 0)
  gone(after, 1)
  const oldOf = new Map(pairs.flatMap(([old, now]) => (now === null ? [] : [[nameOf(now), old] as const])))
  for (const [way, isIgnored] of ignores.entries()) {
    const answer = matched(before, after, isIgnored)
    const taken = new Set(answer.map(({ old }) => old))
    for (const { now, old, ignored } of answer) {
      const right = oldOf.get(now) ?? null
      if (ignored && (right === null || nameOf(right) !== old)) {
        sums.inherited += 1
        console.log(`INHERITED ${place}: ${now} from ${old}`)
      }
      if (way > 0) continue
      const isRight = right === null ? old === null : nameOf(right) === old
      sums.issues += 1
      if (!isRight) {
        sums.wrong += 1
        console.log(
          `WRONG ${place}: ${now} was ${right === null ? 'nothing' : nameOf(right)}, matched ${old}`,
        )
      } else sums[right === null ? 'new' : 'kept'] += 1
    }
    if (way > 0) continue
    for (const [old, now] of pairs) {
      if (now !== null || old === null) continue
      sums.issues += 1
      if (taken.has(nameOf(old))) {
        sums.wrong += 1
        console.log(`WRONG ${place}: ${nameOf(old)} is fixed, and was matched`)
      } else sums.fixed += 1
    }
  }
}

const table: Record<string, Tally & { right: string }> = {}
const all = tally()
for (const site of sites) {
  const sums = tally()
  const pages = Object.keys(truth[site.name] ?? {})
  const first = await findingsOf(site, site.versions[0], { pages, port: 0 })
  const second = await findingsOf(site, site.versions[1], { pages, port: first.port })
  for (const [page, rules] of Object.entries(truth[site.name] ?? {}))
    for (const [rule, pairs] of Object.entries(rules)) {
      const of = (pages: Map<string, readonly Finding[]>) =>
        (pages.get(page) ?? []).filter((finding) => finding.rule === rule)
      judge(`${site.name} ${page} ${rule}`, pairs, [of(first.pages), of(second.pages)], sums)
    }
  const right = `${((100 * (sums.issues - sums.wrong)) / sums.issues).toFixed(1)} %`
  table[`${site.name} ${site.versions.join(' to ')}`] = { ...sums, right }
  for (const key of Object.keys(all) as (keyof Tally)[]) all[key] += sums[key]
}
table['all'] = { ...all, right: `${((100 * (all.issues - all.wrong)) / all.issues).toFixed(1)} %` }
console.table(table)
if (all.wrong > 0.01 * all.issues || all.inherited > 0) process.exitCode = 1
