import { basename } from 'node:path'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import type { LinguiConfigNormalized } from '@lingui/conf'
import type { Plugin } from 'vite'
import { catalogParts, findSourcesByPart, type CatalogPart } from './catalog-files.ts'

const partPattern = new RegExp(`\\.po\\?part=(${catalogParts.join('|')})$`)

/** Returns the configured catalog. There is one, with a dictionary for each language. */
export async function getCatalog(linguiConfig: LinguiConfigNormalized) {
  const [linguiCatalog] = await getCatalogs(linguiConfig)
  if (!linguiCatalog) throw new Error('lingui.config.ts defines no catalog')
  return linguiCatalog
}

/** Returns the message ids of each part. A message of two parts belongs to the part that loads first. */
export async function findIdsByPart(linguiConfig: LinguiConfigNormalized): Promise<Record<CatalogPart, Set<string>>> {
  const linguiCatalog = await getCatalog(linguiConfig)
  const sourcesOfPart = findSourcesByPart()
  const assignedIds = new Set<string>()
  const partIds = {} as Record<CatalogPart, Set<string>>
  for (const catalogPart of catalogParts) {
    const partFiles = sourcesOfPart[catalogPart]
    const messageIds = Object.keys((await linguiCatalog.collect({ files: partFiles })) ?? {})
    partIds[catalogPart] = new Set(messageIds.filter((id) => !assignedIds.has(id)))
    for (const id of messageIds) assignedIds.add(id)
  }
  return partIds
}

/** Returns a short id for each message. The ids of the extraction are hashes, which do not compress. */
const numberIds = (idsByPart: Record<CatalogPart, Set<string>>): Map<string, string> =>
  new Map(catalogParts.flatMap((part) => [...idsByPart[part]]).map((id, index) => [id, index.toString(36)]))

/** Replaces the message ids in built sources by those of the built catalogs. Runs after the macros. */
export function shortIdPlugin(linguiConfig: LinguiConfigNormalized): Plugin {
  let idsPromise: Promise<Map<string, string>> | null = null
  return {
    name: 'clearway-short-ids',
    apply: 'build',
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/ },
      async handler(code) {
        const shortIds = await (idsPromise ??= findIdsByPart(linguiConfig).then(numberIds))
        return { code: code.replace(/\bid: "([^"]+)"/g, (_, id: string) => `id: "${shortIds.get(id) ?? id}"`), map: null }
      },
    },
  }
}

/**
 * Compiles imports such as `de.po?part=first` to the messages of that part. A build throws if translations are missing.
 * In development, the first part contains everything and missing translations fall back to English.
 */
export function catalogPlugin(linguiConfig: LinguiConfigNormalized): Plugin {
  let isBuilding = false
  let idsPromise: ReturnType<typeof findIdsByPart> | null = null
  return {
    name: 'clearway-catalogs',
    configResolved: ({ command }) => {
      isBuilding = command === 'build'
    },
    transform: {
      filter: { id: partPattern },
      async handler(_, id) {
        const requestedPart = partPattern.exec(id)?.[1] as CatalogPart
        const [filePath = ''] = id.split('?')
        const fileLocale = basename(filePath, '.po')
        const linguiCatalog = await getCatalog(linguiConfig)
        const { messages: allMessages, missing: missingMessages } = await linguiCatalog.getTranslations(fileLocale, {
          sourceLocale: 'en',
          fallbackLocales: {},
          missingBehavior: 'catalog',
        })
        if (isBuilding && missingMessages.length > 0)
          throw new Error(`${fileLocale}.po lacks ${missingMessages.map(({ source }) => `“${source}”`).join(', ')}`)
        const idsByPart = isBuilding ? await (idsPromise ??= findIdsByPart(linguiConfig)) : null
        const shortIds = idsByPart && numberIds(idsByPart)
        const partMessages = Object.entries(allMessages)
          .filter(([messageId]) => idsByPart?.[requestedPart].has(messageId) ?? requestedPart === 'first')
          .map(([messageId, message]) => [shortIds?.get(messageId) ?? messageId, message] as const)
        const { source: compiledSource, errors: compileErrors } = createCompiledCatalog(
          fileLocale,
          Object.fromEntries(partMessages),
          {
            namespace: 'es',
          },
        )
        if (compileErrors.length > 0)
          throw new Error(compileErrors.map(({ error }) => `${fileLocale}: ${error.message}`).join('\n'))
        return { code: compiledSource, map: null, moduleType: 'js' }
      },
    },
  }
}
