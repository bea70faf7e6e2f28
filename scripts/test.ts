/**
 * Runs the tests. A file with a failed test runs again alone, once: many suites drive real browsers against the clock, and
 * may lose a race on two busy cores. The last lines name and count such files. A second run never makes up for a file that
 * did not finish or for an error outside all tests (a process that died).
 *
 *   npm test                      all tests that are not tagged slow
 *   npm run test:all              all tests
 *   npm test -- path/of/file      the files whose path contains this, slow ones included
 *   npm test -- --watch path      again at each change
 *
 * Options of vitest are written --name=value.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { TestedFile, TestReport } from './test-report.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'clearway-tests-'))

/** Runs vitest; the report is null when it ended before it could write one. */
function run(args: readonly string[], name: string): { ok: boolean; report: TestReport | null } {
  const file = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-report.ts')}`]
  const command = [join(root, 'scripts/node24.mjs'), 'vitest', 'run', ...reporters, ...args]
  const env = { ...process.env, TEST_REPORT: file }
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', env })
  try {
    return { ok: status === 0, report: JSON.parse(readFileSync(file, 'utf8')) as TestReport }
  } catch {
    return { ok: false, report: null }
  }
}

const say = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)
const list = (files: readonly { path: string }[]) => files.map(({ path }) => `  ${relative(root, path)}`)

/** A file with what its tests said, at each time that it ran. */
const whyFailed = (title: string, files: readonly TestedFile[]) =>
  files.flatMap(({ path, failures }) => [
    `${title} ${relative(root, path)}`,
    ...failures.flatMap(({ name, message }) => [`  ${name}`, `    ${message.replaceAll('\n', '\n    ')}`]),
  ])

/** Judges a run, after what may be run again has been. @returns the last lines, and whether all is well */
function judge(first: ReturnType<typeof run>, options: readonly string[]): { ok: boolean; lines: string[] } {
  const { report } = first
  if (!report) return { ok: false, lines: ['The test run ended before it could say what became of its files.'] }
  const of = (state: string) => report.files.filter((file) => file.state === state)
  const unfinished = of('unfinished')
  const failed = of('failed')
  // More than a few at once is no race.
  const again = failed.length > 0 && failed.length <= 5 ? failed : []
  if (again.length > 0) say('', 'Failed, and now run again one by one:', ...list(again), '')
  const alone = again.map(({ project, path }, index) => {
    const where = project === '' ? [] : [`--project=${project}`]
    return run([...options, ...where, path], `again-${index}`)
  })
  const passedAlone = again.filter((_, index) => alone[index]!.ok)
  const stillFailed = failed.filter((file) => !passedAlone.includes(file))
  // Tests excluded by a name pattern do not count as skipped.
  const named = options.some((option) => option.startsWith('--testNamePattern='))
  const skipped = report.files.flatMap(({ path, skipped: names }) =>
    named ? [] : names.map((name) => `  ${relative(root, path)}: ${name}`),
  )
  const lines = [
    ...whyFailed('Failed among the others:', failed),
    ...whyFailed(
      'Failed again alone:',
      alone.flatMap((one) => one.report?.files ?? []).filter(({ state }) => state === 'failed'),
    ),
    '',
    `Browser: ${report.browser}`,
    `Files: ${of('passed').length} passed, ${failed.length} failed, ${unfinished.length} unfinished, ` +
      `${of('skipped').length} skipped, of ${report.files.length}`,
    `Skipped tests: ${skipped.length}`,
    ...skipped,
    `Passed only when run again alone: ${passedAlone.length}`,
    ...list(passedAlone),
    ...(unfinished.length > 0 ? ['DID NOT RUN TO THEIR END:', ...list(unfinished)] : []),
    ...(stillFailed.length > 0 ? ['FAILED:', ...list(stillFailed)] : []),
    ...(report.errors.length > 0 ? ['ERRORS OUTSIDE ALL TESTS:', ...report.errors] : []),
  ]
  const well = stillFailed.length + unfinished.length + report.errors.length === 0
  return { ok: well && (first.ok || failed.length > 0) && report.files.length > 0, lines }
}

const scriptArguments = process.argv.slice(2)
const isComplete = scriptArguments.includes('--all')
const vitestArguments = scriptArguments.filter((argument) => argument !== '--all')
const isSelection = vitestArguments.some((argument) => !/^--(?!project)/.test(argument))
if (vitestArguments.includes('--watch')) {
  const args = vitestArguments.filter((argument) => argument !== '--watch')
  const command = [join(root, 'scripts/node24.mjs'), 'vitest', 'watch', ...args]
  process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1
} else {
  const isQuick = !isComplete && !isSelection
  if (isQuick) process.env.TEST_SCOPE = 'quick'
  const vitestOptions = [...vitestArguments, ...(isQuick ? ['--tagsFilter=!slow'] : [])]
  const repeatedOptions = vitestOptions.filter((argument) => /^--[a-z.]+=/i.test(argument) && !argument.startsWith('--project'))
  const { ok, lines } = judge(run(vitestOptions, 'first'), repeatedOptions)
  if (isQuick) lines.push('Tests tagged slow did not run: npm run test:all runs them.')
  say('', ...lines, ok ? 'The tests are green.' : 'THE TESTS ARE RED.')
  process.exitCode = ok ? 0 : 1
}
rmSync(folder, { recursive: true, force: true })
