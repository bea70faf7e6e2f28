import { expect, test } from 'vitest'
import { toUrlPattern } from './model.ts'

test.each([
  ['https://site.test/delete/1', 'https://site.test/delete/1'],
  ['https://site.test/a.php?action=delete&id=5&_wpnonce=ab12cd#x', 'https://site.test/a.php?action=delete&id=5&_wpnonce=*'],
  ['https://site.test/a?t=0a1b2c3d4e5f&page=2', 'https://site.test/a?t=*&page=2'],
  ['https://site.test/a?publish', 'https://site.test/a?publish'],
])('the pattern of %s', (url, pattern) => {
  expect(toUrlPattern(url)).toBe(pattern)
})
