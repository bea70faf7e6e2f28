import { fileURLToPath } from 'node:url'
import { getConfig } from '@lingui/conf'
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { callPlugin } from './call-plugin.ts'
import { catalogPlugin } from './catalog-plugin.ts'
import { languageNames } from './src/app/languages.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
/** The plugin is CommonJS: under Node its default export is one level deeper than its types say. */
const localesPlugin =
  (optimizeLocales as unknown as { default?: typeof optimizeLocales }).default ?? optimizeLocales

// Named outright: the macros would look for the configuration where the program was started.
const linguiConfig = getConfig({ cwd: root })
/** `de` → `de-DE`, as the component library names them. */
const withRegion = (language: string) => {
  const { region } = new Intl.Locale(language).maximize()
  return `${language}-${region}`
}

/** What turns our sources into what a browser runs: macros, catalogues, calls, and of the component library only our languages. */
export const webPlugins = () => [
  react(),
  catalogPlugin(linguiConfig),
  callPlugin(),
  babel({
    presets: [linguiTransformerBabelPreset({ linguiConfig }, { cwd: root })],
  }),
  localesPlugin.vite({ locales: Object.keys(languageNames).map(withRegion) }),
]

export default defineConfig({
  root,
  base: '/monitor/',
  plugins: webPlugins(),
  build: {
    outDir: 'dist',
    target: 'baseline-widely-available',
    reportCompressedSize: false,
    // A busy machine is no fault of the sources.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Making a schema does nothing else: one that nobody uses is left out. It goes by the name, in all modules: a `z.parse` whose result
      // nobody takes would be left out, too.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        // What the first screen needs comes in two files, not in one for each set of screens that share something:
        // fewer requests, and they compress better. Libraries change more seldom than our own code.
        codeSplitting: {
          groups: [
            { name: 'library', test: /node_modules/, tags: ['$initial'], priority: 1 },
            { name: 'first', tags: ['$initial'] },
          ],
        },
        // Said more exactly where many files have one name: the texts of a language, the pages of a noun.
        chunkFileNames: ({ facadeModuleId }) => {
          const path = facadeModuleId ?? ''
          const part = /\.po\?part=(\w+)$/.exec(path)?.[1]
          const noun = /\/monitor\/([a-z]+)\/pages\/[^/]+$/.exec(path)?.[1]
          const of = part
            ? `${part}-texts-`
            : noun
              ? `${noun}-`
              : /axe-core[^/]*\/locales\//.test(path)
                ? 'axe-'
                : ''
          return `assets/${of}[name]-[hash].js`
        },
      },
    },
    // Fonts and pictures stay files: the content security policy allows no surprises.
    assetsInlineLimit: 0,
  },
})
