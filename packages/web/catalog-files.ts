import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sourceFolder = fileURLToPath(new URL('src/', import.meta.url))

/** Load order of texts: scan list, all other screens, help. */
export const catalogParts = ['first', 'later', 'docs'] as const
export type CatalogPart = (typeof catalogParts)[number]

type ImportsByPart = Record<CatalogPart, string[]>

/** Returns the imports of a file: for itself or a dialog (`first`), or as a screen that loads its own texts. */
function findImports(file: string): ImportsByPart {
  const sourceText = readFileSync(file, 'utf8')
  const findPaths = (pattern: RegExp) =>
    [...sourceText.matchAll(pattern)].map(([, path]) => join(dirname(file), path!)).filter((path) => /\.tsx?$/.test(path))
  return {
    first: [
      ...findPaths(/^(?:import|export)\s+(?!type\b)[^;'"]*?from\s+'(\.[^']+)'/gm),
      ...findPaths(/^import\s+'(\.[^']+)'/gm),
      ...findPaths(/(?<!withDeferredTexts\(\s*)\bimport\(\s*'(\.[^']+)'/g),
    ],
    later: findPaths(/withDeferredTexts\(\s*import\(\s*'(\.[^']+)'\s*\)\s*,?\s*\)/g),
    docs: findPaths(/withDeferredTexts\(\s*import\(\s*'(\.[^']+)'\s*\)\s*,\s*'docs'/g),
  }
}

/** Returns the given files and everything that they import. */
function collectReachable(entryFiles: readonly string[], importsByFile: ReadonlyMap<string, ImportsByPart>): Set<string> {
  const reachable = new Set<string>()
  const pendingFiles = [...entryFiles]
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (reachable.has(file)) continue
    reachable.add(file)
    pendingFiles.push(...(importsByFile.get(file)?.first ?? []))
  }
  return reachable
}

/** Returns the sources of each part. A source that two parts need belongs to the part that loads first. */
export function findSourcesByPart(): Record<CatalogPart, string[]> {
  const allSources = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => join(sourceFolder, path))
  const importsByFile = new Map(allSources.map((file) => [file, findImports(file)]))
  const findScreens = (part: CatalogPart) => [...importsByFile.values()].flatMap((fileImports) => fileImports[part])
  const firstSources = collectReachable([join(sourceFolder, 'app/main.tsx')], importsByFile)
  const laterSources = [...collectReachable(findScreens('later'), importsByFile)].filter((file) => !firstSources.has(file))
  const docsSources = [...collectReachable(findScreens('docs'), importsByFile)].filter(
    (file) => !firstSources.has(file) && !laterSources.includes(file),
  )
  return { first: [...firstSources], later: laterSources, docs: docsSources }
}
