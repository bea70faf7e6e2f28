import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { isSelector } from './model.ts'

it.each([
  ['header', true],
  ['#a > .b:has(img), main ::part(x)', true],
  [':nth-child(2n + 1 of .x)', true],
  ['//main//a[@href and not(@id)]', true],
  ['(//nav)[1]', true],
  ["xpath=//*[contains(@class, 'x')]", true],
  ['##', false],
  ['a[', false],
  ['a,,b', false],
  ['> a', false],
  ['', false],
  ['//a[', false],
  ['//', false],
  ['xpath=foo(', false],
])('%s is a selector: %s', (text, expected) => {
  expect(isSelector(text)).toBe(expected)
})

it('"invalid CSS selectors are refused": agrees with Chromium on each selector', async () => {
  // prettier-ignore
  const selectors = [
    'a', '*', '#x', '.a.b', 'a b', 'a > b', 'a + b', 'a ~ b',
    'a, b', '[x]', '[x="1" i]', '*|a', '|a', ':hover', ':not(a, b)', ':is(a)',
    ':where(.x)', ':has(> img)', ':nth-child(2n+1)', ':nth-child(even)', ':lang(de)', ':dir(rtl)', ':first-of-type', ':nth-last-of-type(-n + 3)',
    'a:nth-child(2 of .x)', ':foo', ':contains("x")', ':icontains(x)', ':eq(1)', ':first', ':last', ':even',
    ':header', ':selected', '[x!=1]', 'a < b', 'a || b', 'ns|a', '[ns|x]', ':nth-child(foo)',
    ':nth-child()', 'a >', 'a ,', ', a', 'a >> b', 'a[', 'a]', '.',
    '#', '#1a', '.1a', 'a..b', 'a:', ':not()', ':not(:foo)', ':is(:contains(x))',
    'a{}', 'a;b', '@media', '{', '$x', '%', '/a', 'a/b',
    '[=x]', '[x=]', '[x=a b]', '(a)', ':nth-child(2n of)',
  ]
  const browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const says = await page.evaluate(
      (all) =>
        all.map((text) => {
          try {
            document.querySelector(text)
            return true
          } catch {
            return false
          }
        }),
      selectors,
    )
    const wrong = selectors.filter((text, index) => isSelector(text) !== says[index])
    expect(wrong).toEqual([])
  } finally {
    await browser.close()
  }
})
