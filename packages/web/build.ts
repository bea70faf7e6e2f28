import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Builds the web app into packages/web/dist, catalogues included. Throws when a source or a catalogue is wrong:
 * an untranslated message fails the build.
 */
export async function buildWeb(): Promise<void> {
  // Under a test runner it says otherwise, and React's development build would be taken.
  process.env.NODE_ENV = 'production'
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  })
}

if (import.meta.main) await buildWeb()
