import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { getBuildName } from './build-name.ts'
import { packCommandLine } from './pack.ts'

/**
 * Builds the release from committed files: the product, the command line as an npm package, a list of all packages in them
 * (CycloneDX), the notes of this version, and digests.
 *
 *   npm run release [-- FOLDER]
 *
 * The product is plain JavaScript and the built web application. `npm ci --omit=dev` in its folder installs the lockfile's
 * packages for the target machine.
 */
const root = join(import.meta.dirname, '..')
const outFolder = resolve(process.env.INIT_CWD ?? '', process.argv[2] ?? join(root, 'release'))
// Existing files might be unrelated, so they are never overwritten.
if (process.argv[2] !== undefined && existsSync(outFolder) && readdirSync(outFolder).length > 0)
  throw new Error(`${outFolder} is not empty. Name a folder that is not there yet.`)
type Manifest = {
  name: string
  version: string
  engines: Record<string, string>
  scripts: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const readManifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const { version } = readManifest('.')

const runProgram = (program: string, args: readonly string[], cwd = root): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] })

/** Copies committed or built files to the same place below another folder. */
function copyPaths(targetFolder: string, ...places: readonly string[]): void {
  for (const place of places) {
    mkdirSync(dirname(join(targetFolder, place)), { recursive: true })
    cpSync(join(root, place), join(targetFolder, place), { recursive: true })
  }
}
const writeJson = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** Produces identical bytes from identical files, on every machine and at any time. */
function packFolder(folder: string, name: string): void {
  const time = runProgram('git', ['log', '-1', '--format=%cI']).trim()
  const same = ['--sort=name', `--mtime=${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go=rX']
  const tar = join(folder, `${name}.tar`)
  runProgram('tar', [...same, '-cf', tar, '-C', folder, name])
  runProgram('gzip', ['-n9', tar])
  cpSync(`${tar}.gz`, join(outFolder, `${name}.tar.gz`))
}

/** Packs the server product. */
function packProduct(folder: string): void {
  const name = `clearway-${version}`
  const productFolder = join(folder, name)
  const committed = runProgram('git', ['ls-files', 'docs', 'deploy', 'packages/cli/bin', 'packages/engine/data'])
    .trim()
    .split('\n')
  copyPaths(
    productFolder,
    'package-lock.json',
    '.npmrc',
    'LICENSE',
    'THIRD-PARTY-NOTICES.md',
    'CHANGELOG.md',
    'README.md',
    'SECURITY.md',
  )
  copyPaths(productFolder, 'scripts/node24.mjs', 'scripts/end-with.mjs', 'scripts/javascript.ts', ...committed)
  for (const packageName of ['contract', 'engine', 'server', 'cli'])
    copyPaths(productFolder, `packages/${packageName}/package.json`, `packages/${packageName}/dist`)
  copyPaths(productFolder, 'packages/web/dist')
  const manifest = readManifest('.')
  // The other scripts need the sources.
  const isServerScript = (command: string) => command.includes(' packages/server/src/')
  const scripts = Object.fromEntries(Object.entries(manifest.scripts).filter(([, command]) => isServerScript(command)))
  const build = getBuildName()
  writeJson(join(productFolder, 'package.json'), { ...manifest, scripts, build })
  writeJson(join(productFolder, 'packages/cli/package.json'), { ...readManifest('packages/cli'), build })
  packFolder(folder, name)
}

/** Returns the changelog section of this version, or of the unreleased changes while it has no heading. */
function extractNotes(): string {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  const part =
    sections.find((section) => section.startsWith(version)) ?? sections.find((section) => section.startsWith('Unreleased'))
  return `# Clearway ${version}\n${(part ?? '').replace(/^.*\n/, '')}`
}

const uncommittedFiles = runProgram('git', ['status', '--porcelain']).trim()
if (uncommittedFiles !== '') throw new Error(`A release is made of what is committed. This is not:\n${uncommittedFiles}`)
rmSync(outFolder, { recursive: true, force: true })
mkdirSync(outFolder, { recursive: true })
runProgram('npm', ['run', 'build'])
const folder = mkdtempSync(join(tmpdir(), 'clearway-release-'))
try {
  packProduct(folder)
  cpSync(await packCommandLine(folder), join(outFolder, `clearway-cli-${version}.tgz`))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const packages = runProgram('npm', ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'])
writeFileSync(join(outFolder, `clearway-${version}.cdx.json`), packages)
writeFileSync(join(outFolder, 'NOTES.md'), extractNotes())
const digests = readdirSync(outFolder)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(outFolder, name)))
        .digest('hex')}  ${name}\n`,
  )
writeFileSync(join(outFolder, 'SHA256SUMS'), digests.join(''))
console.log(digests.join(''))
