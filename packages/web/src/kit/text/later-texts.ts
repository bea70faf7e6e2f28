import { i18n, type Messages } from '@lingui/core'
import { checkConnection, isServerReachable } from '../client/connection.ts'

/** What screens behind the scan list say, and what the help says. */
export type Later = 'later' | 'docs'
type Texts = { messages: Messages }
type Catalogs = Record<string, () => Promise<Texts>>
const catalogs: Record<Later, Catalogs> = {
  later: import.meta.glob<Texts>('../../locales/*.po', { query: '?part=later' }),
  docs: import.meta.glob<Texts>('../../locales/*.po', { query: '?part=docs' }),
}
const loaded = new Map<string, Promise<void>>()
const needed = new Set<Later>()

async function load(kind: Later, locale: string): Promise<void> {
  const catalog = await catalogs[kind][`../../locales/${locale}.po`]?.()
  if (catalog) i18n.load(locale, catalog.messages)
}

/** Loads texts in one language, once. Rejects when they cannot be had. */
function loadTexts(kind: Later, locale: string): Promise<void> {
  needed.add(kind)
  const name = `${kind}-${locale}`
  const known = loaded.get(name)
  if (known) return known
  const loading = load(kind, locale)
  loaded.set(name, loading)
  // A later try may have more luck.
  loading.catch(() => loaded.delete(name))
  return loading
}

/** Loads what screens needed so far in another language. Rejects when it cannot be had. */
export async function loadLaterTexts(locale: string): Promise<void> {
  await Promise.all([...needed].map((kind) => loadTexts(kind, locale)))
}

/** The code of a screen did not come. */
export class LoadTimeout extends Error {}
/** The code of a screen did not come because there is no connection. */
export class ConnectionLost extends Error {}
/** As long as code may be on its way. */
const longestLoadMs = 120_000

/**
 * The code of a screen or dialog, with the texts that it needs: `docs` for those of the help as well. Rejects with
 * LoadTimeout after two minutes, with ConnectionLost when the server cannot be reached.
 */
export async function withLaterTexts<T>(module: Promise<T>, more?: 'docs'): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadTimeout('The code of the screen did not come')), longestLoadMs)
  })
  try {
    const kinds: Later[] = more ? ['later', more] : ['later']
    const texts = kinds.map((kind) => loadTexts(kind, i18n.locale))
    const [code] = await Promise.race([Promise.all([module, ...texts]), late])
    return code
  } catch (error) {
    // Else the router takes it for a newer version and loads the whole page anew, of which nothing would be left.
    if (!(await isServerReachable())) {
      void checkConnection()
      throw new ConnectionLost('The code of the screen did not come: no connection', { cause: error })
    }
    throw error
  } finally {
    clearTimeout(timer)
  }
}
