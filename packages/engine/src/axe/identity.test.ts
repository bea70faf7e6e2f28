/** @module-tag slow */
import { harmlessEdits, realEdits } from '@clearway/fixtures/identity/edits.ts'
import { collectFindingsAfter, type TrueFinding } from '@clearway/fixtures/identity/findings.ts'
import { identityPages } from '@clearway/fixtures/identity/pages.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeSimilarity, type KnownIssue, normalizeSnippet } from '@clearway/contract/monitor/issue/match-candidate/model.ts'
import { matchIssues } from '@clearway/contract/monitor/issue/match/model.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  page = await browser.newPage()
})
afterAll(() => browser.close())

const identity = ({ rule, elementKey, ordinal }: TrueFinding) => `${rule} ${elementKey} ${ordinal}`
const getId = (finding: TrueFinding, n: number) => `${finding.rule} ${finding.truth} ${n}`

/** The issues after a first run, some of them ignored. */
const toKnownIssues = (findings: readonly TrueFinding[], isIgnored: (n: number) => boolean): KnownIssue[] =>
  findings.map((finding, n) => ({
    id: getId(finding, n),
    identity: identity(finding),
    rule: finding.rule,
    elementKey: finding.elementKey,
    html: finding.html,
    ignored: isIgnored(n),
    present: true,
  }))
const toMatch = (findings: readonly TrueFinding[]) => findings.map((finding) => ({ ...finding, identity: identity(finding) }))

/** Identical siblings are indistinguishable, unless one of them is ignored. */
const areAlike = (a: TrueFinding, b: TrueFinding) =>
  a.rule === b.rule &&
  normalizeSnippet(a.html) === normalizeSnippet(b.html) &&
  a.elementKey.replaceAll(/:\d+/g, '') === b.elementKey.replaceAll(/:\d+/g, '')

/** Patterns of ignored issues: none, all, every second, every third from the third, only the second. */
const ignores: ((n: number) => boolean)[] = [() => false, () => true, (n) => n % 2 === 0, (n) => n % 3 === 1, (n) => n === 1]

type Tally = { there: number; kept: number; lost: string[]; inherited: string[] }

function tallyMatches(previousFindings: readonly TrueFinding[], after: readonly TrueFinding[], name: string, tally: Tally): void {
  for (const isIgnored of ignores) {
    const knownIssues = toKnownIssues(previousFindings, isIgnored)
    const matches = matchIssues(knownIssues, toMatch(after))
    after.forEach((finding, place) => {
      const match = matches[place] ?? null
      const knownIndex = match ? knownIssues.findIndex(({ id }) => id === match.id) : -1
      const same =
        knownIndex !== -1 &&
        previousFindings[knownIndex]!.truth === finding.truth &&
        previousFindings[knownIndex]!.rule === finding.rule
      // If all identical siblings are ignored, matching any of them is correct.
      const wasIgnored = previousFindings.some(({ truth }, n) => truth === finding.truth && knownIssues[n]!.ignored)
      const allIgnored = () =>
        previousFindings.every((other, n) => knownIssues[n]!.ignored || !areAlike(other, previousFindings[knownIndex]!))
      if (knownIndex !== -1 && knownIssues[knownIndex]!.ignored && match!.sure && !wasIgnored && !allIgnored())
        tally.inherited.push(`${name}: ${finding.truth} from ${previousFindings[knownIndex]!.truth}`)
      if (!previousFindings.some(({ truth, rule }) => truth === finding.truth && rule === finding.rule)) return
      tally.there++
      if (same || (knownIndex !== -1 && areAlike(previousFindings[knownIndex]!, finding))) tally.kept++
      else tally.lost.push(`${name}: ${finding.rule} ${finding.truth}`)
    })
  }
}

async function matchCorpus(edits: typeof harmlessEdits): Promise<Tally> {
  const tally: Tally = { there: 0, kept: 0, lost: [], inherited: [] }
  for (const sample of identityPages) {
    const previousFindings = await collectFindingsAfter(page, sample, harmlessEdits[0]!)
    expect(previousFindings.length, sample.name).toBeGreaterThan(2)
    for (const edit of edits)
      tallyMatches(previousFindings, await collectFindingsAfter(page, sample, edit), `${sample.name}, ${edit.name}`, tally)
  }
  return tally
}

