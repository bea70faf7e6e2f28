/**
 * Runs the tests; what fails is run again by itself, once. Many suites drive real browsers against the clock, and on two
 * busy cores one of them may lose a race that it wins alone. Such a file is named loudly: it is to be made steadier.
 *
 *   node scripts/node24.mjs scripts/test.ts [arguments of vitest run]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const launcher = join(import.meta.dirname, 'node24.mjs')
const run = (args: readonly string[]): number =>
  spawnSync(process.execPath, [launcher, 'vitest', 'run', ...args], { stdio: 'inherit' }).status ?? 1

type Report = { testResults: { name: string; status: string }[] }

/** Files with a failure; none when the run did not come as far as a report. */
function failedFiles(path: string): string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  } catch {
    return []
  }
}

const folder = mkdtempSync(join(tmpdir(), 'clearway-tests-'))
const report = join(folder, 'report.json')
const given = process.argv.slice(2)
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
let status = run([...given, ...reporters])
const files = status === 0 ? [] : failedFiles(report)
// More than a few at once is no race.
if (files.length > 0 && files.length <= 5) {
  process.stderr.write(`\nFailed, and now run again alone:\n${files.map((file) => `  ${file}\n`).join('')}\n`)
  status = run([...files, '--maxWorkers=1'])
  if (status === 0)
    process.stderr.write(`\nPASSED ONLY ALONE, make them steadier:\n  ${files.join('\n  ')}\n\n`)
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = status
