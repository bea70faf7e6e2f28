import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { getBuildName } from './build-name.ts'

/**
 * Packs the command line as an npm package that runs on Node 20 and newer, and prints the path of the tarball.
 *
 *   npm run -s pack
 */
const root = join(import.meta.dirname, '..')
const cliFolder = join(root, 'packages/cli')

type Manifest = { version: string; license: string; engines?: object; dependencies: Record<string, string> }
const readManifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** Packages with files of their own, which are installed. The bundle contains all others. */
const installedNames = /^(playwright-core|@hyzyla\/pdfium|@sparticuz\/chromium|axe-core-.*)$/

const programs = [
  { source: 'packed-main.ts', target: 'main.js' },
  { source: 'packed-pdf-process.ts', target: 'pdf-process.js' },
]

/** Paths relative to a source, and those in the package. */
const movedPaths: readonly [inSource: string, inPackage: string][] = [
  ["'./process.ts'", "'./pdf-process.js'"],
  ['../../../data/', '../data/'],
]
const movePaths: Plugin = {
  name: 'move-paths',
  transform: (code) =>
    code.includes('import.meta.url')
      ? movedPaths.reduce((moved, [inSource, inPackage]) => moved.replace(inSource, inPackage), code)
      : null,
}

/** Puts the name of the build into the manifest that `--version` reads. */
const nameBuild: Plugin = {
  name: 'name-build',
  load: (id) =>
    id === join(cliFolder, 'package.json') ? JSON.stringify({ ...readManifest('packages/cli'), build: getBuildName() }) : null,
}

async function bundlePrograms(targetFolder: string): Promise<void> {
  for (const { source, target } of programs) {
    const bundle = await rolldown({
      input: join(cliFolder, 'src', source),
      cwd: root,
      platform: 'node',
      external: installedNames,
      plugins: [movePaths, nameBuild],
      transform: { target: 'node20.17' },
    })
    const { output } = await bundle.write({ file: join(targetFolder, target), format: 'esm', codeSplitting: false })
    const strayPath = output.flatMap((chunk) => ('code' in chunk ? (/new URL\([^)]*\.ts['"`]/.exec(chunk.code) ?? []) : []))[0]
    if (strayPath) throw new Error(`${target} refers to a source: ${strayPath}`)
  }
}

function buildManifest(): object {
  const { version, license } = readManifest('packages/cli')
  const { dependencies } = readManifest('packages/engine')
  return {
    name: 'clearway',
    version,
    description: 'Tests websites and PDFs for accessibility on the command line and in continuous integration',
    keywords: ['accessibility', 'a11y', 'axe', 'wcag', 'pdf-ua', 'ci', 'sarif'],
    license,
    type: 'module',
    bin: { clearway: 'bin/clearway.mjs' },
    exports: { './package.json': './package.json', './schema/*.json': './schema/*.json' },
    files: ['bin', 'data', 'dist', 'schema', 'THIRD-PARTY-NOTICES.md'],
    engines: { node: '>=20.17' },
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => installedNames.test(name))),
    build: getBuildName(),
    publishConfig: { access: 'public', provenance: true },
  }
}

const schemaNames = ['config', 'scan-report', 'gate-report']

/**
 * Packs the command line.
 * @returns the path of the tarball in the folder
 */
export async function packCommandLine(folder: string): Promise<string> {
  const packageFolder = join(folder, 'package')
  rmSync(packageFolder, { recursive: true, force: true })
  mkdirSync(packageFolder, { recursive: true })
  await bundlePrograms(join(packageFolder, 'dist'))
  for (const [source, target] of [
    ['scripts/packed-command.mjs', 'bin/clearway.mjs'],
    ['packages/cli/README.md', 'README.md'],
    ['packages/engine/data', 'data'],
    ...schemaNames.map((name) => [`docs/generated/${name}.schema.json`, `schema/${name}.schema.json`] as const),
    ['LICENSE', 'LICENSE'],
    ['THIRD-PARTY-NOTICES.md', 'THIRD-PARTY-NOTICES.md'],
  ] as const)
    cpSync(join(root, source), join(packageFolder, target), { recursive: true })
  writeFileSync(join(packageFolder, 'package.json'), `${JSON.stringify(buildManifest(), null, 2)}\n`)
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: packageFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return join(folder, filename)
}

if (process.argv[1] === import.meta.filename) console.log(await packCommandLine(join(root, '.cache/pack')))
