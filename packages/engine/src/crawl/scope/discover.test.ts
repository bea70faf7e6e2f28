import { expect, it } from 'vitest'
import { buildPreviousEntries, buildUnmetEntries, type DiscoverDeps } from './discover.ts'

const discoverDeps = {
  scope: () => null,
  robots: { findRefusal: async () => null },
  settings: {
    meaningfulParameters: [],
    meaninglessParameters: [],
    ignoreAllParameters: false,
    discardAnchors: true,
    hashRoutes: false,
  },
  depth: null,
  order: 'representative',
  sources: { followLinks: true },
  opensTrap: () => false,
  acting: { isOn: false, findReason: () => null },
} as unknown as DiscoverDeps

it.each([
  ['the last run', buildPreviousEntries],
  ['links that are gone', buildUnmetEntries],
])('visits no page of %s whose secret is not stored: a missing page would count as gone', async (_, buildEntries) => {
  const pages = ['/file?token=*', '/file?q=*', '/file'].map((path) => ({
    url: `http://a.test${path}`,
    depth: 1,
    foundOn: 'http://a.test/',
  }))
  const entries = await buildEntries(discoverDeps, pages)
  expect(entries.map(({ url }) => url)).toEqual(['http://a.test/file?q=*', 'http://a.test/file'])
})
