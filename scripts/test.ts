/**
 * Runs the tests. A file with a failed test runs again alone, once: many suites drive real browsers against the clock, and
 * may lose a race on two busy cores. The last lines name and count such files. A second run never excuses a file that did not
 * finish, or an error outside all tests (a process that died).
 *
 *   npm test                      all tests that are not tagged slow
 *   npm run test:all              all tests
 *   TEST_SCOPE=rest npm run test:all  the same without the files that vitest.config.ts names, after npm test
 *   npm test -- path/of/file      the files whose path contains this, slow ones included
 *   npm test -- --watch path      the same again at each change
 *
 * Options of vitest are written --name=value.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { FileState, TestedFile, TestReport } from './test-report.ts'

const root = join(import.meta.dirname, '..')

/** Mounted by most Linux systems, at half of the memory. */
const memoryFolder = '/dev/shm'
const minMemoryBytes = 8e9
/**
 * Returns true if temporary files fit into memory: each test file copies a database of a thousand files, and creating them
 * takes a disk as long as the tests' statements.
 */
function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || !existsSync(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  const mountLine = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === memoryFolder)
  return bavail * bsize >= minMemoryBytes && mountLine !== undefined && !mountLine.includes('noexec')
}

/** Removes folders of runs that were killed; those of other accounts stay. */
function removeOldFolders(parentFolder: string): void {
  for (const name of readdirSync(parentFolder)) {
    const pid = /^clearway-tests-(\d+)-/.exec(name)?.[1]
    try {
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(parentFolder, name), { recursive: true, force: true })
    } catch {
      // It belongs to another account.
    }
  }
}

/** Makes the temporary folder of all tests. Like that of the system, other accounts may use it. */
function makeTestFolder(): string {
  const parentFolder = hasRoomInMemory() ? memoryFolder : tmpdir()
  if (parentFolder === memoryFolder) removeOldFolders(parentFolder)
  const madeFolder = mkdtempSync(join(parentFolder, `clearway-tests-${process.pid}-`))
  chmodSync(madeFolder, 0o1777)
  return madeFolder
}
const folder = makeTestFolder()
// Ctrl-C ends the tests, and then what follows them here.
process.on('SIGINT', () => undefined)
/** More failed files than this are no race, and do not run again. */
const maxRepeatedFiles = 5

type TestRun = { isGreen: boolean; report: TestReport | null }

/** Runs vitest. `report` is null if it ended before it could write one. */
function runVitest(args: readonly string[], name: string): TestRun {
  const file = join(folder, `${name}.json`)
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-report.ts')}`]
  const command = [join(root, 'scripts/node24.mjs'), 'vitest', 'run', ...reporters, ...args]
  const env = { ...process.env, TEST_REPORT: file, TMPDIR: folder }
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', env })
  try {
    return { isGreen: status === 0, report: JSON.parse(readFileSync(file, 'utf8')) as TestReport }
  } catch {
    return { isGreen: false, report: null }
  }
}

const printLines = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)
const formatPaths = (files: readonly { path: string }[]) => files.map(({ path }) => `  ${relative(root, path)}`)

/** Formats the failed tests of files with their messages. */
const formatFailures = (title: string, files: readonly TestedFile[]) =>
  files.flatMap(({ path, failures }) => [
    `${title} ${relative(root, path)}`,
    ...failures.flatMap(({ name, message }) => [`  ${name}`, `    ${message.replaceAll('\n', '\n    ')}`]),
  ])

/** Runs failed files again where that is allowed. @returns the result of both runs, and the lines that say so */
function concludeRun(firstRun: TestRun, options: readonly string[]): { isGreen: boolean; lines: string[] } {
  const { report } = firstRun
  if (!report) return { isGreen: false, lines: ['The test run ended before it could report the results of its files.'] }
  const listByState = (state: FileState) => report.files.filter((file) => file.state === state)
  const unfinishedFiles = listByState('unfinished')
  const failedFiles = listByState('failed')
  const repeatedFiles = failedFiles.length <= maxRepeatedFiles ? failedFiles : []
  if (repeatedFiles.length > 0) printLines('', 'Failed, and now run again one by one:', ...formatPaths(repeatedFiles), '')
  const repeatedRuns = repeatedFiles.map(({ project, path }, index) => {
    const projectOptions = project === '' ? [] : [`--project=${project}`]
    return runVitest([...options, ...projectOptions, path], `again-${index}`)
  })
  const passedAlone = repeatedFiles.filter((_, index) => repeatedRuns[index]!.isGreen)
  const failedTwice = failedFiles.filter((file) => !passedAlone.includes(file))
  // Tests excluded by a name pattern do not count as skipped.
  const hasNamePattern = options.some((option) => option.startsWith('--testNamePattern='))
  const skippedTests = report.files.flatMap(({ path, skipped }) =>
    hasNamePattern ? [] : skipped.map((name) => `  ${relative(root, path)}: ${name}`),
  )
  const lines = [
    ...formatFailures('Failed among the others:', failedFiles),
    ...formatFailures(
      'Failed again alone:',
      repeatedRuns.flatMap((repeatedRun) => repeatedRun.report?.files ?? []).filter(({ state }) => state === 'failed'),
    ),
    '',
    `Browser: ${report.browser}`,
    `Files: ${listByState('passed').length} passed, ${failedFiles.length} failed, ${unfinishedFiles.length} unfinished, ` +
      `${listByState('skipped').length} skipped, of ${report.files.length}`,
    `Skipped tests: ${skippedTests.length}`,
    ...skippedTests,
    `Passed only when run again alone: ${passedAlone.length}`,
    ...formatPaths(passedAlone),
    ...(unfinishedFiles.length > 0 ? ['DID NOT RUN TO THEIR END:', ...formatPaths(unfinishedFiles)] : []),
    ...(failedTwice.length > 0 ? ['FAILED:', ...formatPaths(failedTwice)] : []),
    ...(report.errors.length > 0 ? ['ERRORS OUTSIDE ALL TESTS:', ...report.errors] : []),
  ]
  const problemCount = failedTwice.length + unfinishedFiles.length + report.errors.length
  // A run without failed files may be red for another reason, such as a missing one.
  const isExplained = firstRun.isGreen || failedFiles.length > 0
  return { isGreen: problemCount === 0 && isExplained && report.files.length > 0, lines }
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
  const { isGreen, lines } = concludeRun(runVitest(vitestOptions, 'first'), repeatedOptions)
  if (isQuick) lines.push('Tests tagged slow did not run: npm run test:all runs them.')
  else if (process.env.TEST_SCOPE === 'rest')
    lines.push('Files that npm test runs, and no other database or browser changes, did not run.')
  printLines('', ...lines, isGreen ? 'The tests are green.' : 'THE TESTS ARE RED.')
  process.exitCode = isGreen ? 0 : 1
}
// Its database server may be removing files of its own until then.
rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
