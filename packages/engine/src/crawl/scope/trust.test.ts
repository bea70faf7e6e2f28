import { expect, it } from 'vitest'
import { openTrust } from './trust.ts'

const secureStarts = ['https://example.org/']
const plainStarts = ['http://example.org/']
const trustCases: [starts: string[], url: string, trusted: boolean][] = [
  [secureStarts, 'https://example.org/a', true],
  [secureStarts, 'https://shop.example.org/', true],
  [secureStarts, 'http://example.org/a', false],
  [secureStarts, 'http://example.org/robots.txt', false],
  [secureStarts, 'https://example.org:8443/', false],
  [secureStarts, 'https://evil.test/', false],
  [plainStarts, 'http://example.org/a', true],
  [plainStarts, 'http://shop.example.org/', true],
  [plainStarts, 'https://example.org/', true],
  [plainStarts, 'http://example.org:8080/', false],
  [[...secureStarts, 'http://old.example.org/'], 'http://old.example.org/x', true],
  [[...secureStarts, 'http://old.example.org/'], 'http://example.org/x', false],
]

it.each(trustCases)('a scan of %j trusts %s: %s', (urls, url, trusted) => {
  expect(openTrust({ domains: ['*.example.org'], urls })(new URL(url))).toBe(trusted)
})
