import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('src/', import.meta.url))

/** Modules that come with a file: those it imports, at once or for a dialog, but no screen that brings texts of its own. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;'"]*?from\s+'(\.[^']+)'/gm),
    ...text.matchAll(/^import\s+'(\.[^']+)'/gm),
    ...text.matchAll(/(?<!withLaterTexts\(\s*)\bimport\(\s*'(\.[^']+)'/g),
  ]
  return found.map(([, path]) => join(dirname(file), path!)).filter((path) => /\.tsx?$/.test(path))
}

/**
 * The sources by the catalogue that holds their texts: `first`, what the scan list needs; `later`, what is reached only
 * by way of `withLaterTexts`; `docs`, the help.
 */
export function sourcesByCatalog(): { first: string[]; later: string[]; docs: string[] } {
  const first = new Set<string>()
  const waiting = [join(source, 'app/main.tsx')]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (first.has(file)) continue
    first.add(file)
    waiting.push(...importsOf(file))
  }
  const all = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => join(source, path))
  const others = all.filter((path) => !first.has(path))
  const isDocs = (path: string) => /[\\/]app[\\/]docs-[\w-]+\.tsx?$/.test(path)
  return {
    first: [...first],
    later: others.filter((path) => !isDocs(path)),
    docs: others.filter(isDocs),
  }
}
