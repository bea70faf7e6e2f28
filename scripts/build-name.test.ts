import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { getBuildName } from './build-name.ts'

const folder = mkdtempSync(join(tmpdir(), 'clearway-build-'))
const packageFile = join(folder, 'package.json')
afterAll(() => rmSync(folder, { recursive: true }))

it('names commit and time, and calls everything else development', () => {
  expect(getBuildName(folder)).toBe('development')
  writeFileSync(packageFile, '{"version":"1.2.3"}')
  const runGit = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-11-02T01:30:00+02:00' },
    })
  runGit('init', '-q')
  runGit('add', '.')
  runGit('commit', '-q', '-m', 'a')
  const commit = runGit('rev-parse', 'HEAD').slice(0, 12)
  const name = getBuildName(folder)
  expect(name).toBe(`${commit} 2026-11-01T23:30:00Z`)
  execFileSync(process.execPath, [join(import.meta.dirname, 'build-name.ts'), name, packageFile])
  expect(JSON.parse(readFileSync(packageFile, 'utf8'))).toEqual({ version: '1.2.3', build: name })
  // Changes that are not committed have no name.
  expect(getBuildName(folder)).toBe('development')
})
