import { expect, it } from 'vitest'
import { buildTitleFinding, findSharedTitles, type TitledPage } from './model.ts'

const buildPage = (url: string, content: string, fields: Partial<TitledPage['evidence']> = {}): TitledPage => ({
  url: `https://ferries.test${url}`,
  content,
  evidence: {
    title: 'Ferries',
    textHash: content,
    textLength: 100,
    words: content.split('').map((letter) => letter.charCodeAt(0)),
    ...fields,
  },
})
const judge = (...pages: TitledPage[]) =>
  findSharedTitles(pages).map(({ page, verdict }) => [page.url.replace('https://ferries.test', ''), verdict])

it('fails pages with different contents and one title, however it is written', () => {
  expect(judge(buildPage('/b', 'xyz'), buildPage('/a', 'abc', { title: '  FERRIES\n' }))).toEqual([
    ['/a', 'fail'],
    ['/b', 'fail'],
  ])
  expect(judge(buildPage('/?p=piers', 'abc'), buildPage('/?p=prices', 'xyz'))).toEqual([
    ['/?p=piers', 'fail'],
    ['/?p=prices', 'fail'],
  ])
})

it.each([
  ['one content at several addresses', buildPage('/a', 'abc'), buildPage('/b', 'abc')],
  ['titles of their own', buildPage('/a', 'abc'), buildPage('/b', 'xyz', { title: 'Prices - Ferries' })],
  ['no titles, which axe reports', buildPage('/a', 'abc', { title: ' ' }), buildPage('/b', 'xyz', { title: '' })],
  ['pages of two hosts', buildPage('/a', 'abc'), { ...buildPage('/b', 'xyz'), url: 'https://trains.test/b' }],
])('accepts %s', (_case, ...pages) => expect(judge(...pages)).toEqual([]))

it.each([
  ['pages of a list', buildPage('/news', 'abc'), buildPage('/news?page=2', 'xyz')],
  ['records with numbers', buildPage('/boat/1', 'abc'), buildPage('/boat/2/', 'xyz')],
  ['contents that are much alike', buildPage('/a', 'abcdefghijklmnopqrstuv'), buildPage('/b', 'abcdefghijklmnopqrstuvw')],
])('asks a person about %s', (_case, ...pages) =>
  expect(judge(...pages).map(([, verdict]) => verdict)).toEqual(['review', 'review']),
)

it('compares thousands of pages with one title', () => {
  const pages = Array.from({ length: 20_000 }, (_, number) =>
    buildPage(`/${'ab'.repeat(1 + (number % 7))}/${number}`, `${number}`),
  )
  expect(findSharedTitles(pages)).toHaveLength(20_000)
})

it('names the other pages, and shows the title as code', () => {
  const shared = findSharedTitles([buildPage('/a', 'abc', { title: 'A & <b>' }), buildPage('/c', 'xyz', { title: 'a & <B>' })])
  expect(shared.map(buildTitleFinding)).toMatchObject([
    {
      severity: 'moderate',
      html: '<title>A &amp; &lt;b></title>',
      fix: { any: ['Another page has this title, for example https://ferries.test/c'] },
      tags: ['cat.driven', 'wcag2a', 'wcag242'],
    },
    { fix: { any: ['Another page has this title, for example https://ferries.test/a'] } },
  ])
})
