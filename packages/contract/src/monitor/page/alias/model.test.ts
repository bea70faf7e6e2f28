import { expect, it } from 'vitest'
import { type AliasCandidate, blankIssues, findAliases, getExtraPages } from './model.ts'

const page = (path: string, fields: Partial<AliasCandidate> = {}): AliasCandidate => ({
  url: `https://a.test${path}`,
  content: 'same',
  title: 'Page',
  ...blankIssues,
  isStandIn: false,
  canonical: null,
  isNamed: false,
  wasTested: false,
  ...fields,
})
const join = (...pages: AliasCandidate[]) =>
  Object.fromEntries(findAliases(pages).map(({ page: { url }, target }) => [url.slice(14), target.url.slice(14)]))
const widget = { canonical: 'https://a.test/w/1234' }

it.each([
  ['parameters', ['/a', '/a?utm_x=1', '/a?sid=2&b=1'], '/a'],
  ['case, slashes and index', ['/About', '/about', '/about/', '/ABOUT/index.html', '//about'], '/about'],
  ['sessions in the path', ['/(S(abc1))/a.aspx', '/(S(xyz2))/a.aspx'], '/(S(abc1))/a.aspx'],
])('joins addresses that differ in %s', (_, paths, target) => {
  const others = paths.filter((path) => path !== target)
  expect(join(...paths.map((path) => page(path)))).toEqual(Object.fromEntries(others.map((path) => [path, target])))
})

it('joins different paths by their canonical URL alone', () => {
  expect(join(page('/Reference/Widget-1234', widget), page('/widgets/blue', widget), page('/w/1234', widget))).toEqual({
    '/Reference/Widget-1234': '/w/1234',
    '/widgets/blue': '/w/1234',
  })
  expect(join(page('/p1/print', { canonical: 'https://a.test/p1' }), page('/p1'))).toEqual({ '/p1/print': '/p1' })
  expect(join(page('/one'), page('/two'))).toEqual({})
  // Careless templates name the home page everywhere.
  expect(join(page('/one', { canonical: 'https://a.test/' }), page('/two', { canonical: 'https://a.test/' }))).toEqual({})
})

it.each([
  ['content', { content: 'other' }],
  ['title', { title: 'Other' }],
  ['issues', { findings: 'image-alt' }],
])('keeps pages apart with another %s', (_, fields) => {
  expect(join(page('/a'), page('/a?x=1', fields))).toEqual({})
})

it('keeps fragments, hosts and pages named by people apart', () => {
  expect(join(page('/a'), page('/a#/b'), page('/a#part'), page('/a', { url: 'https://b.test/a' }))).toEqual({})
  expect(join(page('/a'), page('/a?x=1', { isNamed: true }))).toEqual({ '/a': '/a?x=1' })
  expect(join(page('/a', { isNamed: true }), page('/a?x=1', { isNamed: true }))).toEqual({})
})

it('stays with the page that the previous run tested, whatever the order', () => {
  const pages = [page('/a'), page('/a?x=1', { wasTested: true }), page('/a?y=1')]
  const expected = { '/a': '/a?x=1', '/a?y=1': '/a?x=1' }
  expect([join(...pages), join(...pages.toReversed())]).toEqual([expected, expected])
})

it('compares the issues of a drive on driven pages alone, and stays with the page driven furthest', () => {
  const driven = { driveLevel: 2, drivenFindings: 'focus' }
  expect(join(page('/a', { isNamed: true, ...driven }), page('/a?x=1'))).toEqual({ '/a?x=1': '/a' })
  expect(join(page('/a', { wasTested: true }), page('/a?x=1', { driveLevel: 2 }))).toEqual({ '/a?x=1': '/a' })
  // Whichever was visited first: a drive without issues changes nothing.
  expect(join(page('/a'), page('/a?x=1', { driveLevel: 2 }))).toEqual({ '/a?x=1': '/a' })
  expect(join(page('/a', { wasTested: true }), page('/a?x=1', driven))).toEqual({ '/a': '/a?x=1' })
  expect(join(page('/a', driven), page('/a?x=1', { driveLevel: 2 }), page('/a?y=1'))).toEqual({ '/a?y=1': '/a' })
  expect(join(page('/a', driven), page('/a?x=1', driven))).toEqual({ '/a?x=1': '/a' })
  // A page named by a person that was not driven does not show what the other one does.
  expect(join(page('/a', { isNamed: true }), page('/a?x=1', driven))).toEqual({})
  // Found before the time for the drive ran out.
  expect(join(page('/a', { isNamed: true }), page('/a?x=1', { drivenFindings: 'focus' }))).toEqual({})
})

it('keeps decisions on issues that previous runs found', () => {
  const ignored = { decisions: 'ignored', wasTested: true }
  expect(join(page('/a', ignored), page('/a?x=1', { decisions: '' }))).toEqual({ '/a?x=1': '/a' })
  expect(join(page('/a', ignored), page('/a?x=1', { decisions: '', hasKnownIssues: true }))).toEqual({})
  expect(join(page('/a'), page('/a?x=1', { decisions: 'ignored', hasKnownIssues: true }))).toEqual({})
  expect(join(page('/a', ignored), page('/a?x=1', { decisions: 'ignored', hasKnownIssues: true }))).toEqual({ '/a?x=1': '/a' })
})

it('keeps pages apart that may be a wall: many addresses without issues and content', () => {
  const standIn = { isStandIn: true }
  expect(join(page('/a?id=1', standIn), page('/a?id=2', standIn))).toEqual({ '/a?id=2': '/a?id=1' })
  expect(join(page('/a?id=1', standIn), page('/a?id=2', standIn), page('/a?id=3', standIn))).toEqual({})
  const maintenance = { ...standIn, canonical: 'https://a.test/maintenance' }
  expect(join(page('/a', maintenance), page('/b', maintenance), page('/c', maintenance))).toEqual({})
})

it('joins many addresses in time that grows with their number', () => {
  const pages = Array.from({ length: 20_000 }, (_, index) => page(`/a?x=${index}`))
  expect(findAliases(pages)).toHaveLength(19_999)
})

it.each([
  [0, 100, 0],
  [1, 100, 1],
  [150, 100, 100],
  [49, 10_000, 0],
  [50, 10_000, 50],
  [10_049, 10_000, 10_000],
])('%i joined pages of a limit of %i give %i places back', (joined, limit, places) =>
  expect(getExtraPages(joined, limit)).toBe(places),
)
