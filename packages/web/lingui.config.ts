import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { sourcesByCatalog } from './catalog-files.ts'

const { first, later, docs } = sourcesByCatalog()

/**
 * Messages are their own English text; a catalogue a language beside each other. What only screens behind the scan list
 * say has catalogues of its own, which come with the first of them, and so has the help: the first load stays small.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'es', 'fr', 'it', 'ja'],
  catalogs: [
    // First: the path of the last would fit their files, too, with a language called later-de.
    { path: '<rootDir>/src/locales/later-{locale}', include: later },
    { path: '<rootDir>/src/locales/docs-{locale}', include: docs },
    { path: '<rootDir>/src/locales/{locale}', include: first },
  ],
  format: formatter({ origins: false }),
  orderBy: 'message',
})
