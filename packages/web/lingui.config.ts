import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { languageNames } from './src/app/languages.ts'

/** The id of a message is its English text. Each language has one dictionary. */
export default defineConfig({
  sourceLocale: 'en',
  locales: Object.keys(languageNames),
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.tsx', '**/*.test.ts', '**/*.d.ts'],
    },
  ],
  format: formatter({ origins: false }),
  orderBy: 'message',
})
