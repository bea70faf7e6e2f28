import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

// Checks links of the documentation on GitHub and on the website, which is built from the same files. The website's build
// rejects dead links, too, but needs a separate install and does not check headings.

const root = join(import.meta.dirname, '..')
const files = globSync('{*,{docs,deploy,bench,.github}/**/*}.md', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).filter((file) => file !== 'THIRD-PARTY-NOTICES.md')
const readDoc = (file: string) => readFileSync(join(root, file), 'utf8')
const removeFences = (text: string) => text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '')

/** Returns the anchors of a page's headings: GitHub's, if the website's is the same. */
function listHeadings(text: string): Set<string> {
  const headingTexts = [...removeFences(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase(),
  )
  const toGitHubAnchor = (title: string) => title.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
  const toWebsiteAnchor = (title: string) =>
    title.replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-').replaceAll(/^-|-$/g, '')
  return new Set(headingTexts.filter((title) => toGitHubAnchor(title) === toWebsiteAnchor(title)).map(toGitHubAnchor))
}

/** Lists links of a page to missing files and headings. */
function findDeadLinks(page: string, text: string): string[] {
  const prose = removeFences(text).replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(([, inline, below]) => inline ?? below!)
  return links.filter((link) => {
    if (/^([a-z]+:|\/)/.test(link)) return false
    const [path = '', heading] = link.split('#')
    const target = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)))
    if (target !== page && !existsSync(join(root, target))) return true
    return heading !== undefined && !listHeadings(target === page ? text : readDoc(target)).has(heading)
  })
}

it('has no dead link', () => {
  expect(files.length).toBeGreaterThan(90)
  expect(files.flatMap((file) => findDeadLinks(file, readDoc(file)).map((link) => `${file}: ${link}`))).toEqual([])
})

it('finds a dead link', () => {
  const sampleText =
    '# A: b\n## One\n[a](#one) [b](#two) [c](#a-b) [d](adr/README.md) [e](adr/nothing.md) `[f](g.md)`\n```\n[h](i)\n```\n'
  expect(findDeadLinks('docs/x.md', `${sampleText}\n[j]: nowhere.md\n[k](INSTALL.md#nothing)`)).toEqual([
    '#two',
    'adr/nothing.md',
    'nowhere.md',
    'INSTALL.md#nothing',
  ])
})

/** Lists numbers of cited decisions that docs/adr lacks. */
const findMissingDecisions = (text: string): string[] =>
  [...text.matchAll(/\bADR (\d+)\b/g)]
    .map(([, number]) => number!)
    .filter((number) => globSync(`docs/adr/${number.padStart(4, '0')}-*.md`, { cwd: root }).length === 0)

it('cites only existing decisions', () => {
  expect(findMissingDecisions('ADR 75 replaces ADR 71 ([ADR 4](a.md))')).toEqual(['71'])
  const sources = globSync('{packages,scripts,e2e,bench}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules') || path.includes('dist'),
  }).filter((file) => file !== 'scripts/docs.test.ts')
  expect(
    [...files, ...sources].flatMap((file) => findMissingDecisions(readDoc(file)).map((number) => `${file}: ${number}`)),
  ).toEqual([])
})

it('lists existing pages in the menu of the website', () => {
  const menuFiles = [...readDoc('site/.vitepress/config.ts').matchAll(/^ +'([\w./-]+\.md)',$/gm)].map(([, file]) => file!)
  expect(menuFiles.length).toBeGreaterThan(20)
  expect(menuFiles.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

const sourceFiles = globSync('{packages,e2e,scripts,bench,fixtures,deploy,docs,site}/**/*', {
  cwd: root,
  exclude: (path) => path.includes('node_modules') || /(^|\/)dist$/.test(path),
}).map((file) => file.replaceAll('\\', '/'))
const productText = sourceFiles
  .filter((file) => /^packages\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map(readDoc)
  .join('\n')

/** Lists the files and names of a section of ARCHITECTURE.md that do not exist. Paths may omit `packages/`, `src/` and `monitor/`. */
function findDeadNames(section: string): string[] {
  const isFile = (path: string) => {
    const [packageName, ...rest] = path.split('/')
    const folders = [`packages/${packageName}/src`, `packages/${packageName}/src/monitor`]
    return (
      sourceFiles.some((file) => file === path || file.endsWith(`/${path}`) || file.includes(`/${path}/`)) ||
      folders.some((folder) => sourceFiles.includes([folder, ...rest].join('/')))
    )
  }
  const isName = (name: string) => new RegExp(`(?<![\\w-])${name.replaceAll(/\W/g, '.')}(?![\\w-])`).test(productText)
  return [...section.matchAll(/`([^`]+)`/g)]
    .map(([, code]) => code!.replaceAll(/\s+/g, ' '))
    .filter((code) => !/[<…*{} ]/.test(code))
    .filter((code) =>
      /\/|\.(tsx?|po|css|mjs|yml|json|md)$/.test(code) ? !isFile(code.replaceAll(/^\/|\/$/g, '')) : !isName(code),
    )
}

it('names existing files and functions as the sources of things', () => {
  expect(
    findDeadNames('`server/run` and `findNothing` of `server/run/nothing.ts`, `getRetention` in `config/service.ts`'),
  ).toEqual(['findNothing', 'server/run/nothing.ts'])
  const map = readDoc('docs/ARCHITECTURE.md').split('## One source for each thing')[1]!.split('## The course of a run')[0]!
  expect(findDeadNames(map)).toEqual([])
})
