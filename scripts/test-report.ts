import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter } from 'vitest/node'

/** Result of a test file. `unfinished`: it did not run to its end, whatever its tests reported until then. */
export type FileState = 'passed' | 'failed' | 'skipped' | 'unfinished'
export type TestedFile = {
  project: string
  path: string
  state: FileState
  /** Failed tests, and the file itself if it failed: name and start of the message. */
  failures: { name: string; message: string }[]
  /** Tests that did not run, mostly because the machine lacks a program that they need. */
  skipped: string[]
}
/** Report that scripts/test.ts reads. */
export type TestReport = {
  browser: string
  files: TestedFile[]
  /** Errors outside all tests: a process that died, an unhandled rejection. */
  errors: string[]
}

/** Key of a file: several projects may run one. */
const buildKey = ({ project, moduleId }: { project: { name: string }; moduleId: string }) => `${project.name}\n${moduleId}`

/** The browser's log would fill pages. */
const maxMessageLength = 600
const formatMessages = (errors: readonly { message: string }[]): string =>
  stripVTControlCharacters(errors.map(({ message }) => message).join('\n')).slice(0, maxMessageLength)

/** Writes the result of every planned file to TEST_REPORT, including files that never ran. */
// eslint-disable-next-line import/no-default-export -- required for a reporter that is named by its file
export default class implements Reporter {
  private readonly plannedFiles = new Map<string, { project: string; path: string }>()

  onTestRunStart(specifications: Parameters<NonNullable<Reporter['onTestRunStart']>>[0]) {
    for (const { project, moduleId } of specifications)
      this.plannedFiles.set(buildKey({ project, moduleId }), { project: project.name, path: moduleId })
  }

  onTestRunEnd(...[modules, unhandled]: Parameters<NonNullable<Reporter['onTestRunEnd']>>) {
    const states = new Map(
      modules.map((module): [string, FileState] => {
        const state = module.state()
        const hasEnded = state === 'passed' || state === 'failed' || state === 'skipped'
        const isEmpty = state === 'failed' && [...module.children.allTests()].length === 0
        // A file without tests has an error itself; otherwise its process died before.
        const hasDied = isEmpty && module.errors().length === 0
        return [buildKey(module), hasEnded && !hasDied ? state : 'unfinished']
      }),
    )
    const failures = new Map(
      modules.map((module) => [
        buildKey(module),
        [module, ...module.children.allSuites(), ...module.children.allTests('failed')].flatMap((place) => {
          const errors = place.type === 'test' ? (place.result().errors ?? []) : place.errors()
          const name = place.type === 'module' ? 'the file' : place.fullName
          return errors.length > 0 ? [{ name, message: formatMessages(errors) }] : []
        }),
      ]),
    )
    const skipped = new Map(
      modules.map((module) => [
        buildKey(module),
        [...module.children.allTests('skipped')]
          .filter(({ tags }) => process.env.TEST_SCOPE !== 'quick' || !tags.includes('slow'))
          .map(({ fullName }) => fullName),
      ]),
    )
    const report: TestReport = {
      browser: process.env.TEST_BROWSER_FACTS ?? 'unknown',
      files: [...this.plannedFiles].map(([key, file]) => ({
        ...file,
        state: states.get(key) ?? 'unfinished',
        failures: failures.get(key) ?? [],
        skipped: skipped.get(key) ?? [],
      })),
      errors: unhandled.map(({ message, stack }) => `${message}\n${stack ?? ''}`),
    }
    writeFileSync(process.env.TEST_REPORT!, JSON.stringify(report))
  }
}
