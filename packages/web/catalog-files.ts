import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('src/', import.meta.url))

/** What loads when: the texts of the scan list, those of all other screens, those of the help. */
export const catalogParts = ['first', 'later', 'docs'] as const
export type CatalogPart = (typeof catalogParts)[number]

type Imports = Record<CatalogPart, string[]>

/** What a file imports: for itself or for a dialog (`first`), or as a screen that brings its texts along. */
function importsOf(file: string): Imports {
  const text = readFileSync(file, 'utf8')
  const paths = (pattern: RegExp) =>
    [...text.matchAll(pattern)]
      .map(([, path]) => join(dirname(file), path!))
      .filter((path) => /\.tsx?$/.test(path))
  return {
    first: [
      ...paths(/^(?:import|export)\s+(?!type\b)[^;'"]*?from\s+'(\.[^']+)'/gm),
      ...paths(/^import\s+'(\.[^']+)'/gm),
      ...paths(/(?<!withLaterTexts\(\s*)\bimport\(\s*'(\.[^']+)'/g),
    ],
    later: paths(/withLaterTexts\(\s*import\(\s*'(\.[^']+)'\s*\)\s*,?\s*\)/g),
    docs: paths(/withLaterTexts\(\s*import\(\s*'(\.[^']+)'\s*\)\s*,\s*'docs'/g),
  }
}

/** All that comes with some files. */
function reached(from: readonly string[], imports: ReadonlyMap<string, Imports>): Set<string> {
  const found = new Set<string>()
  const waiting = [...from]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    waiting.push(...(imports.get(file)?.first ?? []))
  }
  return found
}

/** The sources whose texts each part contains; a source that two parts need is in the one that loads first. */
export function sourcesByPart(): Record<CatalogPart, string[]> {
  const all = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => join(source, path))
  const imports = new Map(all.map((file) => [file, importsOf(file)]))
  const screens = (part: CatalogPart) => [...imports.values()].flatMap((found) => found[part])
  const first = reached([join(source, 'app/main.tsx')], imports)
  const later = [...reached(screens('later'), imports)].filter((file) => !first.has(file))
  const docs = [...reached(screens('docs'), imports)].filter(
    (file) => !first.has(file) && !later.includes(file),
  )
  return { first: [...first], later, docs }
}
