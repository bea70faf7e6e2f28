import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder of a Debian package's documentation. The package is unpacked once into the system's temporary folder, not installed. */
export function fetchDocumentation(packageName: string, folder: string): string {
  const home = join(tmpdir(), 'clearway-bench', 'debian', packageName)
  if (!existsSync(home)) {
    const partFolder = `${home}.part`
    mkdirSync(partFolder, { recursive: true })
    execFileSync('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', packageName], { cwd: partFolder })
    for (const file of readdirSync(partFolder).filter((name) => name.endsWith('.deb')))
      execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: partFolder })
    renameSync(partFolder, home)
  }
  return join(home, 'usr/share/doc', folder)
}

/** Documentation of Debian 12: the package, and the folder of its pages. */
export const documentationSets = [
  ['python3.11-doc', 'python3.11/html'],
  ['git-doc', 'git-doc'],
  ['postgresql-doc-15', 'postgresql-doc-15/html'],
  ['debian-policy', 'debian-policy'],
  ['python-django-doc', 'python-django-doc/html'],
] as const
