import { expect, it } from 'vitest'
import { openTrust } from './trust.ts'

const secure = ['https://example.org/']
const plain = ['http://example.org/']
const table: [starts: string[], url: string, trusted: boolean][] = [
  [secure, 'https://example.org/a', true],
  [secure, 'https://shop.example.org/', true],
  [secure, 'http://example.org/a', false],
  [secure, 'http://example.org/robots.txt', false],
  [secure, 'https://example.org:8443/', false],
  [secure, 'https://evil.test/', false],
  [plain, 'http://example.org/a', true],
  [plain, 'http://shop.example.org/', true],
  [plain, 'https://example.org/', true],
  [plain, 'http://example.org:8080/', false],
  [[...secure, 'http://old.example.org/'], 'http://old.example.org/x', true],
  [[...secure, 'http://old.example.org/'], 'http://example.org/x', false],
]

it.each(table)('a scan of %j trusts %s: %s', (urls, url, trusted) => {
  expect(openTrust({ domains: ['*.example.org'], urls })(new URL(url))).toBe(trusted)
})
