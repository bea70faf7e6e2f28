import { getConfig } from '@lingui/conf'
import { catalogOf } from './catalog-plugin.ts'
import { dictionaryFaults } from './check-catalogs.ts'

/**
 * Brings what the sources say into the dictionary of each language, and takes out what they say no more; then says what is
 * still to be translated. An empty file is enough for a new language.
 */
const config = getConfig({ cwd: import.meta.dirname })
const catalog = await catalogOf(config)
const { orderBy } = config
if (!(await catalog.make({ clean: true, overwrite: false, orderBy }))) process.exit(1)
for (const { locale, wrong } of await dictionaryFaults()) {
  console.log(`${locale}: ${wrong.length === 0 ? 'whole' : `${wrong.length} to do`}`)
  for (const line of wrong) console.log(`  ${line}`)
}
