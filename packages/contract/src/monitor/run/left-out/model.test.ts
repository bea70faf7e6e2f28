import { expect, it } from 'vitest'
import { groupLeftOut, toUrlForm } from './model.ts'

it.each([
  ['https://a.test/', 'https://a.test/'],
  ['https://a.test/contact', 'https://a.test/contact'],
  ['https://a.test/news/title-of-it', 'https://a.test/news/*'],
  ['https://a.test/news/title-of-it/', 'https://a.test/news/*/'],
  ['https://a.test/news/', 'https://a.test/news/'],
  ['https://a.test/2026/11/news/?page=2&sort', 'https://a.test/*/*/*/?page=*&sort'],
  ['no url', 'no url'],
])('the form of %s is %s', (url, form) => expect(toUrlForm(url)).toBe(form))

it('groups URLs by their form, the most frequent first, with one of them', () => {
  const urls = ['https://a.test/contact?id=1', ...[3, 1, 2].map((number) => `https://a.test/news/${number}`)]
  expect(groupLeftOut(urls)).toEqual({
    patterns: [
      { pattern: 'https://a.test/news/*', urls: 3, example: 'https://a.test/news/1' },
      { pattern: 'https://a.test/contact?id=1', urls: 1, example: 'https://a.test/contact?id=1' },
    ],
    urls: 4,
  })
  expect(groupLeftOut(Array.from({ length: 30 }, (_, index) => `https://a.test/${'x'.repeat(index + 1)}`)).patterns).toHaveLength(
    20,
  )
  expect(groupLeftOut([])).toEqual({ patterns: [], urls: 0 })
})
