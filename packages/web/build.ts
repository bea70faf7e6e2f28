import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Builds the web app with its catalogs into packages/web/dist.
 * @throws if a source or catalog is faulty; an untranslated message fails the build
 */
export async function buildWeb(): Promise<void> {
  // A test runner sets another value, which would select React's development build.
  process.env.NODE_ENV = 'production'
  await build({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), logLevel: 'warn' })
}

if (import.meta.main) await buildWeb()
