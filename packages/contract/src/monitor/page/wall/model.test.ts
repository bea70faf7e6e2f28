import { expect, it } from 'vitest'
import { findRepeatedPages } from './model.ts'

const repeat = (...urls: string[]) => urls.map((url) => ({ url, textHash: 'a', textLength: 100 }))

it.each([
  [['https://a.test/1', 'https://a.test/2', 'https://a.test/3']],
  [['https://a.test/#/1', 'https://a.test/#/2', 'https://a.test/#!/3']],
])('finds the same text on %s', (urls) => expect(findRepeatedPages(repeat(...urls), 20)).toHaveLength(3))

it.each([
  [['https://a.test/', 'http://www.a.test/', 'https://a.test/index.html', 'https://a.test/default.aspx']],
  [['https://a.test/b', 'https://a.test/b/', 'https://a.test/c']],
  [['https://a.test/?sort=a', 'https://a.test/?sort=b', 'https://a.test/?sort=c#top']],
])('takes %s for variants of a page', (urls) => expect(findRepeatedPages(repeat(...urls), 20)).toEqual([]))
