import { expect, test } from 'vitest'
import { parseBucket } from '@clearway/contract/monitor/run/bucket/model.ts'
import { describeUrl, listPlainUrls } from './bucket.ts'

const describe = (url: string) => describeUrl(new URL(url), {}, { template: '', isUnfollowed: false }, 0)

test('a URL with long names has a short bucket, and another one than its neighbor', () => {
  const name = 'x7'.repeat(1800)
  const [one, other] = [describe(`https://example.org/?${name}a`), describe(`https://example.org/?${name}b`)]
  expect(one.bucket.length).toBeLessThan(1000)
  expect(one.bucket).not.toBe(other.bucket)
})

test.each([
  ['view', '/gitweb.cgi?p=a.git;a=commitdiff;h=1f0c'],
  ['view', '/gitweb.cgi?p=a.git;a=search;h=1f0c;s=Ada;st=author'],
  ['view', '/index.php/Special:WhatLinksHere/Main_Page'],
  ['view', '/index.php?title=Harbour&oldid=7'],
  ['view', '/doku.php?id=start&do=revisions'],
  ['view', '/topic/5?sort=newest'],
  ['view', '/tag/river'],
  ['', '/gitweb.cgi?p=a.git;a=commit;h=1f0c'],
  ['', '/doku.php?id=start'],
  ['', '/verein/history'],
  ['', '/watch?v=abc'],
  ['search', '/search?q=x'],
  ['signin', '/login?returnto=Main+Page'],
])('“%s” is the kind of %s', (kind, path) => {
  expect(parseBucket(describe(`https://example.org${path}`).bucket).kind).toBe(kind)
})

test('a view of a page that its own page links to has a base, equal for equal paths', () => {
  const plainUrls = listPlainUrls([
    'https://example.org/topic/5',
    'https://example.org/topic/6#last',
    'https://example.org/a?b=1',
    'https://example.org/index.php',
  ])
  const readBase = (url: string) => describeUrl(new URL(url), {}, { template: '', isUnfollowed: false, plainUrls }, 0).base
  expect(readBase('https://example.org/topic/5?post=1')).toMatch(/^[\w-]{6}$/)
  expect(readBase('https://example.org/topic/5?page=2')).toBe(readBase('https://example.org/topic/5?post=1'))
  expect(readBase('https://example.org/topic/6?post=2')).toMatch(/^[\w-]{6}$/)
  for (const path of ['/topic/5', '/article?id=5', '/a?c=2', '/index.php?c=2'])
    expect(readBase(`https://example.org${path}`)).toBeUndefined()
})
