import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

// Links of the documentation, as they are followed on GitHub and on the website, which is made of the same files. The build of the
// website refuses dead ones, too, but needs an install of its own; and it does not look at headings.

const root = join(import.meta.dirname, '..')
const files = globSync('{*,{docs,deploy,bench,.github}/**/*}.md', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).filter((file) => file !== 'THIRD-PARTY-NOTICES.md')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const withoutFences = (text: string) => text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '')

/** Names of a page's headings: GitHub's, where the website's is the same. */
function headings(text: string): Set<string> {
  const found = [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase(),
  )
  const onGitHub = (title: string) => title.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
  const onWebsite = (title: string) =>
    title.replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-').replaceAll(/^-|-$/g, '')
  return new Set(found.filter((title) => onGitHub(title) === onWebsite(title)).map(onGitHub))
}

/** Links of a page to other files and headings that lead nowhere. */
function deadLinks(page: string, text: string): string[] {
  const prose = withoutFences(text).replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    ([, inline, below]) => inline ?? below!,
  )
  return links.filter((link) => {
    if (/^([a-z]+:|\/)/.test(link)) return false
    const [path = '', heading] = link.split('#')
    const target = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)))
    if (target !== page && !existsSync(join(root, target))) return true
    return heading !== undefined && !headings(target === page ? text : read(target)).has(heading)
  })
}

it('has no link that leads nowhere', () => {
  expect(files.length).toBeGreaterThan(90)
  expect(files.flatMap((file) => deadLinks(file, read(file)).map((link) => `${file}: ${link}`))).toEqual([])
})

it('finds a link that does', () => {
  const text =
    '# A: b\n## One\n[a](#one) [b](#two) [c](#a-b) [d](adr/README.md) [e](adr/nothing.md) `[f](g.md)`\n```\n[h](i)\n```\n'
  expect(deadLinks('docs/x.md', `${text}\n[j]: nowhere.md\n[k](INSTALL.md#nothing)`)).toEqual([
    '#two',
    'adr/nothing.md',
    'nowhere.md',
    'INSTALL.md#nothing',
  ])
})

/** Numbers of decisions that a text cites and docs/adr does not have. */
const missingDecisions = (text: string): string[] =>
  [...text.matchAll(/\bADR (\d+)\b/g)]
    .map(([, number]) => number!)
    .filter((number) => globSync(`docs/adr/${number.padStart(4, '0')}-*.md`, { cwd: root }).length === 0)

it('cites only decisions that are there', () => {
  expect(missingDecisions('ADR 75 replaces ADR 71 ([ADR 4](a.md))')).toEqual(['71'])
  const sources = globSync('{packages,scripts,e2e,bench}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules') || path.includes('dist'),
  }).filter((file) => file !== 'scripts/docs.test.ts')
  expect(
    [...files, ...sources].flatMap((file) =>
      missingDecisions(read(file)).map((number) => `${file}: ${number}`),
    ),
  ).toEqual([])
})

it('shows in the menu of the website what is there', () => {
  const named = [...read('site/.vitepress/config.ts').matchAll(/^ +'([\w./-]+\.md)',$/gm)].map(
    ([, file]) => file!,
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
