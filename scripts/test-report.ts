import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter } from 'vitest/node'

/** What became of a test file. `unfinished`: it never came to its end, whatever its tests said until then. */
export type FileState = 'passed' | 'failed' | 'skipped' | 'unfinished'
export type TestedFile = {
  project: string
  path: string
  state: FileState
  /** Of each test that failed, and of the file itself: its name and the beginning of what it said. */
  failures: { name: string; message: string }[]
  /** Tests that did not run, mostly because the machine lacks what they need. */
  skipped: string[]
}
/** What scripts/test.ts reads. */
export type TestReport = {
  browser: string
  files: TestedFile[]
  /** Errors outside all tests: a process that died, a rejected promise that nobody awaited. */
  errors: string[]
}

/** One file may be run by several projects. */
const keyOf = ({ project, moduleId }: { project: { name: string }; moduleId: string }) =>
  `${project.name}\n${moduleId}`

/** The browser's log of what it tried fills pages. */
const mostOfMessage = 600
const messageOf = (errors: readonly { message: string }[]): string =>
  stripVTControlCharacters(errors.map(({ message }) => message).join('\n')).slice(0, mostOfMessage)

/** Writes to the file of TEST_REPORT what became of every file that was to run, also of those that never did. */
// eslint-disable-next-line import/no-default-export -- what a reporter named by its file must have
export default class implements Reporter {
  private readonly planned = new Map<string, { project: string; path: string }>()

  onTestRunStart(specifications: Parameters<NonNullable<Reporter['onTestRunStart']>>[0]) {
    for (const { project, moduleId } of specifications)
      this.planned.set(keyOf({ project, moduleId }), { project: project.name, path: moduleId })
  }

  onTestRunEnd(...[modules, unhandled]: Parameters<NonNullable<Reporter['onTestRunEnd']>>) {
    const states = new Map(
      modules.map((module): [string, FileState] => {
        const state = module.state()
        const ended = state === 'passed' || state === 'failed' || state === 'skipped'
        const empty = state === 'failed' && [...module.children.allTests()].length === 0
        // A file whose tests were never known has an error of its own, or its process died before.
        const died = empty && module.errors().length === 0
        return [keyOf(module), ended && !died ? state : 'unfinished']
      }),
    )
    const failures = new Map(
      modules.map((module) => [
        keyOf(module),
        [module, ...module.children.allSuites(), ...module.children.allTests('failed')].flatMap((place) => {
          const errors = place.type === 'test' ? (place.result().errors ?? []) : place.errors()
          const name = place.type === 'module' ? 'the file' : place.fullName
          return errors.length > 0 ? [{ name, message: messageOf(errors) }] : []
        }),
      ]),
    )
    const skipped = new Map(
      modules.map((module) => [
        keyOf(module),
        [...module.children.allTests('skipped')].map(({ fullName }) => fullName),
      ]),
    )
    const report: TestReport = {
      browser: process.env.TEST_BROWSER_FACTS ?? 'unknown',
      files: [...this.planned].map(([key, file]) => ({
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
