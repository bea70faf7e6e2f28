import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names the build for releases and images: the commit and its time, which are equal wherever the commit is built.
 *
 *   node scripts/node24.mjs scripts/build-name.ts              prints it
 *   node scripts/build-name.ts NAME package.json…              writes it into these files
 */
const root = join(import.meta.dirname, '..')

/** Name of a build whose commit is unknown, or that has other changes. */
const unnamedBuild = 'development'

const runGit = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Returns the short commit and its time in UTC, or `development` without Git and for uncommitted changes. */
export function getBuildName(folder = root): string {
  try {
    if (runGit(folder, 'status', '--porcelain') !== '') return unnamedBuild
    const [commit = '', committedAt = ''] = runGit(folder, 'log', '-1', '--format=%H %cI').split(' ')
    return `${commit.slice(0, 12)} ${new Date(committedAt).toISOString().replace('.000Z', 'Z')}`
  } catch {
    return unnamedBuild
  }
}

if (process.argv[1] === import.meta.filename) {
  const [buildName, ...packageFiles] = process.argv.slice(2)
  if (buildName === undefined) console.log(getBuildName())
  else
    for (const packageFile of packageFiles) {
      const manifest = JSON.parse(readFileSync(packageFile, 'utf8')) as object
      writeFileSync(packageFile, `${JSON.stringify({ ...manifest, build: buildName }, null, 2)}\n`)
    }
}
