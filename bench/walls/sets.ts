import { documentationSets, fetchDocumentation } from '../engine/debian.ts'
import { fetchVersion } from '../identity/scan.ts'
import { type Site, sites } from '../identity/sites.ts'

/** Pages that nothing stands in front of, in one version or two. */
export type PageSet = { kind: string; name: string; folders: readonly string[] }

/** Published component libraries and the folders of their built pages. */
const libraries: readonly (readonly [name: string, version: string, folder: string])[] = [
  ['uikit', '3.21.13', 'tests'],
  ['tabler-ui', '0.0.34', 'dist'],
  ['semantic-ui', '2.4.2', 'examples'],
  ['foundation-sites', '6.8.1', 'test/visual'],
  ['material-dashboard', '2.1.0', '.'],
  ['now-ui-kit', '1.3.0', '.'],
  ['argon-design-system-free', '1.2.0', '.'],
]

/** A sixth site in two versions, without identities followed by hand. */
const picoDocs: Site = { name: '@picocss/pico', registry: 'npm', versions: ['1.4.4', '1.5.13'], folder: 'docs' }

const fetchLibrary = (name: string, version: string, folder: string) =>
  fetchVersion({ name, registry: 'npm', versions: [version, version], folder }, version)

export const listPageSets = (): PageSet[] => [
  ...documentationSets.map(([name, folder]) => ({
    kind: 'documentation',
    name,
    folders: [fetchDocumentation(name, folder)],
  })),
  ...libraries.map(([name, version, folder]) => ({
    kind: 'library',
    name: `${name} ${version}`,
    folders: [fetchLibrary(name, version, folder)],
  })),
  { kind: 'library', name: 'jquery-ui', folders: [fetchDocumentation('libjs-jquery-ui-docs', 'libjs-jquery-ui-docs')] },
  ...[...sites, picoDocs].map((site) => ({
    kind: 'versions',
    name: `${site.name} ${site.versions.join(' to ')}`,
    folders: site.versions.map((version) => fetchVersion(site, version)),
  })),
]
