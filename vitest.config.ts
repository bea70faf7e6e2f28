import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findBrowser } from './packages/engine/src/browser/find-browser.ts'

/**
 * The browser that the product would take, so that the tests need no other: the setting, the system's, the one from npm.
 * CLEARWAY_BROWSER=embedded takes the last, also where another is installed.
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
// Suites that drive a browser of their own find it by these; the product finds the embedded one by itself.
Object.assign(process.env, browser.facts.env, { TEST_BROWSER: executablePath })
if (browser.facts.source !== 'embedded') process.env.CLEARWAY_BROWSER = executablePath
// Tests differ by browser in fonts and age: whoever reads the result should know which one it was.
process.env.TEST_BROWSER_FACTS = `Chromium ${browser.facts.version} (${browser.facts.source})`

/** Whole files tagged slow. The quick run does not even load them. */
const slowFiles =
  process.env.TEST_SCOPE === 'quick'
    ? globSync('{packages,e2e,fixtures,scripts}/**/*.test.{ts,tsx}', {
        cwd: import.meta.dirname,
        exclude: ['**/node_modules/**', '**/dist/**'],
      }).filter((file) => /^ \* @module-tag slow$/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
    : []
const excludedFiles = ['**/node_modules/**', ...slowFiles.map((file) => join(import.meta.dirname, file))]

export default defineConfig({
  test: {
    tags: [{ name: 'slow', description: 'Runs with npm run test:all only' }],
    // One suite more than cores: with one for each core, three tenths of the time were waits for a browser or a database.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
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
        // What is only found while tests run is made ready then, beside a second React.
        optimizeDeps: {
          include: [
            '@lingui/core',
            '@lingui/react',
            '@tanstack/react-query',
            '@tanstack/react-router',
            'axe-core',
            'oidc-client-ts',
            'react',
            'react-aria-components',
            'react-dom',
            'zod/mini',
          ],
        },
        test: {
          name: 'browser',
          root: 'packages/web',
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
          include: ['e2e/**/*.test.ts'],
          exclude: excludedFiles,
          globalSetup: ['e2e/product/build-web.ts'],
          testTimeout: 300_000,
          // As patient as a page's own waits: a second is little on a busy machine.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
