import { expect, it } from 'vitest'
import {
  authorityOf,
  normalizeHref,
  createDomainMatcher,
  findPdfDaysFault,
  parseDomain,
  findRepeated,
  findUrlFault,
} from './model.ts'
import { getPageLimit } from './schema.ts'

const domainCases: [domain: string, url: string, covered: boolean][] = [
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

it.each(domainCases)('the domain %s and %s: %s', (domain, url, covered) => {
  expect(createDomainMatcher([domain])(new URL(url))).toBe(covered)
})

it.each(['https://example.org', 'example.org/', 'user@example.org', 'a b', '*', '*.', 'a.*.org', '', ':80', 'x:99999'])(
  '%s is not a domain',
  (text) => {
    expect(parseDomain(text)).toBe(null)
  },
)

it('returns one authority per server', () => {
  expect(
    ['http://a.test/x', 'https://a.test', 'http://a.test:80', 'https://[::1]:8443/'].map((url) => authorityOf(new URL(url))),
  ).toEqual(['a.test:80', 'a.test:443', 'a.test:80', '[::1]:8443'])
})

it.each([
  ['https://a.example/', null],
  ['HTTP://a.example', null],
  ['a.example', 'bad-url'],
  ['', 'bad-url'],
  ['a.example:80/', 'url-scheme'],
  ['ftp://a.example/', 'url-scheme'],
  ['javascript:alert(1)', 'url-scheme'],
  ['https://sam@a.example/', 'url-credentials'],
  ['https://:secret@a.example/', 'url-credentials'],
])('validates the URL %s: %s', (text, fault) => {
  expect(findUrlFault(text)).toBe(fault)
})

it('finds repeated values, case-insensitively or by a key', () => {
  expect([...findRepeated(['a', 'b', 'A', 'c', 'b', 'a'])]).toEqual([2, 4, 5])
  expect([...findRepeated(['a', 'A'], (value) => value)]).toEqual([])
  const urlTexts = ['https://a.example', 'https://A.example/', 'https://a.example:443/', 'https://a.example/b', 'x', 'X']
  expect([...findRepeated(urlTexts, normalizeHref)]).toEqual([1, 2])
})

it.each([
  ['2026-02-28', '2026-02-27', { min: '2026-03-01' }],
  ['2026-02-28', '2026-02-28', { min: '2026-03-01' }],
  ['2026-02-28', '2026-03-01', null],
  ['2026-02-28', null, null],
  [null, '2026-02-28', null],
])('PDFs from %s to %s: %j', (pdfModifiedFrom, pdfModifiedTo, fault) => {
  const pdfDays = { pdfModifiedFrom, pdfModifiedTo }
  expect(findPdfDaysFault({ ...pdfDays, mimeTypes: ['text/html', 'application/pdf'] })).toEqual(fault)
  expect(findPdfDaysFault({ ...pdfDays, mimeTypes: ['text/html'] })).toBeNull()
})

it('uses the page limit of the type, or the custom limit', () => {
  expect(getPageLimit({ type: 'custom', pageLimit: 7 })).toBe(7)
  expect(getPageLimit({ type: 'quick', pageLimit: 7 })).toBe(100)
})
