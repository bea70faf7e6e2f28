import { fileURLToPath } from 'node:url'
import { getConfig } from '@lingui/conf'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
/** The plugin is CommonJS: under Node its default export stands one level deeper than its types say. */
const localesPlugin =
  (optimizeLocales as unknown as { default?: typeof optimizeLocales }).default ?? optimizeLocales

/** What turns our sources into what a browser runs: macros, catalogues, and only our six languages of the component library. */
export const webPlugins = () => [
  react(),
  lingui({ cwd: root, failOnMissing: true, failOnCompileError: true }),
  // Named outright: the macros would look for the configuration where the program was started.
  babel({
    presets: [linguiTransformerBabelPreset({ linguiConfig: getConfig({ cwd: root }) }, { cwd: root })],
  }),
  localesPlugin.vite({ locales: ['de-DE', 'en-US', 'es-ES', 'fr-FR', 'it-IT', 'ja-JP'] }),
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
      output: {
        // What the first screen needs comes in two files, not in one for each set of screens that share something:
        // fewer requests, and they compress better. Libraries change more seldom than our own code.
        codeSplitting: {
          groups: [
            { name: 'library', test: /node_modules/, tags: ['$initial'], priority: 1 },
            { name: 'first', tags: ['$initial'] },
          ],
        },
        // Told apart from our own catalogues, which have the same names.
        chunkFileNames: ({ facadeModuleId }) =>
          /axe-core[^/]*\/locales\//.test(facadeModuleId ?? '')
            ? 'assets/axe-[name]-[hash].js'
            : 'assets/[name]-[hash].js',
      },
    },
    // Fonts and pictures stay files: the content security policy allows no surprises.
    assetsInlineLimit: 0,
  },
})
