import { expect, test } from 'vitest'
import { readRobots } from './rules.ts'

// Cases that the search engines' open-source parser documents, for a crawler called FooBot unless stated otherwise.
const isAllowed = (robotsText: string, path: string, agentName = 'FooBot') => readRobots(robotsText, agentName).allows(path)

const groupedRobots = `allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
`

test.each([
  ['a rule', 'user-agent: FooBot\ndisallow: /\n', '/x/y', false],
  ['unknown fields', 'foo: FooBot\nbar: /\n', '/x/y', true],
  ['no colons', 'user-agent FooBot\ndisallow /\n', '/x/y', false],
  ['a separate group', groupedRobots, '/x/b', true],
  ['a group in two parts', groupedRobots, '/z/d', true],
  ["another's group", groupedRobots, '/y/c', false],
  ['rules before any group', groupedRobots, '/foo/bar/', false],
  ['a sitemap does not end a group', 'User-agent: FooBot\nSitemap: https://a.test/s\nUser-agent: *\nDisallow: /\n', '/', false],
  ['an unknown line does not end a group', 'User-agent: FooBot\nInvalid-Line: x\nUser-agent: *\nDisallow: /\n', '/', false],
  ['field names in any case', 'USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n', '/x/y', true],
  ['agents in any case', 'User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n', '/y', true],
  ['agents in any case', 'User-Agent: fOObOT\nAllow: /x/\nDisallow: /\n', '/y', false],
  ['agents up to the first space', 'User-Agent: *\nDisallow: /\nUser-Agent: FooBot 1.0\nAllow: /x/\n', '/x/y', true],
  ['agents without version', 'user-agent: FooBot/2.1\ndisallow: /\n', '/x', false],
  ['nothing', '', '/x/y', true],
  ['the general group', 'user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n', '/x/y', false],
  ['only other groups', 'user-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /\n', '/x', true],
  ['paths mind case', 'user-agent: FooBot\ndisallow: /X/\n', '/x/y', true],
  ['paths mind case', 'user-agent: FooBot\ndisallow: /x/\n', '/x/y', false],
  ['the longest wins', 'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n', '/x/page.html', false],
  ['the longest wins', 'user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n', '/x/page.html', true],
  ['the longest wins', 'user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n', '/x/', false],
  ['empty values', 'user-agent: FooBot\ndisallow: \nallow: \n', '/x/page.html', true],
  ['allow wins among equals', 'user-agent: FooBot\ndisallow: /\nallow: /\n', '/x/page.html', true],
  ['an extra slash', 'user-agent: FooBot\ndisallow: /x\nallow: /x/\n', '/x', false],
  ['an extra slash', 'user-agent: FooBot\ndisallow: /x\nallow: /x/\n', '/x/', true],
  ['twins', 'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n', '/x/page.html', true],
  ['a wildcard is longer', 'user-agent: FooBot\nallow: /page\ndisallow: /*.html\n', '/page.html', false],
  ['a wildcard is longer', 'user-agent: FooBot\nallow: /page\ndisallow: /*.html\n', '/page', true],
  ['a path is longer', 'user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n', '/x/page.html', true],
  ['a path is longer', 'user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n', '/x/y.html', false],
  ['only its own group', 'User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n', '/x/page', true],
  ['only its own group', 'User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n', '/y/page', false],
  [
    'query with a URL',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n',
    '/foo/bar?qux=taz&baz=http://foo.bar?tar&par',
    true,
  ],
  ['letters beyond ASCII', 'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n', '/foo/bar/%E3%83%84', true],
  ['letters beyond ASCII', 'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n', '/foo/bar/%e3%83%84', true],
  ['needless escapes', 'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n', '/foo/bar/baz', false],
  ['needless escapes', 'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n', '/foo/bar/%62%61%7A', true],
  ['a star inside', 'User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n', '/foo/bar/quz', false],
  ['a star inside', 'User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n', '/foo//quz', true],
  ['the end', 'User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n', '/foo/bar', false],
  ['the end', 'User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n', '/foo/bar/', true],
  ['comments', 'User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n', '/foo/bar', true],
  ['comments', 'User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n', '/foo/quz', false],
  ['index.html is its folder', 'User-Agent: *\nAllow: /a/index.html\nDisallow: /\n', '/a/', true],
  ['index.html is its folder', 'User-Agent: *\nAllow: /a/index.html\nDisallow: /\n', '/a/index.htm', false],
  ['index.html is its folder', 'User-Agent: *\nAllow: /a/index.html\nDisallow: /\n', '/b', false],
  ['a byte order mark', '\uFEFFUser-Agent: foobot\nDisallow: /\n', '/', false],
  ['half a byte order mark', '\uFFFDUser-Agent: foobot\nDisallow: /\n', '/', true],
  ['old line ends', 'User-Agent: foo\rDisallow: /\rUser-Agent: foobot\rDisallow: /x\r', '/x', false],
  ['typing errors', 'useragent: FooBot\ndissallow: /\n', '/', false],
] as const)('%s: %j says of %s: %s', (_, robots, path, allowed) => expect(isAllowed(robots, path)).toBe(allowed))

test.each([
  ['/fish', '/fish /fish.html /fish/salmon.html /fishheads /fish.php?id=1', '/Fish.asp /catfish /?id=fish'],
  ['/fish*', '/fish /fish.html /fishheads/yummy.html', '/Fish.asp /catfish /?id=fish'],
  ['/fish/', '/fish/ /fish/?id=1 /fish/salmon.htm', '/fish /fish.html /Fish/Salmon.asp'],
  ['/*.php', '/filename.php /folder/filename.php?a=b /folder/any.php.file.html /filename.php/', '/ /windows.PHP'],
  ['/*.php$', '/filename.php /folder/filename.php', '/filename.php?a=b /filename.php/ /filename.php5 /windows.PHP'],
  ['/fish*.php', '/fish.php /fishheads/catfish.php?a=b', '/Fish.PHP'],
])('the documented meaning of %s', (pattern, matches, otherPaths) => {
  const robots = `user-agent: FooBot\ndisallow: /\nallow: ${pattern}\n`
  for (const path of matches.split(' ')) expect([path, isAllowed(robots, path)]).toEqual([path, true])
  for (const path of otherPaths.split(' ')) expect([path, isAllowed(robots, path)]).toEqual([path, false])
})

test('other crawlers of the same file', () => {
  expect([isAllowed(groupedRobots, '/y/c', 'BarBot'), isAllowed(groupedRobots, '/w/a', 'BarBot')]).toEqual([true, true])
  expect([isAllowed(groupedRobots, '/z/d', 'BarBot'), isAllowed(groupedRobots, '/z/d', 'BazBot')]).toEqual([false, true])
})

test('handles very long lines and patterns in bounded time', () => {
  const robots = `user-agent: FooBot\ndisallow: /${'*a'.repeat(8000)}\n${'x'.repeat(1_000_000)}`
  const startedAt = performance.now()
  expect(isAllowed(robots, `/${'a'.repeat(4000)}`)).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
