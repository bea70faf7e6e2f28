import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Production runs plain JavaScript: `packages/<name>/src` without its types, in `packages/<name>/dist`, built at the first
 * start after a change. Lines and columns are preserved, so that stack traces match the source.
 *
 *   node scripts/node24.mjs scripts/javascript.ts
 */
const root = join(import.meta.dirname, '..')
const packages = ['contract', 'engine', 'server', 'cli']

/** A module referenced by path or package: as an import, or to start a process or a thread. */
const ownModule = /(['"])((?:\.{1,2}|@clearway\/[a-z]+)\/[\w./-]+)\.ts\1/g

function listSources(name: string): string[] {
  const folder = join(root, 'packages', name, 'src')
  const folderEntries = globSync('**/*', { cwd: folder, withFileTypes: true })
  return folderEntries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Writes to a temporary file and moves it, so that a process starting at the same time reads all of it or none. */
function writeAtomically(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, content)
  renameSync(aside, file)
}

/** Returns the path of the JavaScript of a source. */
const getBuiltFile = (source: string): string =>
  source.replace(/(packages[\\/]\w+[\\/])src([\\/].*)$/, '$1dist$2').replace(/\.ts$/, '.js')

function buildPackage(name: string): boolean {
  const dist = join(root, 'packages', name, 'dist')
  const stamp = join(dist, 'sources.sha256')
  const sources = listSources(name)
  const contents = sources.map((file) => readFileSync(file))
  const hash = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(process.version)
  for (const [position, content] of contents.entries())
    hash.update(`\n${sources[position]!.slice(root.length)} ${content.length}\n`).update(content)
  const expectedHash = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expectedHash) return false
  rmSync(stamp, { force: true })
  const currentFiles = new Set(sources.map(getBuiltFile))
  for (const [sourceIndex, content] of contents.entries()) {
    const source = sources[sourceIndex]!
    if (!source.endsWith('.ts')) writeAtomically(getBuiltFile(source), content)
    else {
      const plain = stripTypeScriptTypes(content.toString()).replaceAll(ownModule, '$1$2.js$1')
      writeAtomically(getBuiltFile(source), plain)
    }
  }
  for (const file of globSync('**/*.js', { cwd: dist })) if (!currentFiles.has(join(dist, file))) rmSync(join(dist, file))
  writeAtomically(stamp, expectedHash)
  return true
}

/** Builds the JavaScript of packages whose sources have changed. A copy without sources already has everything. */
const buildJavascript = (): string[] =>
  packages.filter((name) => existsSync(join(root, 'packages', name, 'src'))).filter(buildPackage)

/** Returns Node's arguments to run a program of the product as in production, unable to load a file with types. */
export function buildProductionArgs(source: string): string[] {
  buildJavascript()
  return ['--no-strip-types', getBuiltFile(join(root, source))]
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
