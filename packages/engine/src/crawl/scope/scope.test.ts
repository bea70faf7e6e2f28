import { expect, it } from 'vitest'
import { openScope } from './scope.ts'

const table: [string, string, string | null][] = [
  ['example.org', 'https://example.org/a', null],
  ['example.org', 'http://EXAMPLE.org/', null],
  ['example.org', 'https://www.example.org/', 'other-domain'],
  ['example.org', 'https://example.org.evil.test/', 'other-domain'],
  ['example.org', 'https://example.org:8443/', 'other-domain'],
  ['example.org:8443', 'https://example.org:8443/', null],
  ['*.example.org', 'https://a.b.example.org/', null],
  ['*.example.org', 'https://example.org/', null],
  ['*.example.org', 'https://badexample.org/', 'other-domain'],
  ['[::1]:8080', 'http://[0:0::1]:8080/', null],
  ['bücher.example', 'http://xn--bcher-kva.example/', null],
  ['not a host', 'http://not/', 'other-domain'],
]

it.each(table)('the domain %s and %s: %s', (domain, url, expected) => {
  const scope = openScope({ domains: [domain], startUrls: [], restrictToFolder: false })
  expect(scope(new URL(url))?.reason ?? null).toBe(expected)
})

const folders: [string, string, string | null][] = [
  ['https://example.org/docs/index.html', 'https://example.org/docs/x/y', null],
  ['https://example.org/docs/index.html', 'http://example.org/docs/', null],
  ['https://example.org/docs/', 'https://example.org/docs2/', 'outside-folder'],
  ['https://example.org/docs', 'https://example.org/docs/x', null],
  ['https://example.org/docs', 'https://example.org/docs', null],
  ['https://example.org/docs', 'https://example.org/documents', 'outside-folder'],
  ['https://example.org/', 'https://example.org/anything', null],
]

it.each(folders)('the folder of %s and %s: %s', (start, url, expected) => {
  const scope = openScope({ domains: ['example.org'], startUrls: [start], restrictToFolder: true })
  expect(scope(new URL(url))?.reason ?? null).toBe(expected)
})
