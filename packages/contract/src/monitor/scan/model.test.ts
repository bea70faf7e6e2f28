import { expect, it } from 'vitest'
import { authorityOf, openDomains, readDomain } from './model.ts'

const table: [domain: string, url: string, covered: boolean][] = [
  ['example.org', 'https://example.org/a', true],
  ['example.org', 'http://EXAMPLE.org/', true],
  ['EXAMPLE.ORG', 'http://example.org/', true],
  ['example.org', 'https://example.org./', true],
  ['example.org.', 'https://example.org/', true],
  ['example.org', 'https://www.example.org/', false],
  ['example.org', 'https://example.org.evil.test/', false],
  ['example.org', 'https://example.org@evil.test/', false],
  ['example.org', 'https://example.org:8443/', false],
  ['example.org:8443', 'https://example.org:8443/', true],
  ['example.org:8443', 'https://example.org/', false],
  ['example.org:443', 'https://example.org/', true],
  ['example.org:443', 'http://example.org/', false],
  ['example.org:80', 'http://example.org/', true],
  ['example.org:80', 'https://example.org/', false],
  ['*.example.org', 'https://a.b.example.org/', true],
  ['*.example.org', 'https://example.org/', true],
  ['*.example.org', 'https://badexample.org/', false],
  ['*.example.org:8080', 'http://a.example.org:8080/', true],
  ['[::1]:8080', 'http://[0:0::1]:8080/', true],
  ['2130706433', 'http://127.0.0.1/', true],
  ['bücher.example', 'http://xn--bcher-kva.example/', true],
  ['*.BÜCHER.example', 'http://shop.bücher.example/', true],
  ['not a host', 'http://not/', false],
]

it.each(table)('the domain %s and %s: %s', (domain, url, covered) => {
  expect(openDomains([domain])(new URL(url))).toBe(covered)
})

it.each([
  'https://example.org',
  'example.org/',
  'user@example.org',
  'a b',
  '*',
  '*.',
  'a.*.org',
  '',
  ':80',
  'x:99999',
])('%s is no domain', (text) => {
  expect(readDomain(text)).toBe(null)
})

it('names one server in one way', () => {
  expect(
    ['http://a.test/x', 'https://a.test', 'http://a.test:80', 'https://[::1]:8443/'].map((url) =>
      authorityOf(new URL(url)),
    ),
  ).toEqual(['a.test:80', 'a.test:443', 'a.test:80', '[::1]:8443'])
})
