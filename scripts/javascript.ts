import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * What runs in production is plain JavaScript: `packages/<name>/src` without its types, in `packages/<name>/dist`, made at
 * the first start after a change. Lines and columns stay, so that a stack trace leads to the source.
 *
 *   node scripts/node24.mjs scripts/javascript.ts
 */
const root = join(import.meta.dirname, '..')
const packages = ['contract', 'engine', 'server', 'cli']

/** A module that another names, by its place or by its package: as an import, or to start a process or a thread. */
const ownModule = /(['"])((?:\.{1,2}|@clearway\/[a-z]+)\/[\w./-]+)\.ts\1/g

function sourcesOf(name: string): string[] {
  const folder = join(root, 'packages', name, 'src')
  const all = globSync('**/*', { cwd: folder, withFileTypes: true })
  return all
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Written aside and moved: whoever starts at the same time reads all of it or none. */
function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, content)
  renameSync(aside, file)
}

/** Where the JavaScript of a source is stored. */
const builtFile = (source: string): string =>
  source.replace(/(packages[\\/]\w+[\\/])src([\\/].*)$/, '$1dist$2').replace(/\.ts$/, '.js')

function buildPackage(name: string): boolean {
  const dist = join(root, 'packages', name, 'dist')
  const stamp = join(dist, 'sources.sha256')
  const sources = sourcesOf(name)
  const contents = sources.map((file) => readFileSync(file))
  const hash = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(process.version)
  for (const [at, content] of contents.entries())
    hash.update(`\n${sources[at]!.slice(root.length)} ${content.length}\n`).update(content)
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false
  rmSync(stamp, { force: true })
  const kept = new Set(sources.map(builtFile))
  for (const [at, content] of contents.entries()) {
    const source = sources[at]!
    if (!source.endsWith('.ts')) write(builtFile(source), content)
    else {
      const plain = stripTypeScriptTypes(content.toString()).replaceAll(ownModule, '$1$2.js$1')
      write(builtFile(source), plain)
    }
  }
  for (const file of globSync('**/*.js', { cwd: dist }))
    if (!kept.has(join(dist, file))) rmSync(join(dist, file))
  write(stamp, wanted)
  return true
}

/** Makes the JavaScript of the packages where it is not that of the sources. A copy without sources has what it needs. */
const buildJavascript = (): string[] =>
  packages.filter((name) => existsSync(join(root, 'packages', name, 'src'))).filter(buildPackage)

/** What Node is called with to run a program of the product as in production: it could not even load a file with types. */
export function production(source: string): string[] {
  buildJavascript()
  return ['--no-strip-types', builtFile(join(root, source))]
}

if (process.argv[1] === import.meta.filename) {
  try {
    buildJavascript()
  } catch (error) {
    console.error(
      `The JavaScript of Clearway (packages/*/dist) cannot be made: ${(error as Error).message}. ` +
        'Run `npm run build` once where the folder can be written.',
    )
    process.exit(2)
  }
}
