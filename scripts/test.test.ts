/** @module-tag slow */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

// `npm test` must not be green when it should be red: each case runs a folder of planted test files.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearway-planted-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function outcome(files: Record<string, string>, ...options: string[]): { green: boolean; last: string; why: string } {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/dist')
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { root: ${JSON.stringify(folder)}, test: { include: ['*.test.mjs'], pool: 'forks', tags: [{ name: 'slow' }] } }`,
  )
  for (const [name, body] of Object.entries(files))
    writeFileSync(join(folder, name), `import { it } from ${JSON.stringify(`${vitest}/index.js`)}\n${body}`)
  // As from a terminal, not as from inside another test run.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_REPORT|NODE_ENV)/.test(name)))
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'test.ts'), `--config=${join(folder, 'vitest.config.mjs')}`, ...options],
    { encoding: 'utf8', env, cwd: folder },
  )
  return {
    green: status === 0,
    last: stdout.slice(stdout.lastIndexOf('Browser: ')),
    why: stdout.slice(stdout.indexOf('Failed among the others:')),
  }
}

const passes = `it('passes', () => {})`

it('is green when every file has passed', () => {
  const { green, last } = outcome({ 'a.test.mjs': passes })
  expect([green, last]).toEqual([true, expect.stringContaining('The tests are green.')])
})
it('runs tests tagged slow with --all only, and does not count them as skipped', () => {
  const slowFails = `it('passes', () => {})
    it('fails slowly', { tags: ['slow'] }, () => { throw new Error('for a reason') })`
  const { green, last } = outcome({ 'a.test.mjs': slowFails })
  expect([green, last]).toEqual([true, expect.stringContaining('Skipped tests: 0')])
  expect(last).toContain('Tests tagged slow did not run')
  expect(outcome({ 'a.test.mjs': slowFails }, '--all').green).toBe(false)
})
it('is red when a test fails twice', () => {
  const fails = `it('fails', () => { throw new Error('for a reason') })`
  const { green, last, why } = outcome({ 'a.test.mjs': passes, 'b.test.mjs': fails })
  expect(green).toBe(false)
  expect(last).toMatch(/FAILED:\n {2}.*b\.test\.mjs/)
  expect(why).toMatch(/among the others: .*b\.test\.mjs\n {2}fails\n {4}for a reason\n/)
  expect(why).toMatch(/again alone: .*b\.test\.mjs\n {2}fails\n {4}for a reason\n/)
})
it('names and counts what passes only when run again', () => {
  const mark = JSON.stringify(join(folder, 'mark'))
  const { green, last } = outcome({
    'b.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'
      it('passes at the second try', () => {
        if (existsSync(${mark})) return
        writeFileSync(${mark}, '')
        throw new Error('first try')
      })`,
  })
  expect(green).toBe(true)
  expect(last).toMatch(/Passed only when run again alone: 1\n {2}.*b\.test\.mjs/)
})
it('names and counts the tests that it skipped', () => {
  const { green, last } = outcome({ 'a.test.mjs': `${passes}\nit.skip('waits for a server', () => {})` })
  expect(green).toBe(true)
  expect(last).toMatch(/Skipped tests: 1\n {2}.*a\.test\.mjs: waits for a server\n/)
})
it('is red when the process of a file has died, though no test has failed', () => {
  const { green, last } = outcome({ 'a.test.mjs': passes, 'b.test.mjs': `it('dies', () => process.abort())` })
  expect(green).toBe(false)
  expect(last).toMatch(/DID NOT RUN TO THEIR END:\n {2}.*b\.test\.mjs/)
})
it('is red when a file died beside another that passes when run again', () => {
  const mark = JSON.stringify(join(folder, 'mark'))
  const { green } = outcome({
    'a.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'
      it('second try', () => { if (!existsSync(${mark})) { writeFileSync(${mark}, ''); throw 1 } })`,
    'b.test.mjs': `it('dies', () => process.abort())`,
  })
  expect(green).toBe(false)
})
it('is red when a file cannot be loaded', () => {
  const { green, why } = outcome({ 'a.test.mjs': passes, 'b.test.mjs': `import './missing.mjs'\n${passes}` })
  expect(green).toBe(false)
  expect(why).toMatch(/ {2}the file\n {4}.*missing\.mjs/)
})
it('is red when a promise is rejected outside all tests', () => {
  const body = `it('leaves it behind', () => { setTimeout(() => Promise.reject(new Error('left')), 1); return new Promise((d) => setTimeout(d, 50)) })`
  expect(outcome({ 'a.test.mjs': body }).green).toBe(false)
})
it('is red when there is nothing to run', () => {
  expect(outcome({}).green).toBe(false)
})
