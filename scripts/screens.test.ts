import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const screensDoc = readFileSync(join(root, 'docs/SCREENS.md'), 'utf8')
const sections = screensDoc.split(/^## /m).slice(1)

type Row = { name: string; file: string; words: string }

/** Returns the rows of a table. */
const parseRows = (section: string): Row[] =>
  [...section.matchAll(/^\| `(.+?)`\s*\|.*\| `([^`]+)`: (.+?)\s*\|$/gm)].map(([, name, file, words]) => ({
    name: name!,
    file: file!,
    words: words!,
  }))

/** Returns the router's paths from its source: each route names its parent and its part of the path. */
function listRoutes(): string[] {
  const source = ['router.tsx', 'router-admin.tsx']
    .map((file) => readFileSync(join(root, 'packages/web/src/app', file), 'utf8'))
    .join('\n')
  const routeDefinitions = [
    ...source.matchAll(/const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']+)'/g),
  ].map(([, name, parent, path]) => ({ name: name!, parent: parent!, path: path! }))
  const buildPath = (name: string): string => {
    const route = routeDefinitions.find((definition) => definition.name === name)
    return route ? buildPath(route.parent) + route.path : ''
  }
  return routeDefinitions.map(({ name }) => buildPath(name))
}

/** Names that need a row in docs/SCREENS.md, by the table that contains it. */
const requiredNames: Record<string, readonly string[]> = {
  Layout: [
    'skip link',
    'product switcher',
    'link to the reports',
    'help link',
    'account menu',
    'top navigation',
    'folded menu',
    'scans link of a guest',
    'toolbars',
    'footer',
    'message',
    'first-login dialog',
    'maintenance page',
    'session-expiry alert',
    'unauthorized page',
    'access-denied page',
    'system status indicator',
    'global-config notice',
    'offline notice',
  ],
  Screens: [
    'scan list: all, favorites, mine',
    'scan list: by issues or pages',
    'scan list: running scans',
    'scan list: grouping',
    'scan list: bulk favorite',
    'scan list: bulk delete',
    'scan list: bulk shared script',
    'scan list: bulk preset',
    'overview: runs',
    'overview: score, impacts, page counts',
    'overview: issue groups, selectors, common components',
    'overview: schedule preview',
    'overview: start and cancel',
    'overview: update reports',
    'overview: pause and resume live updates',
    'overview: unavailable',
    'issues list: filters and sorting',
    'issues list: nothing left',
    'issues list: bulk actions',
    'issues list: bulk changes',
    'issues list: export',
    'pages list: filters, bulk actions, export',
    'lists: filters next to a detail',
    'issue detail',
    'page detail',
    'page detail: failure',
    'wizard: eleven steps',
    'wizard: scope',
    'wizard: scope preview',
    'wizard: sign-in tried',
    'wizard: script tried',
    'admin: scan groups stepper',
    'admin: presets stepper',
    'admin: shared scripts stepper',
    'admin: team access',
    'admin: permission settings',
    'admin: classic view switch',
  ],
  Dialogs: [
    'share scan',
    'upload issues',
    'session expiration',
    'select scan and run',
    'picture of a page',
    'delete scan',
    'delete scan group',
    'delete shared script',
    'delete preset',
    'unsaved changes',
  ],
  States: [
    'sign-in',
    'guest',
    'guest refused',
    'system start',
    'configuration not there',
    'session extended',
    'session at zero',
    'logout',
    'run status',
    'issue status',
    'conflict',
    'lost connection',
    'expired session',
  ],
  Messages: [
    'Failed to initialize auth',
    'config fetch failure',
    'system status fetch failure',
    'chunk-load failure',
    'Unable to extend session',
    'Failed to extend session',
    'not an admin of the scan, or scan missing',
    'no run found',
    'delete scans',
    'preset assign',
    'apply shared script or session script',
    'bulk status, assign, mark',
    'Page deleted successfully!',
    'Error creating new scan group',
    'Upload failed in {filename}',
    'Error saving permissions settings',
    'a preset submit error offers Try again',
    'shared script in use',
    'issue upload failures',
    'page failure reasons',
  ],
  Validation: ['scan', 'session', 'schedule', 'filters', 'scripts', 'CSV import', 'retention'],
  'Client state': [
    'monitor.current-version',
    'monitor.user-sessions',
    'monitor.scan-runs-filter',
    'monitor.active-session',
    'monitor.guest-token',
    'guestToken',
  ],
}

test('every route of the application has a row, and every row has a route', () => {
  const routeRows = parseRows(sections.find((section) => section.startsWith('Routes\n')) ?? '')
  expect(routeRows.map(({ name }) => name).sort()).toEqual(listRoutes().sort())
})

test.each(Object.entries(requiredNames))('%s: every name above has a row', (heading, names) => {
  const tableRows = parseRows(sections.find((section) => section.startsWith(`${heading}\n`)) ?? '')
  expect(tableRows.map(({ name }) => name)).toEqual(names)
})

test.each(sections.map((section) => [section.split('\n')[0]!, section]))(
  '%s: every row names a test that contains its words',
  (_, section) => {
    const tableRows = parseRows(section)
    expect(tableRows.length).toBeGreaterThan(3)
    const wrong = tableRows.filter(
      ({ file, words }) => !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(words),
    )
    expect(wrong).toEqual([])
  },
)
