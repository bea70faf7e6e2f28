import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'

/**
 * The documentation as a website: the Markdown of the repository as it is, none of it copied. A link that leads to another file
 * of the repository (an alert rule, a chart) leads to that file, which is laid beside the pages.
 */
const root = join(import.meta.dirname, '../..')

/** Where each file is on the website; what is not here is no page. */
const places: [from: RegExp, to: string][] = [
  [/^README\.md$/, 'index.md'],
  [/^(CHANGELOG|CONTRIBUTING|SECURITY)\.md$/, '$1.md'],
  [/^docs\/adr\/README\.md$/, 'adr/index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^(deploy\/.+|bench)\/README\.md$/, '$1.md'],
]
const placeOf = (file: string): string | null => {
  const found = places.find(([from]) => from.test(file))
  return found ? file.replace(...found) : null
}

/** Title of a page: its first heading. */
const titleOf = (file: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))![1]!.replaceAll('`', '')
const entry = (file: string) => ({
  text: file === 'README.md' ? 'What it is' : titleOf(file),
  link: `/${placeOf(file)!.replace(/(^index)?\.md$/, '')}`,
})
const folder = (name: string) =>
  readdirSync(join(root, name))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => entry(`${name}/${file}`))

const groups: [text: string, files: string[]][] = [
  [
    'Start',
    [
      'README.md',
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

/** Markdown that is no page is text. */
const fileName = (file: string): string => file.replace(/\.md$/, '.txt')

/** Where a link of a page leads on the website; null when that is right as it is. */
function resolveLink(page: string, href: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return null
  const [path = '', hash = ''] = href.split(/(?=#)/)
  const target = relative(root, join(root, dirname(page), decodeURIComponent(path)))
  const place = placeOf(target)
  if (place && existsSync(join(root, target))) return `/${place}${hash}`
  if (!existsSync(join(root, target))) return null
  if (statSync(join(root, target)).isDirectory()) return resolveLink(page, `${path}/README.md`)
  linked.add(target)
  return `/files/${fileName(target)}`
}

/** Lays the files that pages link to beside the pages. */
function copyLinked(to: string): void {
  for (const file of linked) {
    mkdirSync(join(to, 'files', dirname(file)), { recursive: true })
    copyFileSync(join(root, file), join(to, 'files', fileName(file)))
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
  rewrites: (file) => placeOf(file) ?? file,
  buildEnd: ({ outDir }) => copyLinked(outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: [
      ...groups.map(([text, files]) => ({ text, items: files.map(entry) })),
      {
        text: 'Decisions',
        items: folder('docs/adr').filter(({ link }) => link !== '/adr/'),
      },
    ],
  },
  markdown: {
    // Pages are Markdown and nothing else: what looks like a tag is text.
    html: false,
    // Both are legible by WCAG AA.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      const open = markdown.renderer.rules.link_open!
      markdown.renderer.rules.link_open = (tokens, at, options, env: { realPath?: string }, self) => {
        // The index of the search has no links.
        if (env.realPath === undefined) return open(tokens, at, options, env, self)
        const token = tokens[at]!
        const href = token.attrGet('href')!
        token.attrSet('href', resolveLink(relative(root, env.realPath), href) ?? href)
        return open(tokens, at, options, env, self)
      }
    },
  },
})
