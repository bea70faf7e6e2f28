import { i18n, type Messages } from '@lingui/core'
import { checkConnection, isServerReachable } from '../client/connection.ts'

/** Catalogs that load on demand: texts beyond the scan list, and the help. */
export type DeferredCatalog = 'later' | 'docs'
type CatalogModule = { messages: Messages }
type CatalogLoaders = Record<string, () => Promise<CatalogModule>>
const catalogLoaders: Record<DeferredCatalog, CatalogLoaders> = {
  later: import.meta.glob<CatalogModule>('../../locales/*.po', { query: '?part=later' }),
  docs: import.meta.glob<CatalogModule>('../../locales/*.po', { query: '?part=docs' }),
}
const loadedCatalogs = new Map<string, Promise<void>>()
const neededCatalogs = new Set<DeferredCatalog>()

async function loadCatalog(catalogKind: DeferredCatalog, locale: string): Promise<void> {
  const catalogModule = await catalogLoaders[catalogKind][`../../locales/${locale}.po`]?.()
  if (catalogModule) i18n.load(locale, catalogModule.messages)
}

/** Loads a catalog in one language, once. Rejects if it cannot be loaded. */
function loadTexts(catalogKind: DeferredCatalog, locale: string): Promise<void> {
  neededCatalogs.add(catalogKind)
  const catalogName = `${catalogKind}-${locale}`
  const pendingLoad = loadedCatalogs.get(catalogName)
  if (pendingLoad) return pendingLoad
  const loadPromise = loadCatalog(catalogKind, locale)
  loadedCatalogs.set(catalogName, loadPromise)
  // Allows a retry after a failure.
  loadPromise.catch(() => loadedCatalogs.delete(catalogName))
  return loadPromise
}

/** Loads all catalogs in use in another language. Rejects if one cannot be loaded. */
export async function loadDeferredTexts(locale: string): Promise<void> {
  await Promise.all([...neededCatalogs].map((catalogKind) => loadTexts(catalogKind, locale)))
}

/** The code of a screen did not load in time. */
export class LoadTimeout extends Error {}
/** The code of a screen did not load because there is no connection. */
export class ConnectionLost extends Error {}
/** Timeout of loading code. */
const maxLoadMs = 120_000

/**
 * Loads the code of a screen or dialog together with its texts; `docs` adds the help texts.
 * @throws LoadTimeout after two minutes
 * @throws ConnectionLost if the server cannot be reached
 */
export async function withDeferredTexts<T>(module: Promise<T>, extraCatalog?: 'docs'): Promise<T> {
  let timeoutTimer: ReturnType<typeof setTimeout> | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    timeoutTimer = setTimeout(() => reject(new LoadTimeout('The code of the screen did not come')), maxLoadMs)
  })
  try {
    const catalogKinds: DeferredCatalog[] = extraCatalog ? ['later', extraCatalog] : ['later']
    const textPromises = catalogKinds.map((kind) => loadTexts(kind, i18n.locale))
    const [loadedModule] = await Promise.race([Promise.all([module, ...textPromises]), timeoutPromise])
    return loadedModule
  } catch (error) {
    // Otherwise the router assumes a newer version and reloads the whole page, which loses its state.
    if (!(await isServerReachable())) {
      void checkConnection()
      throw new ConnectionLost('The code of the screen did not come: no connection', { cause: error })
    }
    throw error
  } finally {
    clearTimeout(timeoutTimer)
  }
}
