import { harmlessEdits, realEdits } from '@clearway/fixtures/identity/edits.ts'
import { findingsAfter, type TrueFinding } from '@clearway/fixtures/identity/findings.ts'
import { identityPages } from '@clearway/fixtures/identity/pages.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KnownIssue, likeness, matchIssues, normaliseSnippet } from './model.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  page = await browser.newPage()
})
afterAll(() => browser.close())

const identity = ({ rule, elementKey, ordinal }: TrueFinding) => `${rule} ${elementKey} ${ordinal}`
const idOf = (finding: TrueFinding, n: number) => `${finding.rule} ${finding.truth} ${n}`

/** The issues that a first run leaves behind, some of them ignored. */
const knownOf = (findings: readonly TrueFinding[], isIgnored: (n: number) => boolean): KnownIssue[] =>
  findings.map((finding, n) => ({
    id: idOf(finding, n),
    identity: identity(finding),
    rule: finding.rule,
    elementKey: finding.elementKey,
    html: finding.html,
    ignored: isIgnored(n),
    present: true,
  }))
const toMatch = (findings: readonly TrueFinding[]) =>
  findings.map((finding) => ({ ...finding, identity: identity(finding) }))

/** Identical siblings cannot be distinguished by anybody, unless one of them is ignored. */
const alike = (a: TrueFinding, b: TrueFinding) =>
  a.rule === b.rule &&
  normaliseSnippet(a.html) === normaliseSnippet(b.html) &&
  a.elementKey.replaceAll(/:\d+/g, '') === b.elementKey.replaceAll(/:\d+/g, '')

/** Who is ignored: nobody, all, every second, every third but two, only the second. */
const ignores: ((n: number) => boolean)[] = [
  () => false,
  () => true,
  (n) => n % 2 === 0,
  (n) => n % 3 === 1,
  (n) => n === 1,
]

type Tally = { there: number; kept: number; lost: string[]; inherited: string[] }

function judge(
  before: readonly TrueFinding[],
  after: readonly TrueFinding[],
  name: string,
  tally: Tally,
): void {
  for (const isIgnored of ignores) {
    const known = knownOf(before, isIgnored)
    const matches = matchIssues(known, toMatch(after))
    after.forEach((finding, place) => {
      const match = matches[place] ?? null
      const at = match ? known.findIndex(({ id }) => id === match.id) : -1
      const same = at !== -1 && before[at]!.truth === finding.truth && before[at]!.rule === finding.rule
      // Where every one of identical siblings is ignored, it makes no difference which of them one is.
      const wasIgnored = before.some(({ truth }, n) => truth === finding.truth && known[n]!.ignored)
      const allIgnored = () => before.every((other, n) => known[n]!.ignored || !alike(other, before[at]!))
      if (at !== -1 && known[at]!.ignored && match!.sure && !wasIgnored && !allIgnored())
        tally.inherited.push(`${name}: ${finding.truth} from ${before[at]!.truth}`)
      if (!before.some(({ truth, rule }) => truth === finding.truth && rule === finding.rule)) return
      tally.there++
      if (same || (at !== -1 && alike(before[at]!, finding))) tally.kept++
      else tally.lost.push(`${name}: ${finding.rule} ${finding.truth}`)
    })
  }
}

async function corpus(edits: typeof harmlessEdits): Promise<Tally> {
  const tally: Tally = { there: 0, kept: 0, lost: [], inherited: [] }
  for (const sample of identityPages) {
    const before = await findingsAfter(page, sample, harmlessEdits[0]!)
    expect(before.length, sample.name).toBeGreaterThan(2)
    for (const edit of edits)
      judge(before, await findingsAfter(page, sample, edit), `${sample.name}, ${edit.name}`, tally)
  }
  return tally
}

