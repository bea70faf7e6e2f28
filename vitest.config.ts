import { existsSync } from 'node:fs'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

/** Debian's Chromium, or the one that `CLEARWAY_BROWSER` names. */
const chromium = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
if (!existsSync(chromium))
  throw new Error(
    `The tests need Chromium, and there is none at ${chromium}. ` +
      'Install it (apt-get install chromium), or name yours in CLEARWAY_BROWSER.',
  )

export default defineConfig({
  test: {
    // Two suites at once: most wait for a browser or a database, and two cores are what we promise to live on.
    maxWorkers: 2,
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
          ],
          exclude: ['**/node_modules/**'],
        },
      },
      {
        extends: 'packages/web/vite.config.ts',
        test: {
          name: 'browser',
          root: 'packages/web',
          include: ['src/**/*.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: { executablePath: chromium, args: ['--no-sandbox'] } }),
            instances: [{ browser: 'chromium' }],
            screenshotFailures: false,
          },
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['e2e/**/*.test.ts'], testTimeout: 300_000 },
      },
    ],
  },
})
