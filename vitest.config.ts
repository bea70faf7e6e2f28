import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findBrowser } from './packages/engine/src/browser/find-browser.ts'
import { isSlowMachine } from './scripts/machine-speed.ts'

/**
 * The browser that the product would use, so that the tests need no other: from the setting, the system, or npm.
 * CLEARWAY_BROWSER=embedded selects the last one, even where another is installed.
 */
const browser = await findBrowser({
  setting: process.env.CLEARWAY_BROWSER ?? null,
  cacheFolder: join(import.meta.dirname, '.cache'),
  sandbox: false,
})
if (!browser.found) {
  const tried = browser.tried.map(({ what, why }) => `  ${what}: ${why}`)
  throw new Error(['The tests need Chromium, and none starts:', ...tried, browser.remedy].join('\n'))
}
const executablePath = browser.facts.path
// Suites that start a separate browser read these variables; the product finds the embedded one by itself.
Object.assign(process.env, browser.facts.env, { TEST_BROWSER: executablePath })
if (browser.facts.source !== 'embedded') process.env.CLEARWAY_BROWSER = executablePath
// Browsers differ in fonts and age, so the test output names the one in use.
process.env.TEST_BROWSER_FACTS = `Chromium ${browser.facts.version} (${browser.facts.source})`

const isQuickRun = process.env.TEST_SCOPE === 'quick'
/** Whole files tagged slow. The quick run does not even load them. */
const slowFiles = globSync('{packages,e2e,fixtures,scripts}/**/*.test.{ts,tsx}', {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
  .map((file) => join(import.meta.dirname, file))
  .filter((file) => /^\/\*\* @module-tag slow \*\/$/m.test(readFileSync(file, 'utf8')))
/** Returns true if some tests of the file are tagged slow. */
const hasSlowTest = (file: string) => /\btags: \['slow'\]/.test(readFileSync(file, 'utf8'))

/** Each takes longer than all others of its group: a run that starts one of them late ends with one core idle. */
const firstFiles = [
  'e2e/areas',
  'e2e/scans',
  'e2e/people',
  'e2e/main-job',
  'packages/server/test/figures',
  'packages/server/test/wall',
  'packages/cli/src/gate',
  'packages/cli/src/wall',
].map((file) => join(import.meta.dirname, `${file}.test.ts`))

/** Runs long and slow files first, so that the short ones fill the end of a run. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const getRank = ({ project, moduleId }: TestSpecification) =>
      3 * project.config.sequence.groupOrder + (firstFiles.includes(moduleId) ? 0 : slowFiles.includes(moduleId) ? 1 : 2)
    return (await super.sort(files)).sort((one, other) => getRank(one) - getRank(other))
  }
}

/** Returns true if the browser of the machine matters to a file of the engine, or if it skips tests without a program that they need. */
const dependsOnMachine = (file: string) =>
  /\b(?:skipIf|runIf|skip|useTestPool|useTestTab|openTestPool|findTestBrowser)\(/.test(readFileSync(file, 'utf8'))

/** Returns true if a file of the server runs statements on the database of the tests: with the helpers in its folder `test`. */
const usesDatabase = (file: string) => file.includes('/packages/server/') && /\/test\//.test(file + readFileSync(file, 'utf8'))

/**
 * Quick files that a complete run leaves out after a quick one on the same machine (TEST_SCOPE=rest). Those with statements
 * stay, because they run on the other database. The walks use the interface in the other browser.
 */
const filesOfQuickRun = globSync(['{packages,fixtures,scripts}/**/*.test.{ts,tsx}', 'e2e/main-job.test.ts'], {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
  .map((file) => join(import.meta.dirname, file))
  .filter((file) => !slowFiles.includes(file) && !hasSlowTest(file) && !dependsOnMachine(file) && !usesDatabase(file))

const excludedByScope: Readonly<Record<string, readonly string[]>> = { quick: slowFiles, rest: filesOfQuickRun }
const excludedFiles = ['**/node_modules/**', ...(excludedByScope[process.env.TEST_SCOPE ?? ''] ?? [])]

const isSlow = !isQuickRun && isSlowMachine()
/** Time limits of pages that a test sets short are longer by this factor where the machine is slow. */
process.env.TEST_TIME_FACTOR = isSlow ? '2' : '1'
/** One more suite than cores: with one per core, three tenths of the time passed waiting for a browser or a database. */
const maxWorkers = availableParallelism() + (isSlow ? 0 : 1)
/**
 * Slow files outside of the walks wait for three quarters of their time, for pages to become idle and for time limits. Each has
 * a process and a browser, which take up to 1.5 GB. On a slow machine, three of them leave the cores no time to wait.
 */
const maxSlowWorkers = Math.max(
  1,
  Math.min(isSlow ? maxWorkers + 1 : availableParallelism() + maxWorkers, Math.floor(totalmem() / 1.5e9)),
)

/** In each process of a test file. Tests in the browser have no Playwright inside. */
const setupFiles = [join(import.meta.dirname, 'scripts/test-stack.ts')]

export default defineConfig({
  test: {
    tags: [{ name: 'slow', description: 'Runs with npm run test:all only' }],
    maxWorkers,
    sequence: { sequencer: SlowFilesFirst },
    // These end a test that hangs. A slow machine under load takes three times as long as a fast one.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          setupFiles,
          // The complete run has the walks behind it then, which need a whole core.
          ...(isQuickRun ? {} : { maxWorkers: maxSlowWorkers, sequence: { groupOrder: 1 } }),
          // Files share their process's modules: loading the server for each file took longer than its tests.
          isolate: false,
          include: [
            'packages/{contract,engine,server,cli}/**/*.test.ts',
            'fixtures/**/*.test.ts',
            'scripts/**/*.test.ts',
            'packages/web/*.test.ts',
          ],
          exclude: excludedFiles,
        },
      },
      {
        extends: 'packages/web/vite.config.ts',
        // Dependencies discovered during the tests would be optimized late, next to a second React.
        optimizeDeps: {
          include: [
            '@lingui/core',
            '@lingui/react',
            '@tanstack/react-query',
            '@tanstack/react-router',
            'axe-core',
            'fast-check',
            'oidc-client-ts',
            'react',
            'react-aria-components',
            'react-dom',
            're2js',
            'zod/mini',
          ],
        },
        test: {
          name: 'browser',
          root: 'packages/web',
          // Behind the others, since some of its tests measure time. Without a number, it would have one page at a time.
          maxWorkers,
          testTimeout: 60_000,
          sequence: { groupOrder: 2 },
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: excludedFiles,
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox'] } }),
            instances: [{ browser: 'chromium' }],
            screenshotFailures: false,
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          setupFiles,
          include: ['e2e/**/*.test.ts'],
          exclude: excludedFiles,
          globalSetup: ['e2e/product/build-web.ts'],
          testTimeout: 300_000,
          // Same timeout as a page's own waits: one second is short on a busy machine. Each poll reads the whole page.
          expect: { poll: { timeout: 45_000, interval: 150 } },
        },
      },
    ],
  },
})
