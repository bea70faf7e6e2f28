import { expect, it } from 'vitest'
import { listSearchForms, toComparablePattern, toComparableUrl, toReadableUrl } from './url-form.ts'

it.each([
  ['https://a.test/%7Efoo', 'https://a.test/~foo'],
  ['https://a.test/%7efoo', 'https://a.test/~foo'],
  ['https://a.test/caf%c3%a9/', 'https://a.test/caf%C3%A9/'],
  ['https://a.test/café/', 'https://a.test/caf%C3%A9/'],
  ['https://a.test/cafe\u0301/', 'https://a.test/caf%C3%A9/'],
  ['https://a.test/cafe%CC%81/', 'https://a.test/caf%C3%A9/'],
  ['/a%28b%29/', '/a(b)/'],
  ['/my docs/', '/my%20docs/'],
  ['/my%20docs/', '/my%20docs/'],
  // Escaped delimiters are data.
  ['/a%2fb?q=%26%3d', '/a%2Fb?q=%26%3D'],
  // Latin-1, a lone surrogate, and escapes that are none.
  ['/caf%e9', '/caf%E9'],
  ['/x\uD800', '/x%EF%BF%BD'],
  ['/100%', '/100%'],
  ['/%zz%4', '/%zz%4'],
])('compares %s as %s', (url, expected) => expect(toComparableUrl(url)).toBe(expected))

it.each([
  ['HTTPS://Example.org/a', 'https://example.org/a'],
  ['https://example.org:443/a*', 'https://example.org/a*'],
  ['https://bücher.example/über-uns/*', 'https://xn--bcher-kva.example/%C3%BCber-uns/*'],
  ['http://a.test/?', 'http://a.test/?'],
  ['http://exa*', 'http://exa*'],
  ['http://*.example/ü', 'http://*.example/%C3%BC'],
  ['http://a.test?x', 'http://a.test?x'],
  ['*/löschen*', '*/l%C3%B6schen*'],
  ['https://example.org', 'https://example.org/'],
])('writes the pattern %s as %s', (pattern, expected) => expect(toComparablePattern(pattern)).toBe(expected))

it.each([
  ['https://a.test/%E3%83%AD%E3%82%B0', 'https://a.test/ログ'],
  ['https://a.test/l%c3%b6schen?q=%C3%A4%26', 'https://a.test/löschen?q=ä%26'],
  // Neither direction marks, invisible characters nor spaces.
  ['/%E2%80%AEgpj.exe', '/%E2%80%AEgpj.exe'],
  ['/a%E2%80%8Bb%20c%C2%A0d', '/a%E2%80%8Bb%20c%C2%A0d'],
  ['/a%2Fb%00%0A', '/a%2Fb%00%0A'],
  ['/%ff%fe', '/%FF%FE'],
  ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
])('shows %s as %s', (url, expected) => expect(toReadableUrl(url)).toBe(expected))

it('changes nothing at the second time', () => {
  for (const text of ['/%7e/é%2f(a)%28', 'https://BÜCHER.example:80/ä ö'])
    expect(toComparableUrl(toComparableUrl(text))).toBe(toComparableUrl(text))
})

it('takes linear time for the longest URL', () => {
  const startedAt = performance.now()
  toComparableUrl('%c3%a9'.repeat(100_000))
  expect(performance.now() - startedAt).toBeLessThan(2000)
})

const storedUrl = 'http://xn--bcher-kva.example/%C3%A4'
it.each([
  ['http://bücher.example/ä', true],
  ['HTTP://BÜCHER.example:80/ä', true],
  ['bücher.example/ä', true],
  ['bücher.example', true],
  ['xn--bcher-kva', true],
  ['/ä', true],
  ['http://bucher.example', false],
  ['bücher.example/b', false],
  ['http?q=ä', false],
  ['http#ä', false],
  ['ä@example', false],
])('searches for %s as it may be stored: %s', (text, isFound) =>
  expect(listSearchForms(text).some((form) => storedUrl.toLowerCase().includes(form.toLowerCase()))).toBe(isFound),
)
