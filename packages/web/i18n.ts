import { getConfig } from '@lingui/conf'
import { getCatalog } from './catalog-plugin.ts'
import { findDictionaryFaults } from './check-catalogs.ts'

/**
 * Adds new messages to the dictionary of each language and removes unused ones, then lists missing translations. A new
 * language starts with an empty file.
 */
const linguiConfig = getConfig({ cwd: import.meta.dirname })
const linguiCatalog = await getCatalog(linguiConfig)
const { orderBy } = linguiConfig
if (!(await linguiCatalog.make({ clean: true, overwrite: false, orderBy }))) process.exit(1)
for (const { locale: dictionaryLocale, wrong: faultLines } of await findDictionaryFaults()) {
  console.log(`${dictionaryLocale}: ${faultLines.length === 0 ? 'whole' : `${faultLines.length} to do`}`)
  for (const faultLine of faultLines) console.log(`  ${faultLine}`)
}
