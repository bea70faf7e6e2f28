import { expect, it } from 'vitest'
import { openScope } from './scope.ts'

const domainCases: [string, string, string | null][] = [
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

it.each(domainCases)('the domain %s and %s: %s', (domain, url, expected) => {
  const { scope: testScope } = openScope({ domains: [domain], startUrls: [], restrictToFolder: false })
  expect(testScope(new URL(url))?.reason ?? null).toBe(expected)
})

const folderCases: [string, string, string | null][] = [
  ['https://example.org/%7Efoo/', 'https://example.org/~foo/a', null],
  ['https://example.org/%7Efoo/', 'https://example.org/%7efoo/b', null],
  ['https://example.org/caf%c3%a9/', 'https://example.org/café/menu', null],
  ['https://example.org/a(b)/', 'https://example.org/a%28b%29/c', null],
  ['https://example.org/a%2Fb/', 'https://example.org/a/b/c', 'outside-folder'],
  ['https://example.org/v1.2', 'https://example.org/v1.2/a', null],
  ['https://example.org/v1.2', 'https://example.org/v1.3/', 'outside-folder'],
  ['https://example.org/docs/node.js', 'https://example.org/docs/deno', null],
  ['https://example.org/secure/Dashboard.jspa', 'https://example.org/secure/Other.jspa', null],
  ['https://example.org/app/start.mvc', 'https://example.org/app/next', null],
  ['https://example.org/cgi-bin/web.exe', 'https://example.org/cgi-bin/other', null],
  ['https://example.org/docs/index.php5', 'https://example.org/docs/a', null],
  ['https://example.org/docs/x.jhtml', 'https://example.org/other', 'outside-folder'],
  ['https://example.org/sites/example.org', 'https://example.org/sites/example.org/a', null],
  ['https://example.org/sites/example.org', 'https://example.org/sites/example.com/', 'outside-folder'],
  ['https://example.org/v1.2b', 'https://example.org/v1.3/', 'outside-folder'],
  ['https://example.org/docs/index.PHP', 'https://example.org/docs/a', null],
  ['https://example.org/docs/index.html', 'https://example.org/docs/x/y', null],
  ['https://example.org/docs/index.html', 'http://example.org/docs/', null],
  ['https://example.org/docs/', 'https://example.org/docs2/', 'outside-folder'],
  ['https://example.org/docs', 'https://example.org/docs/x', null],
  ['https://example.org/docs', 'https://example.org/docs', null],
  ['https://example.org/docs', 'https://example.org/documents', 'outside-folder'],
  ['https://example.org/', 'https://example.org/anything', null],
]

it.each(folderCases)('the folder of %s and %s: %s', (startUrl, url, expected) => {
  const { scope: testScope } = openScope({ domains: ['example.org'], startUrls: [startUrl], restrictToFolder: true })
  expect(testScope(new URL(url))?.reason ?? null).toBe(expected)
})
