import { expect, it } from 'vitest'
import { createDiscoverDeps, createStartClaim } from '../../../test/discover-deps.ts'
import { buildLinkEntries, buildPreviousEntries, buildUnmetEntries } from './discover.ts'

it.each([
  ['the last run', buildPreviousEntries],
  ['links that are gone', buildUnmetEntries],
])('visits no page of %s whose secret is not stored: a missing page would count as gone', async (_, buildEntries) => {
  const pages = ['/file?token=*', '/file?q=*', '/file'].map((path) => ({
    url: `http://a.test${path}`,
    depth: 1,
    foundOn: 'http://a.test/',
  }))
  const entries = await buildEntries(createDiscoverDeps('representative'), pages)
  expect(entries.map(({ url }) => url)).toEqual(['http://a.test/file?q=*', 'http://a.test/file'])
})

it.each([
  [{}, ['/x?id=1&view=a', '/x?id=1&view=b', '/x?id=2']],
  [{ meaningfulParameters: ['id'] }, ['/x?id=1&view=a', '/x?id=2']],
  [{ ignoreAllParameters: true }, ['/x?id=1&view=a']],
])('finds the pages that parameters tell apart: %j', async (settings, expected) => {
  const discoverDeps = createDiscoverDeps('breadth')
  const claim = createStartClaim('http://a.test/')
  const links = ['/x?id=1&view=a', '/x?id=1&view=b', '/x?id=2'].map((path) => ({ url: `http://a.test${path}` }))
  const entries = await buildLinkEntries({ ...discoverDeps, settings: { ...discoverDeps.settings, ...settings } }, claim, links)
  expect(entries.map(({ url }) => url.slice('http://a.test'.length))).toEqual(expected)
})
