import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

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
  writeJson(join(productFolder, 'package.json'), { ...manifest, scripts })
  packFolder(folder, name)
}

/** Runs under a supported Node, whichever Node starts it; npm installs one where possible, as for the product. */
const binary = `#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { endWith } from './end-with.mjs'

const program = new URL('../dist/main.js', import.meta.url)
const platform = { linux: 'linux', win32: 'win' }[process.platform]
const file = \`node-\${platform}-\${process.arch}/bin/node\${platform === 'win' ? '.exe' : ''}\`
function ownNode() {
  try {
    return createRequire(import.meta.url).resolve(file)
  } catch {
    return null
  }
}
if (Number(process.versions.node.split('.')[0]) >= 24) await import(program.href)
else {
  const node = ownNode()
  if (node === null) {
    console.error(\`clearway needs Node 24 or newer; this is \${process.versions.node}, and npm brought none for \${process.platform}-\${process.arch}.\`)
    process.exit(2)
  }
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' })
  endWith(child, \`clearway needs Node 24 or newer; this is \${process.versions.node}, and the one that npm brought does not start\`)
}
`

/** Packs `clearway scan` alone: it bundles our packages; the registry provides everything else. */
function packCommandLine(folder: string): void {
  const cliFolder = join(folder, 'cli')
  const ours = ['contract', 'engine'] as const
  cpSync(join(root, 'packages/cli/dist'), join(cliFolder, 'dist'), { recursive: true })
  for (const packageName of ours) {
    const bundledFolder = join(cliFolder, 'node_modules/@clearway', packageName)
    cpSync(join(root, 'packages', packageName, 'dist'), join(bundledFolder, 'dist'), { recursive: true })
    // The bundling package declares its dependencies.
    const { dependencies: _, ...manifest } = readManifest(`packages/${packageName}`)
    writeJson(join(bundledFolder, 'package.json'), manifest)
  }
  const dataFolder = 'packages/engine/data'
  for (const file of runProgram('git', ['ls-files', dataFolder]).trim().split('\n'))
    cpSync(join(root, file), join(cliFolder, 'node_modules/@clearway/engine', relative('packages/engine', file)))
  mkdirSync(join(cliFolder, 'bin'))
  writeFileSync(join(cliFolder, 'bin/clearway.mjs'), binary)
  cpSync(join(root, 'scripts/end-with.mjs'), join(cliFolder, 'bin/end-with.mjs'))
  chmodSync(join(cliFolder, 'bin/clearway.mjs'), 0o755)
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.md']) cpSync(join(root, file), join(cliFolder, file))
  cpSync(join(root, 'docs/COMMAND-LINE.md'), join(cliFolder, 'README.md'))
  const dependencies = [...ours, 'cli'].flatMap((packageName) =>
    Object.entries(readManifest(`packages/${packageName}`).dependencies),
  )
  writeJson(join(cliFolder, 'package.json'), {
    name: 'clearway',
    version,
    description: 'Tests websites and PDFs for accessibility on the command line',
    license: 'Apache-2.0',
    type: 'module',
    engines: readManifest('.').engines,
    bin: { clearway: 'bin/clearway.mjs' },
    // `clearway --version` prints this version.
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: readManifest('.').optionalDependencies ?? {},
    bundleDependencies: ours.map((packageName) => `@clearway/${packageName}`),
  })
  const [{ filename }] = JSON.parse(runProgram('npm', ['pack', '--json', '--ignore-scripts'], cliFolder)) as [
    { filename: string },
  ]
  cpSync(join(cliFolder, filename), join(outFolder, `clearway-cli-${version}.tgz`))
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
  packCommandLine(folder)
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
