import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cssSelectors, xpathSelectors } from '../../../../test/selectors.ts'
import { elementsByFollowers, pseudoClassArguments } from '../../../kit/selector/pseudo.ts'
import { isSelector } from './model.ts'

// "Invalid selectors are refused": each verdict is that of the browser itself.

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  page = await browser.newPage()
  await page.setContent('<a id=x href=y lang=en><b>t</b><!--c--></a><a class=z>2</a>')
})
afterAll(() => browser.close())

/** The selectors whose verdict differs from the browser's, and the number that the browser accepts. */
async function compare(selectors: readonly string[], prefix = '') {
  const verdicts = await page.evaluate(
    ([all, isXPath]) =>
      all.map((text) => {
        try {
          if (isXPath) document.evaluate(text, document, null, 7, null)
          // A fragment has no elements, so that no selector is evaluated.
          else document.createDocumentFragment().querySelectorAll(text)
          return true
        } catch {
          return false
        }
      }),
    [selectors, prefix !== ''] as const,
  )
  const wrong = selectors.filter((text, index) => isSelector(prefix + text) !== verdicts[index])
  return { wrong, acceptedCount: verdicts.filter(Boolean).length }
}

/** Pseudo-random numbers below a limit, the same in each run. */
function createRandom(start: number): (limit: number) => number {
  let state = start
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const mixedAgain = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixedAgain ^ (mixedAgain >>> 14)) >>> 0) % limit
  }
}
function generate(count: number, fragments: readonly string[]): string[] {
  const random = createRandom(count)
  const createOne = () => Array.from({ length: 1 + random(7) }, () => fragments[random(fragments.length)]).join('')
  return [...new Set(Array.from({ length: count }, createOne))]
}

it('agrees with Chromium on selectors for each rule of CSS', async () => {
  // Those that begin like XPath are none.
  const selectors = cssSelectors.filter((text) => !text.startsWith('//') && !text.startsWith('xpath='))
  expect(selectors.length).toBeGreaterThan(400)
  const { wrong, acceptedCount } = await compare(selectors)
  expect(wrong).toEqual([])
  expect(acceptedCount).toBeGreaterThan(200)
})

it('agrees with Chromium on each pseudo-class and pseudo-element, with arguments of each kind, and behind others', async () => {
  const elements = elementsByFollowers.flatMap((row) => [...row.elements])
  const names = [
    ...pseudoClassArguments.keys(),
    ...elements,
    'playing',
    'contains',
    'eq',
    '-webkit-foo',
    '-moz-foo',
    'unknown',
    'before',
  ]
  // oxfmt-ignore
  const argumentTexts = ['', '()', '(a)', '(a b)', '(a, b)', '(> a)', '(2n+1)', '(2n of a)', '("en")', '(x y)', '(>>)', '(:has(a))', '(::before)', '(*.x)']
  const spellings = names.flatMap((name) =>
    [`:${name}`, `::${name}`].flatMap((pseudo) => argumentTexts.map((text) => pseudo + text)),
  )
  const { wrong, acceptedCount } = await compare(
    spellings.flatMap((text) => [
      `a${text}`,
      `a${text}:hover`,
      `b::part(x)${text}`,
      `:not(${text})`,
      `:has(${text})`,
      `c${text} d`,
    ]),
  )
  expect(wrong).toEqual([])
  expect(acceptedCount).toBeGreaterThan(500)
})

it('agrees with Chromium on generated selectors', async () => {
  // oxfmt-ignore
  const fragments = [
    'a', 'b', '*', '.c', '#d', '[e]', '[e=f]', '[e="f" i]', ':hover', ':focus', '::before', '::after', '::part(x)', '::-webkit-foo', ':not(', ':is(',
    ':has(', ')', ' ', '>', ' > ', '+', '~', ',', ', ', '|', '*|', '&', ':nth-child(2n', ' of ', '::slotted(', ':host(', '"x"', '5', '\\', '-', '--',
    '/**/', '[', '=', ']', '(', ':', '::', ':root', ':first-child', '::selection', ':disabled', '::-webkit-scrollbar', '::marker', ':where(', 'é', '!', '}',
  ]
  const { wrong, acceptedCount } = await compare(generate(15_000, fragments).filter((text) => !/^\(*\/\//.test(text)))
  expect(wrong).toEqual([])
  expect(acceptedCount).toBeGreaterThan(1500)
})

it('agrees with Chromium on XPath: functions, axes, prefixes, and the type of the result', async () => {
  expect(xpathSelectors.length).toBeGreaterThan(300)
  const { wrong, acceptedCount } = await compare(xpathSelectors, 'xpath=')
  expect(wrong).toEqual([])
  expect(acceptedCount).toBeGreaterThan(150)
  // oxfmt-ignore
  const fragments = [
    'a', 'b', 'div', 'and', 'or', 'mod', '*', '/', '//', '.', '..', '@', '@x', '[', '[1]', '[@x]', ']', '(', ')', '|', ' | ', '+', '-', ' - ', '=', '!=',
    '<', '>=', '"s"', "'t'", '1', '1.5', '.5', 'child::', 'self::', 'foo::', '::', ':', 'text()', 'node()', 'last()', 'position()', 'count(',
    'id("x")', 'not(', 'contains(', ',', 'string()', 'concat("a","b")', ' ', 'name', 'true()', 'sum(//a)', '//a', '//b[2]', '(//a)', 'ns:a', 'é', '-a',
  ]
  expect((await compare(generate(8000, fragments), 'xpath=')).wrong).toEqual([])
})

it('reads XPath by its prefix, or by its start', () => {
  expect(
    ['//main//a[@href]', '(//nav)[1]', "xpath=//*[contains(@class, 'x')]", 'xpath=foo(', '//', '//a['].map(isSelector),
  ).toEqual([true, true, true, false, false, false])
})

it('refuses variables of XPath, which no one binds', () => {
  expect(['//a[$x]', '//a[$x=1]', '$x', '//a[contains(@b, $x)]'].map(isSelector)).toEqual([false, false, false, false])
})
