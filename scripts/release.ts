import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Makes what is given to people, of what is committed: the product, the command line as a package of npm, a list of all
 * packages in them (CycloneDX), the notes of this version, and digests.
 *
 *   npm run release [-- FOLDER]
 *
 * The product is plain JavaScript and the built web application. `npm ci --omit=dev` in its folder brings the packages of the
 * machine on which it is unpacked, those of the lockfile.
 */
const root = join(import.meta.dirname, '..')
const out = resolve(process.env.INIT_CWD ?? '', process.argv[2] ?? join(root, 'release'))
// What is there already might be anything.
if (process.argv[2] !== undefined && existsSync(out) && readdirSync(out).length > 0)
  throw new Error(`${out} is not empty. Name a folder that is not there yet.`)
type Manifest = {
  name: string
  version: string
  engines: Record<string, string>
  scripts: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const { version } = manifestOf('.')

const call = (program: string, args: readonly string[], cwd = root): string =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Copies what is committed, or was built, to the same place below another folder. */
function copy(to: string, ...places: readonly string[]): void {
  for (const place of places) {
    mkdirSync(dirname(join(to, place)), { recursive: true })
    cpSync(join(root, place), join(to, place), { recursive: true })
  }
}
const writeJson = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** The same bytes from the same files, whoever packs them and when. */
function pack(folder: string, name: string): void {
  const time = call('git', ['log', '-1', '--format=%cI']).trim()
  const same = [
    '--sort=name',
    `--mtime=${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go=rX',
  ]
  const tar = join(folder, `${name}.tar`)
  call('tar', [...same, '-cf', tar, '-C', folder, name])
  call('gzip', ['-n9', tar])
  cpSync(`${tar}.gz`, join(out, `${name}.tar.gz`))
}

/** What runs on a server. */
function packProduct(folder: string): void {
  const name = `clearway-${version}`
  const own = join(folder, name)
  const committed = call('git', ['ls-files', 'docs', 'deploy', 'packages/cli/bin', 'packages/engine/data'])
    .trim()
    .split('\n')
  copy(
    own,
    'package-lock.json',
    '.npmrc',
    'LICENSE',
    'THIRD-PARTY-NOTICES.md',
    'CHANGELOG.md',
    'README.md',
    'SECURITY.md',
  )
  copy(own, 'scripts/node24.mjs', 'scripts/end-with.mjs', 'scripts/javascript.ts', ...committed)
  for (const one of ['contract', 'engine', 'server', 'cli'])
    copy(own, `packages/${one}/package.json`, `packages/${one}/dist`)
  copy(own, 'packages/web/dist')
  const manifest = manifestOf('.')
  // The others are for those who have the sources.
  const works = (line: string) => line.includes(' packages/server/src/')
  const scripts = Object.fromEntries(Object.entries(manifest.scripts).filter(([, line]) => works(line)))
  writeJson(join(own, 'package.json'), { ...manifest, scripts })
  pack(folder, name)
}

/** Whichever Node starts it, it runs under one that it can use: npm brings that where it can, as for the product. */
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

/** `clearway scan` alone: what it needs of ours is in the package, everything else comes from the registry. */
function packCommandLine(folder: string): void {
  const own = join(folder, 'cli')
  const ours = ['contract', 'engine'] as const
  cpSync(join(root, 'packages/cli/dist'), join(own, 'dist'), { recursive: true })
  for (const one of ours) {
    const to = join(own, 'node_modules/@clearway', one)
    cpSync(join(root, 'packages', one, 'dist'), join(to, 'dist'), { recursive: true })
    // Its packages are named by the one that holds it.
    const { dependencies: _, ...manifest } = manifestOf(`packages/${one}`)
    writeJson(join(to, 'package.json'), manifest)
  }
  const data = 'packages/engine/data'
  for (const file of call('git', ['ls-files', data]).trim().split('\n'))
    cpSync(join(root, file), join(own, 'node_modules/@clearway/engine', relative('packages/engine', file)))
  mkdirSync(join(own, 'bin'))
  writeFileSync(join(own, 'bin/clearway.mjs'), binary)
  cpSync(join(root, 'scripts/end-with.mjs'), join(own, 'bin/end-with.mjs'))
  chmodSync(join(own, 'bin/clearway.mjs'), 0o755)
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.md']) cpSync(join(root, file), join(own, file))
  cpSync(join(root, 'docs/COMMAND-LINE.md'), join(own, 'README.md'))
  const needed = [...ours, 'cli'].flatMap((one) => Object.entries(manifestOf(`packages/${one}`).dependencies))
  writeJson(join(own, 'package.json'), {
    name: 'clearway',
    version,
    description: 'Tests websites and PDFs for accessibility on the command line',
    license: 'Apache-2.0',
    type: 'module',
    engines: manifestOf('.').engines,
    bin: { clearway: 'bin/clearway.mjs' },
    // Its version is what `clearway --version` says.
    dependencies: Object.fromEntries(needed),
    optionalDependencies: manifestOf('.').optionalDependencies ?? {},
    bundleDependencies: ours.map((one) => `@clearway/${one}`),
  })
  const [{ filename }] = JSON.parse(call('npm', ['pack', '--json', '--ignore-scripts'], own)) as [
    { filename: string },
  ]
  cpSync(join(own, filename), join(out, `clearway-cli-${version}.tgz`))
}

/** What the changelog says of this version; of what is not released yet while it has no heading. */
function notes(): string {
  const parts = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  const part =
    parts.find((one) => one.startsWith(version)) ?? parts.find((one) => one.startsWith('Unreleased'))
  return `# Clearway ${version}\n${(part ?? '').replace(/^.*\n/, '')}`
}

const changed = call('git', ['status', '--porcelain']).trim()
if (changed !== '') throw new Error(`A release is made of what is committed. This is not:\n${changed}`)
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
call('npm', ['run', 'build'])
const folder = mkdtempSync(join(tmpdir(), 'clearway-release-'))
try {
  packProduct(folder)
  packCommandLine(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const packages = call('npm', ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'])
writeFileSync(join(out, `clearway-${version}.cdx.json`), packages)
writeFileSync(join(out, 'NOTES.md'), notes())
const digests = readdirSync(out)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  )
writeFileSync(join(out, 'SHA256SUMS'), digests.join(''))
console.log(digests.join(''))
