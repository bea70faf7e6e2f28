import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/** Messages are their own English text; a catalogue a language beside each other. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'es', 'fr', 'it', 'ja'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  format: formatter({ origins: false }),
  orderBy: 'message',
})