describe('the same issue from run to run', () => {
  it('stays the same under harmless edits in 99% of cases, and inherits no ignore', async () => {
    const { there, kept: keptCount, lost, inherited } = await matchCorpus(harmlessEdits)
    expect(there).toBeGreaterThan(1500)
    expect(inherited).toEqual([])
    expect(keptCount / there, `${keptCount} of ${there}; ${lost.join('\n')}`).toBeGreaterThanOrEqual(0.99)
  })

  it('passes on no ignore under real edits', async () => {
    const { there, inherited } = await matchCorpus(realEdits)
    expect(there).toBeGreaterThan(500)
    expect(inherited).toEqual([])
  })

  it('returns the same result for shuffled input', async () => {
    const [sample] = identityPages
    const previousFindings = await collectFindingsAfter(page, sample!, harmlessEdits[0]!)
    const after = await collectFindingsAfter(page, sample!, realEdits[1]!)
    const matchIds = (knownIssues: KnownIssue[], foundIssues: TrueFinding[]) => {
      const matches = matchIssues(knownIssues, toMatch(foundIssues))
      return foundIssues.map((finding, place) => [finding.rule, finding.truth, matches[place]?.id ?? null].join(' ')).sort()
    }
    const knownIssues = toKnownIssues(previousFindings, (n) => n % 2 === 0)
    const expected = matchIds(knownIssues, after)
    for (const turn of [1, 3, 5]) {
      const shuffled = after.map((item, n) => ({ item, at: (n * 7 * turn) % 11 }))
      shuffled.sort((a, b) => a.at - b.at)
      expect(
        matchIds(
          knownIssues.toReversed(),
          shuffled.map(({ item }) => item),
        ),
      ).toEqual(expected)
    }
  })
})

describe('identical siblings', () => {
  const sibling = (place: number): Omit<KnownIssue, 'id' | 'ignored' | 'present'> => ({
    identity: `k${place}`,
    rule: 'button-name',
    elementKey: `main()>ul:1>li:${place}>button:1|||`,
    html: '<button></button>',
  })
  const createKnownIssues = (count: number, ignored: number[]): KnownIssue[] =>
    Array.from({ length: count }, (_, n) => ({
      ...sibling(n + 1),
      id: `i${n + 1}`,
      ignored: ignored.includes(n + 1),
      present: true,
    }))
  const createFoundIssues = (count: number) => Array.from({ length: count }, (_, n) => ({ ...sibling(n + 1), ordinal: 0 }))
  const ids = (count: number, ignored: number[], now: number) =>
    matchIssues(createKnownIssues(count, ignored), createFoundIssues(now)).map((match) => match?.id ?? null)

  /** The ignored issues that keep their ignore. */
  const sureIds = (count: number, ignored: number[], now: number) =>
    matchIssues(createKnownIssues(count, ignored), createFoundIssues(now))
      .filter((match) => match?.sure)
      .map((match) => match!.id)
      .filter((id) => ignored.includes(Number(id.slice(1))))

  it('are a bag: five becoming four closes one, and no neighbor inherits an ignore', () => {
    expect(ids(5, [], 4)).toEqual(['i1', 'i2', 'i3', 'i4'])
    expect(ids(5, [2], 5)).toEqual(['i1', 'i2', 'i3', 'i4', 'i5'])
    expect(ids(5, [2], 4)).not.toContain('i2')
    expect(sureIds(5, [2], 6)).toEqual([])
    expect(sureIds(1, [1], 2)).toEqual([])
    expect(ids(3, [1, 2, 3], 2)).toEqual(['i1', 'i2'])
  })

  it('keep the owner but not the ignore when the content of their position changes', () => {
    const [old] = createKnownIssues(1, [1])
    const now = { ...createFoundIssues(1)[0]!, html: '<button class="other" title="">Something else altogether</button>' }
    expect(matchIssues([old!], [now])).toEqual([{ id: 'i1', by: 'key', sure: false }])
  })
})

