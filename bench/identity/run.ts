import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownIssue } from '../../packages/contract/src/monitor/issue/match-candidate/model.ts'
import { matchIssues } from '../../packages/contract/src/monitor/issue/match/model.ts'
import type { Finding } from '../../packages/engine/src/outcome.ts'
import { scanVersion } from './scan.ts'
import { sites } from './sites.ts'

/**
 * Checks that an issue keeps its identity when a site publishes its next version: both versions are served at one address,
 * scanned, and matched as in a run. The result is compared to pairs labeled manually from the pages of both versions
 * (`truth.json`: the old element and the new one, by axe-core's selectors; without the new one: fixed, without the old one: new).
 *
 *   npm run -s identity
 */
type Element = string | unknown[] | null
type Truth = Record<string, Record<string, Record<string, [Element, Element][]>>>
const truth = JSON.parse(readFileSync(join(import.meta.dirname, 'truth.json'), 'utf8')) as Truth

const toElementName = (element: Element): string => JSON.stringify(typeof element === 'string' ? [element] : element)
const buildIdentity = ({ rule, elementKey, ordinal }: Finding) => `${rule} ${elementKey} ${ordinal}`
/** Previously ignored issues: none, all, every second, every third except two. */
const ignores: ((n: number) => boolean)[] = [() => false, () => true, (n) => n % 2 === 0, (n) => n % 2 === 1, (n) => n % 3 === 1]

type Tally = { issues: number; kept: number; new: number; fixed: number; wrong: number; inherited: number }
const createTally = (): Tally => ({ issues: 0, kept: 0, new: 0, fixed: 0, wrong: 0, inherited: 0 })

/** Matches the findings of one rule on one page: returns the old element of each new one. */
function matchFindings(
  previousFindings: readonly Finding[],
  nextFindings: readonly Finding[],
  isIgnored: (n: number) => boolean,
) {
  const knownIssues = previousFindings.map((finding, n): KnownIssue => ({
    id: JSON.stringify(finding.target),
    identity: buildIdentity(finding),
    rule: finding.rule,
    elementKey: finding.elementKey,
    html: finding.html,
    ignored: isIgnored(n),
    present: true,
  }))
  const matches = matchIssues(
    knownIssues,
    nextFindings.map((finding) => ({ ...finding, identity: buildIdentity(finding) })),
  )
  const ignoredIds = new Set(knownIssues.filter((issue) => issue.ignored).map(({ id }) => id))
  return nextFindings.map(({ target }, n) => ({
    now: JSON.stringify(target),
    old: matches[n]?.id ?? null,
    ignored: matches[n] ? matches[n].sure && ignoredIds.has(matches[n].id) : false,
  }))
}

function checkPairs(
  place: string,
  pairs: readonly [Element, Element][],
  [previousFindings, nextFindings]: readonly [readonly Finding[], readonly Finding[]],
  sums: Tally,
): void {
  const listMissing = (findings: readonly Finding[], side: 0 | 1) => {
    const targets = new Set(findings.map(({ target }) => JSON.stringify(target)))
    for (const pair of pairs)
      if (pair[side] !== null && !targets.has(toElementName(pair[side])))
        throw new Error(`${place}: ${toElementName(pair[side])} is not found: another browser, or another axe-core?`)
  }
  listMissing(previousFindings, 0)
  listMissing(nextFindings, 1)
  const oldByNew = new Map(
    pairs.flatMap(([oldElement, newElement]) => (newElement === null ? [] : [[toElementName(newElement), oldElement] as const])),
  )
  for (const [ignoreIndex, isIgnored] of ignores.entries()) {
    const matches = matchFindings(previousFindings, nextFindings, isIgnored)
    const takenOld = new Set(matches.map(({ old: oldElement }) => oldElement))
    for (const { now: newElement, old: oldElement, ignored } of matches) {
      const right = oldByNew.get(newElement) ?? null
      if (ignored && (right === null || toElementName(right) !== oldElement)) {
        sums.inherited += 1
        console.log(`INHERITED ${place}: ${newElement} from ${oldElement}`)
      }
      if (ignoreIndex > 0) continue
      const isRight = right === null ? oldElement === null : toElementName(right) === oldElement
      sums.issues += 1
      if (!isRight) {
        sums.wrong += 1
        console.log(
          `WRONG ${place}: ${newElement} was ${right === null ? 'nothing' : toElementName(right)}, matched ${oldElement}`,
        )
      } else sums[right === null ? 'new' : 'kept'] += 1
    }
    if (ignoreIndex > 0) continue
    for (const [previousElement, currentElement] of pairs) {
      if (currentElement !== null || previousElement === null) continue
      sums.issues += 1
      if (takenOld.has(toElementName(previousElement))) {
        sums.wrong += 1
        console.log(`WRONG ${place}: ${toElementName(previousElement)} is fixed, and was matched`)
      } else sums.fixed += 1
    }
  }
}

const table: Record<string, Tally & { right: string }> = {}
const totals = createTally()
for (const site of sites) {
  const sums = createTally()
  const pages = Object.keys(truth[site.name] ?? {})
  const firstScan = await scanVersion(site, site.versions[0], { pages, port: 0 })
  const secondScan = await scanVersion(site, site.versions[1], { pages, port: firstScan.port })
  for (const [page, rules] of Object.entries(truth[site.name] ?? {}))
    for (const [rule, pairs] of Object.entries(rules)) {
      const getRuleFindings = (pages: Map<string, readonly Finding[]>) =>
        (pages.get(page) ?? []).filter((finding) => finding.rule === rule)
      checkPairs(
        `${site.name} ${page} ${rule}`,
        pairs,
        [getRuleFindings(firstScan.pages), getRuleFindings(secondScan.pages)],
        sums,
      )
    }
  const right = `${((100 * (sums.issues - sums.wrong)) / sums.issues).toFixed(1)} %`
  table[`${site.name} ${site.versions.join(' to ')}`] = { ...sums, right }
  for (const key of Object.keys(totals) as (keyof Tally)[]) totals[key] += sums[key]
}
table['all'] = {
  ...totals,
  right: `${((100 * (totals.issues - totals.wrong)) / totals.issues).toFixed(1)} %`,
}
console.table(table)
if (totals.wrong > 0.01 * totals.issues || totals.inherited > 0) process.exitCode = 1
