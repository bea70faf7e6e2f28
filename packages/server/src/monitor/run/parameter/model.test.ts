import { expect, it } from 'vitest'
import { formatParameterRule } from '@clearway/contract/monitor/page/url/model.ts'
import { proposeParameters } from './model.ts'

const site = 'https://a.example'
/** Pages by path, each with its content. */
const propose = (pages: Readonly<Record<string, string>>) =>
  proposeParameters(Object.entries(pages).map(([path, content]) => ({ url: site + path, content })))
const proposeNames = (pages: Readonly<Record<string, string>>) => propose(pages).map(({ name }) => name)

it('proposes what never changed a page, with the evidence', () => {
  const pages = { '/a': 'A', '/a?print=1': 'A', '/b': 'B', '/b?print=1': 'B', '/b?print=2': 'B', '/c?x=1': 'C' }
  expect(propose(pages)).toEqual([
    { name: 'print', path: '/*', pages: 5, contents: 2, examples: [`${site}/a`, `${site}/a?print=1`] },
  ])
})

it('proposes nothing that changed one page', () => {
  const pages = {
    '/list': '1',
    '/list?page=2': '2',
    '/item': 'I',
    '/item?page=2': 'I',
    '/item?page=3': 'I',
    '/x?page=1': 'X',
    '/x': 'X',
  }
  expect(proposeNames(pages)).toEqual([])
})

it('finds those that vary together', () => {
  const pages = { '/a?ref=1&from=x': 'A', '/a?ref=2&from=y': 'A', '/a?ref=3&from=z': 'A', '/b': 'B' }
  expect(proposeNames(pages)).toEqual(['ref', 'from'])
})

it('blames both where pages differ in two and in their content', () => {
  const pages = {
    '/a?ref=1&item=1': 'A',
    '/a?ref=2&item=2': 'B',
    '/a?ref=3&item=3': 'C',
    '/b': 'D',
    '/b?ref=1': 'D',
    '/b?ref=2': 'D',
  }
  expect(propose(pages).map(formatParameterRule)).toEqual(['/b?ref'])
  const more = { ...pages, '/a?ref=9&item=1': 'A', '/a?ref=1&item=2': 'B' }
  expect(propose(more).map(formatParameterRule)).toEqual(['/*?ref'])
})

it('asks for more contents of names that tell pages apart elsewhere', () => {
  const noResults = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`/search?q=${index}`, 'nothing']))
  expect(proposeNames(noResults)).toEqual([])
  const always = ['a', 'b', 'c'].flatMap((path) => [0, 1].map((id): [string, string] => [`/${path}?id=${id}`, path]))
  expect(proposeNames(Object.fromEntries(always))).toEqual(['id'])
})

it('takes order, repetition, escapes and names of objects as they are', () => {
  const pages = {
    '/a?__proto__=1': 'A',
    '/a?__proto__=2': 'A',
    '/a?constructor=1&constructor=2': 'A',
    '/a': 'A',
    '/a?%20=1': 'A',
  }
  expect(proposeNames(pages).sort()).toEqual([' ', '__proto__', 'constructor'])
  expect(proposeParameters([{ url: 'no url', content: 'A' }])).toEqual([])
  expect(proposeNames({})).toEqual([])
})

it('proposes a parameter for the paths at which it changed nothing', () => {
  const pages = {
    '/shop?page=2': 'second',
    '/shop?page=3': 'third',
    '/shop?sort=a': 'shop',
    '/shop?sort=b': 'shop',
    '/shop?sort=c': 'shop',
    '/news?sort=a': 'oldest first',
    '/news?sort=b': 'newest first',
    '/items/1?view=a': 'one',
    '/items/1?view=b': 'one',
    '/items/2?view=a': 'two',
    '/items/2?view=b': 'two',
    '/items/3?view=a': 'three',
    '/items/3?view=b': 'three',
  }
  expect(propose(pages).map(formatParameterRule)).toEqual(['/items/*?view', '/shop?sort'])
})
