import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'

/**
 * The documentation website: the repository's Markdown as it is, without copies. A link to another file of the repository
 * (an alert rule, a chart) leads to that file, which is copied next to the pages.
 */
const root = join(import.meta.dirname, '../..')

/** Location of each file on the website; files without a match are no pages. */
const places: [from: RegExp, to: string][] = [
  [/^README\.md$/, 'index.md'],
  [/^(CHANGELOG|CONTRIBUTING|SECURITY)\.md$/, '$1.md'],
  [/^docs\/adr\/README\.md$/, 'adr/index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^(deploy\/.+|bench)\/README\.md$/, '$1.md'],
]
const findPlace = (file: string): string | null => {
  const matchingPlace = places.find(([from]) => from.test(file))
  return matchingPlace ? file.replace(...matchingPlace) : null
}

/** Returns the title of a page: its first heading. */
const readTitle = (file: string): string => /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))![1]!.replaceAll('`', '')
const buildEntry = (file: string) => ({
  text: file === 'README.md' ? 'What it is' : readTitle(file),
  link: `/${findPlace(file)!.replace(/(^index)?\.md$/, '')}`,
})
const listEntries = (name: string) =>
  readdirSync(join(root, name))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => buildEntry(`${name}/${file}`))

const groups: [text: string, files: string[]][] = [
  [
    'Start',
    [
      'README.md',
      'docs/TOUR.md',
      'docs/COMPARISON.md',
      'docs/INSTALL.md',
      'docs/generated/settings.md',
      'docs/SIZING.md',
      'docs/SCALE.md',
      'CHANGELOG.md',
    ],
  ],
  [
    'Run it',
    [
      'docs/OPERATING.md',
      'docs/UPGRADING.md',
      'docs/MONITORING.md',
      'docs/RUNBOOK.md',
      'docs/TROUBLESHOOTING.md',
      'deploy/image/README.md',
      'deploy/keycloak/README.md',
      'SECURITY.md',
    ],
  ],
  [
    'Use it',
    [
      'docs/SCANNING.md',
      'docs/COMMAND-LINE.md',
      'docs/EXPORTS.md',
      'docs/WEBHOOKS.md',
      'docs/generated/scan-settings.md',
      'docs/generated/proof.md',
      'docs/generated/permissions.md',
    ],
  ],
  [
    'Work on it',
    [
      'CONTRIBUTING.md',
      'docs/ARCHITECTURE.md',
      'docs/DATA-MODEL.md',
      'docs/WORDS.md',
      'docs/SCREENS.md',
      'docs/API-WALK.md',
      'docs/SECURITY-CHECKLIST.md',
      'bench/README.md',
    ],
  ],
]

/** Files that pages link to, by their path in the repository. */
const linked = new Set<string>()

/** Markdown files that are no pages are served as text. */
const toTextFile = (file: string): string => file.replace(/\.md$/, '.txt')

/** Returns the target of a page's link on the website; null if the link is correct as it is. */
function resolveLink(page: string, href: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return null
  const [path = '', hash = ''] = href.split(/(?=#)/)
  const target = relative(root, join(root, dirname(page), decodeURIComponent(path)))
  const place = findPlace(target)
  if (place && existsSync(join(root, target))) return `/${place}${hash}`
  if (!existsSync(join(root, target))) return null
  if (statSync(join(root, target)).isDirectory()) return resolveLink(page, `${path}/README.md`)
  linked.add(target)
  return `/files/${toTextFile(target)}`
}

/** Adds a class to an image for one of the color schemes. */
const addClass = (imageHtml: string, name: 'light' | 'dark'): string =>
  imageHtml.replace('<img ', `<img class="${name}-picture" `)

/** Copies the files that pages link to next to the pages. */
function copyLinked(to: string): void {
  for (const file of linked) {
    mkdirSync(join(to, 'files', dirname(file)), { recursive: true })
    copyFileSync(join(root, file), join(to, 'files', toTextFile(file)))
  }
}

export default defineConfig({
  title: 'Clearway',
  description: 'Watches the accessibility of websites and PDFs, self-hosted',
  lang: 'en',
  srcDir: '..',
  srcExclude: [
    '{packages,fixtures,e2e,scripts,site,release,data,tmp,.*}/**',
    'bench/*/**',
    'deploy/helm/**',
    'THIRD-PARTY-NOTICES.md',
  ],
  outDir: './dist',
  cacheDir: './.cache',
  rewrites: (file) => findPlace(file) ?? file,
  buildEnd: ({ outDir }) => copyLinked(outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: [
      ...groups.map(([text, files]) => ({ text, items: files.map(buildEntry) })),
      {
        text: 'Decisions',
        items: listEntries('docs/adr').filter(({ link }) => link !== '/adr/'),
      },
    ],
  },
  markdown: {
    // Pages contain only Markdown: an apparent tag is text.
    html: false,
    // Both are legible by WCAG AA.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      const open = markdown.renderer.rules.link_open!
      markdown.renderer.rules.link_open = (tokens, at, options, env: { realPath?: string }, self) => {
        // The search index has no links.
        if (env.realPath === undefined) return open(tokens, at, options, env, self)
        const token = tokens[at]!
        const href = token.attrGet('href')!
        token.attrSet('href', resolveLink(relative(root, env.realPath), href) ?? href)
        return open(tokens, at, options, env, self)
      }
      const image = markdown.renderer.rules.image!
      markdown.renderer.rules.image = (tokens, at, options, env, self) => {
        const html = image(tokens, at, options, env, self)
        // The hidden one is not announced. See style.css.
        return html.includes('-light.png')
          ? `${addClass(html, 'light')}${addClass(html.replace('-light.png', '-dark.png'), 'dark')}`
          : html
      }
    },
  },
})
