/** @module-tag slow */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writePdf } from '@clearway/fixtures/pdf/write.ts'
import { readExpected, sortFindings } from '@clearway/fixtures/site/expected.ts'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import { Report } from '../packages/cli/src/schema.ts'

// The npm package as users get it: installed into an empty folder, and run by the oldest Node at hand.

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'clearway-pack-'))
const packageFolder = join(folder, 'node_modules/clearway')

/** Folders of the system's programs: those of the repository's own Node and of its packages come first in tests. */
const systemPath = process.env
  .PATH!.split(delimiter)
  .filter((entry) => entry !== dirname(process.execPath) && !entry.startsWith(root))
  .join(delimiter)
const env = { ...process.env, PATH: systemPath, NODE_OPTIONS: '' }

function runClearway(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const program = spawn(join(folder, 'node_modules/.bin/clearway'), args, { cwd: folder, env })
    let [out, err] = ['', '']
    program.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    program.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    program.on('close', (code) => resolve({ code, out, err }))
  })
}

let site: Site
beforeAll(async () => {
  const tarball = execFileSync('npm', ['run', '-s', 'pack'], { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1)!
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', tarball]
  execFileSync('npm', install, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  site = await startSite()
}, 300_000)
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

/** Bytes of the files in a folder. */
function measureFolder(path: string): number {
  const stat = lstatSync(path)
  return stat.isDirectory() ? readdirSync(path).reduce((total, name) => total + measureFolder(join(path, name)), 0) : stat.size
}

it('has the manifest of a public package, and takes less than 60 MB without the browser', () => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as Record<string, object | undefined>
  expect(manifest).toMatchObject({ name: 'clearway', license: 'Apache-2.0', bin: { clearway: 'bin/clearway.mjs' } })
  expect([manifest.private, manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined, undefined])
  expect(Object.keys(manifest.dependencies!).filter((name) => name.startsWith('@clearway/'))).toEqual([])
  expect(existsSync(join(packageFolder, 'schema/scan-report.schema.json'))).toBe(true)
  const installedBytes = measureFolder(join(folder, 'node_modules'))
  const browserBytes = measureFolder(join(folder, 'node_modules/@sparticuz'))
  expect(installedBytes - browserBytes).toBeLessThan(60e6)
})

it('names its version and its build', async () => {
  const { out } = await runClearway('--version')
  expect(out).toMatch(/^\d+\.\d+\.\d+ \(build (development|[0-9a-f]{12} \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\)\n$/)
})

it('has a README whose commands exist', () => {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8')
  const help = spawnSync(join(folder, 'node_modules/.bin/clearway'), ['--help'], { env, encoding: 'utf8' }).stdout
  const options = [...new Set([...readme.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))]
  expect(options.length).toBeGreaterThan(8)
  expect(options.filter((option) => !help.includes(option))).toEqual(['--save-dev', '--help'])
})

it('finds the planted issues of pages', async () => {
  const paths = Object.keys(readExpected().completed).slice(0, 6)
  const urls = paths.map((path) => site.url + path)
  const { code, out, err } = await runClearway('scan', ...urls, '--depth=0', '--allow-private', '--no-sandbox', '--format=json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { pages } = Report.parse(JSON.parse(out))
  expect(Object.fromEntries(pages.map((page) => [page.url.slice(site.url.length), sortFindings(page.issues)]))).toEqual(
    Object.fromEntries(paths.map((path) => [path, readExpected().completed[path]])),
  )
})

it('checks a PDF in a process of its own', async () => {
  writeFileSync(join(folder, 'a.pdf'), writePdf({ tags: [{ type: 'Document', kids: [{ type: 'Figure', kids: ['Hello'] }] }] }))
  const { code, out } = await runClearway('scan', 'a.pdf', '--format', 'json')
  const { pages } = Report.parse(JSON.parse(out))
  expect([code, pages[0]!.status, pages[0]!.issues.length > 0]).toEqual([0, 'completed', true])
})

it('compares with a baseline', async () => {
  const url = `${site.url}/`
  const options = ['--page-limit', '1', '--allow-private', '--no-sandbox']
  expect((await runClearway('baseline', url, ...options, '--output', 'known.baseline')).code).toBe(0)
  const { code, out } = await runClearway('gate', url, ...options, '--baseline', 'known.baseline')
  expect([code, out]).toEqual([0, expect.stringMatching(/^0 new issues, \d+ known/) as string])
})