describe('the same issue from run to run', () => {
  it('stays the same under harmless edits, in 99 of 100 cases, and no ignore is inherited', async () => {
    const { there, kept, lost, inherited } = await corpus(harmlessEdits)
    expect(there).toBeGreaterThan(1500)
    expect(inherited).toEqual([])
    expect(kept / there, `${kept} of ${there}; ${lost.join('\n')}`).toBeGreaterThanOrEqual(0.99)
  })

  it('hands no ignore on under real edits', async () => {
    const { there, inherited } = await corpus(realEdits)
    expect(there).toBeGreaterThan(500)
    expect(inherited).toEqual([])
  })

  it('gives the same answer for shuffled input', async () => {
    const [sample] = identityPages
    const before = await findingsAfter(page, sample!, harmlessEdits[0]!)
    const after = await findingsAfter(page, sample!, realEdits[1]!)
    const answer = (known: KnownIssue[], found: TrueFinding[]) => {
      const matches = matchIssues(known, toMatch(found))
      return found
        .map((finding, place) => [finding.rule, finding.truth, matches[place]?.id ?? null].join(' '))
        .sort()
    }
    const known = knownOf(before, (n) => n % 2 === 0)
    const expected = answer(known, after)
    for (const turn of [1, 3, 5]) {
      const shuffled = after.map((item, n) => ({ item, at: (n * 7 * turn) % 11 }))
      shuffled.sort((a, b) => a.at - b.at)
      expect(
        answer(
          known.toReversed(),
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
  const known = (count: number, ignored: number[]): KnownIssue[] =>
    Array.from({ length: count }, (_, n) => ({
      ...sibling(n + 1),
      id: `i${n + 1}`,
      ignored: ignored.includes(n + 1),
      present: true,
    }))
  const found = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...sibling(n + 1), ordinal: 0 }))
  const ids = (count: number, ignored: number[], now: number) =>
    matchIssues(known(count, ignored), found(now)).map((match) => match?.id ?? null)

  it('are a bag: five becoming four closes one, and an ignore goes to no neighbour', () => {
    expect(ids(5, [], 4)).toEqual(['i1', 'i2', 'i3', 'i4'])
    expect(ids(5, [2], 5)).toEqual(['i1', 'i2', 'i3', 'i4', 'i5'])
    expect(ids(5, [2], 4)).not.toContain('i2')
    expect(ids(5, [2], 6)).not.toContain('i2')
    expect(ids(3, [1, 2, 3], 2)).toEqual(['i1', 'i2'])
  })

  it('of a place whose content changed keeps its owner, not its ignore', () => {
    const [old] = known(1, [1])
    const now = { ...found(1)[0]!, html: '<button class="other" title="">Something else altogether</button>' }
    expect(matchIssues([old!], [now])).toEqual([{ id: 'i1', by: 'key', sure: false }])
  })
})

/** Shapes that real sites took on between two of their versions. */
describe('the next version of a site', () => {
  type Item = [elementKey: string, html: string]
  /** For each new element the old one that it was, by number from 1; null for none, negative where an ignore stays behind. */
  const follow = (before: Item[], after: Item[], isIgnored = true) => {
    const known = before.map(([elementKey, html], n): KnownIssue => ({
      id: String(n + 1),
      identity: elementKey,
      rule: 'r',
      elementKey,
      html,
      ignored: isIgnored,
      present: true,
    }))
    const found = after.map(([elementKey, html]) => ({
      identity: elementKey,
      rule: 'r',
      elementKey,
      ordinal: 0,
      html,
    }))
    return matchIssues(known, found).map((match) => match && Number(match.id) * (match.sure ? 1 : -1))
  }
  const tool = (place: number, name: string, more = ''): Item => [
    `navigation()>ul:2>li:${place}>a:1|button||/index.html`,
    `<a class="nav-link" data-widget="${name}"${more} href="#" role="button"><i class="fas fa-${name}"></i></a>`,
  ]
  const item = (place: number, html = '<li class="nav-item">'): Item => [
    `navigation()>ul:1>li:${place}|||`,
    html,
  ]

  it('puts buttons before one that only its class tells apart', () => {
    const after = [tool(1, 'search'), tool(4, 'full'), tool(5, 'control-sidebar', ' data-slide="on"')]
    expect(follow([tool(1, 'control-sidebar')], after)).toEqual([null, null, 1])
  })

  it('adds entries to a menu whose entries look all the same, and names what is between them', () => {
    const head = (place: number, text: string) => item(place, `<li class="nav-header">${text}</li>`)
    const before = [item(1), item(2), head(3, 'Pages'), item(4), head(5, 'Labels'), item(6)]
    const gallery = item(4, '<li class="nav-item"><a href="/gallery">Gallery</a></li>')
    const after = [item(1), item(2), head(3, 'Pages'), gallery, item(5), item(6), head(7, 'Labels'), item(8)]
    expect(follow(before, after, false).map((id) => id && Math.abs(id))).toEqual([
      1,
      2,
      3,
      null,
      4,
      null,
      5,
      6,
    ])
  })

  it('gives sections other generated ids', () => {
    const zero = (anchor: string, place: number): Item => [
      `#${anchor}>div:${place}>pre:1>span:1|||`,
      '<span class="mi">0</span>',
    ]
    expect(follow([zero('id1', 3), zero('id1', 7)], [zero('dtd-1', 3), zero('dtd-1', 7)])).toEqual([-1, -2])
  })

  it('puts a link that leads nowhere where another one was', () => {
    const link = (place: number, text: string): Item => [
      `main()>p:${place}>a:1|||#`,
      `<a href="#">${text}</a>`,
    ]
    const [old, next] = [link(1, 'Terms and conditions'), link(1, 'Newsletter, once a month')]
    expect(follow([old], [next])).toEqual([-1])
    expect(follow([old], [next, link(2, 'Terms and conditions')])).toEqual([null, 1])
  })
})

describe('markup', () => {
  it.each([
    ['<a id="r1" class="css-x" href="/a?b=1">Text  12</a>', '<a href="/a">Text 345</a>'],
    ['<img data-v-7a src="/pics/x.3f9a8b7c2d.png">', '<img src="/pics/x.11aa22bb33.png">'],
  ])('is the same without what changes by itself: %s', (a, b) => {
    expect(normaliseSnippet(a)).toBe(normaliseSnippet(b))
  })

  it('is alike by its letters', () => {
    expect(likeness('<p>one two three</p>', '<p>one two three</p>')).toBe(1)
    expect(likeness('<p>one two three</p>', '<table></table>')).toBeLessThan(0.4)
    expect(normaliseSnippet('<p>a</p>')).not.toBe(normaliseSnippet('<p>b</p>'))
  })
})