/** Changes that real sites made between two of their versions. */
describe('the next version of a site', () => {
  type Item = [elementKey: string, html: string]
  /** Maps each new element to the number of its old one, from 1; null for none, negative when the ignore is not kept. */
  const matchElements = (previousItems: Item[], after: Item[], isIgnored = true) => {
    const knownIssues = previousItems.map(([elementKey, html], n): KnownIssue => ({
      id: String(n + 1),
      identity: elementKey,
      rule: 'r',
      elementKey,
      html,
      ignored: isIgnored,
      present: true,
    }))
    const foundIssues = after.map(([elementKey, html]) => ({ identity: elementKey, rule: 'r', elementKey, ordinal: 0, html }))
    return matchIssues(knownIssues, foundIssues).map((match) => match && Number(match.id) * (match.sure ? 1 : -1))
  }
  const tool = (place: number, name: string, more = ''): Item => [
    `navigation()>ul:2>li:${place}>a:1|button||/index.html`,
    `<a class="nav-link" data-widget="${name}"${more} href="#" role="button"><i class="fas fa-${name}"></i></a>`,
  ]
  const item = (place: number, html = '<li class="nav-item">'): Item => [`navigation()>ul:1>li:${place}|||`, html]

  it('inserts buttons before one that differs only by its class', () => {
    const after = [tool(1, 'search'), tool(4, 'full'), tool(5, 'control-sidebar', ' data-slide="on"')]
    expect(matchElements([tool(1, 'control-sidebar')], after)).toEqual([null, null, 1])
  })

  it('adds entries to a menu of identical entries with headings between them', () => {
    const head = (place: number, text: string) => item(place, `<li class="nav-header">${text}</li>`)
    const previousItems = [item(1), item(2), head(3, 'Pages'), item(4), head(5, 'Labels'), item(6)]
    const gallery = item(4, '<li class="nav-item"><a href="/gallery">Gallery</a></li>')
    const after = [item(1), item(2), head(3, 'Pages'), gallery, item(5), item(6), head(7, 'Labels'), item(8)]
    expect(matchElements(previousItems, after, false).map((id) => id && Math.abs(id))).toEqual([1, 2, 3, null, 4, null, 5, 6])
  })

  it('changes generated ids of sections', () => {
    const zero = (anchor: string, place: number): Item => [`#${anchor}>div:${place}>pre:1>span:1|||`, '<span class="mi">0</span>']
    expect(matchElements([zero('id1', 3), zero('id1', 7)], [zero('dtd-1', 3), zero('dtd-1', 7)])).toEqual([-1, -2])
  })

  it('replaces a link by one without a target', () => {
    const link = (place: number, text: string): Item => [`main()>p:${place}>a:1|||#`, `<a href="#">${text}</a>`]
    const [old, next] = [link(1, 'Terms and conditions'), link(1, 'Newsletter, once a month')]
    expect(matchElements([old], [next])).toEqual([-1])
    expect(matchElements([old], [next, link(2, 'Terms and conditions')])).toEqual([null, 1])
  })
})

describe('markup', () => {
  it.each([
    ['<a id="r1" class="css-x" href="/a?b=1">Text  12</a>', '<a href="/a">Text 345</a>'],
    ['<img data-v-7a src="/pics/x.3f9a8b7c2d.png">', '<img src="/pics/x.11aa22bb33.png">'],
  ])('is equal without volatile parts: %s', (a, b) => {
    expect(normalizeSnippet(a)).toBe(normalizeSnippet(b))
  })

  it('is compared by its letters', () => {
    expect(computeSimilarity('<p>one two three</p>', '<p>one two three</p>')).toBe(1)
    expect(computeSimilarity('<p>one two three</p>', '<table></table>')).toBeLessThan(0.4)
    expect(normalizeSnippet('<p>a</p>')).not.toBe(normalizeSnippet('<p>b</p>'))
  })
})
