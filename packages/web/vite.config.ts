import { fileURLToPath } from 'node:url'
import { getConfig } from '@lingui/conf'
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { callPlugin } from './call-plugin.ts'
import { catalogPlugin, shortIdPlugin } from './catalog-plugin.ts'
import { languageNames } from './src/app/languages.ts'

const rootFolder = fileURLToPath(new URL('.', import.meta.url))
/** CommonJS plugin: in Node, its default export is nested one level deeper than its types say. */
const localesPlugin = (optimizeLocales as unknown as { default?: typeof optimizeLocales }).default ?? optimizeLocales

// Set explicitly: the macros would look for the configuration in the working directory.
const linguiConfig = getConfig({ cwd: rootFolder })
/** Adds the region, as the component library names its locales: `de` becomes `de-DE`. */
const addRegion = (languageCode: string) => {
  const { region: likelyRegion } = new Intl.Locale(languageCode).maximize()
  return `${languageCode}-${likelyRegion}`
}

/** Plugins that transform our sources for browsers: macros, catalogs, calls, and only our languages of the component library. */
export const createWebPlugins = () => [
  react(),
  catalogPlugin(linguiConfig),
  callPlugin(),
  babel({
    presets: [linguiTransformerBabelPreset({ linguiConfig }, { cwd: rootFolder })],
  }),
  shortIdPlugin(linguiConfig),
  localesPlugin.vite({ locales: Object.keys(languageNames).map(addRegion) }),
]

export default defineConfig({
  root: rootFolder,
  base: '/monitor/',
  plugins: createWebPlugins(),
  build: {
    outDir: 'dist',
    target: 'baseline-widely-available',
    reportCompressedSize: false,
    // A slow build on a busy machine is not an error.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Unused schemas are removed because creating one has no side effects. The setting applies by name to all
      // modules: a `z.parse` whose result is unused is removed, too.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        // The first screen loads two files instead of one for each set of screens with shared code: fewer requests and
        // better compression. Libraries change less often than our own code.
        codeSplitting: {
          groups: [
            { name: 'library', test: /node_modules/, tags: ['$initial'], priority: 1 },
            { name: 'first', tags: ['$initial'] },
          ],
        },
        // More specific names where many files have the same name: texts of a language, pages of a noun.
        chunkFileNames: ({ facadeModuleId }) => {
          const modulePath = facadeModuleId ?? ''
          const catalogPart = /\.po\?part=(\w+)$/.exec(modulePath)?.[1]
          const nounName = /\/monitor\/([a-z]+)\/pages\/[^/]+$/.exec(modulePath)?.[1]
          const namePrefix = catalogPart
            ? `${catalogPart}-texts-`
            : nounName
              ? `${nounName}-`
              : /axe-core[^/]*\/locales\//.test(modulePath)
                ? 'axe-'
                : ''
          return `assets/${namePrefix}[name]-[hash].js`
        },
      },
    },
    // Fonts and pictures stay separate files because the content security policy restricts inlined content.
    assetsInlineLimit: 0,
  },
})
