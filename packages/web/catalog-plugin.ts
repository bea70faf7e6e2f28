import { basename } from 'node:path'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import type { LinguiConfigNormalized } from '@lingui/conf'
import type { Plugin } from 'vite'
import { catalogParts, sourcesByPart, type CatalogPart } from './catalog-files.ts'

const asked = new RegExp(`\\.po\\?part=(${catalogParts.join('|')})$`)

/** The catalogue of the configuration: there is one, with a dictionary a language. */
export async function catalogOf(config: LinguiConfigNormalized) {
  const [catalog] = await getCatalogs(config)
  if (!catalog) throw new Error('lingui.config.ts names no catalogue')
  return catalog
}

/** Ids of the messages of each part; one that two parts say is in the one that loads first. */
export async function idsByPart(config: LinguiConfigNormalized): Promise<Record<CatalogPart, Set<string>>> {
  const catalog = await catalogOf(config)
  const sources = sourcesByPart()
  const known = new Set<string>()
  const parts = {} as Record<CatalogPart, Set<string>>
  for (const part of catalogParts) {
    const files = sources[part]
    const found = Object.keys((await catalog.collect({ files })) ?? {})
    parts[part] = new Set(found.filter((id) => !known.has(id)))
    for (const id of found) known.add(id)
  }
  return parts
}

/**
 * Answers `de.po?part=first` with what that part says of the dictionary. A build throws for what lacks; while
 * developing, the first part contains everything, and a text that a dictionary lacks shows in English.
 */
export function catalogPlugin(config: LinguiConfigNormalized): Plugin {
  let building = false
  let parts: ReturnType<typeof idsByPart> | null = null
  return {
    name: 'clearway-catalogs',
    configResolved: ({ command }) => {
      building = command === 'build'
    },
    transform: {
      filter: { id: asked },
      async handler(_, id) {
        const part = asked.exec(id)?.[1] as CatalogPart
        const [file = ''] = id.split('?')
        const locale = basename(file, '.po')
        const catalog = await catalogOf(config)
        const { messages, missing } = await catalog.getTranslations(locale, {
          sourceLocale: 'en',
          fallbackLocales: {},
          missingBehavior: 'catalog',
        })
        if (building && missing.length > 0)
          throw new Error(`${locale}.po lacks ${missing.map(({ source }) => `“${source}”`).join(', ')}`)
        const ids = building ? (await (parts ??= idsByPart(config)))[part] : null
        const said = Object.entries(messages).filter(([one]) => ids?.has(one) ?? part === 'first')
        const { source, errors } = createCompiledCatalog(locale, Object.fromEntries(said), {
          namespace: 'es',
        })
        if (errors.length > 0)
          throw new Error(errors.map(({ error }) => `${locale}: ${error.message}`).join('\n'))
        return { code: source, map: null, moduleType: 'js' }
      },
    },
  }
}
