import { i18n, type Messages } from '@lingui/core'

const catalogs: Readonly<Record<string, () => Promise<{ messages: Messages }>>> = {
  de: () => import('../locales/later-de.po'),
  en: () => import('../locales/later-en.po'),
  es: () => import('../locales/later-es.po'),
  fr: () => import('../locales/later-fr.po'),
  it: () => import('../locales/later-it.po'),
  ja: () => import('../locales/later-ja.po'),
}
const loaded = new Map<string, Promise<void>>()

async function load(locale: string): Promise<void> {
  const catalog = await catalogs[locale]?.()
  if (catalog) i18n.load(locale, catalog.messages)
}

/** Loads the texts of the screens behind the scan list in one language, once. Rejects when they cannot be had. */
export function loadLaterTexts(locale: string = i18n.locale): Promise<void> {
  const known = loaded.get(locale)
  if (known) return known
  const loading = load(locale)
  loaded.set(locale, loading)
  // A later try may have more luck.
  loading.catch(() => loaded.delete(locale))
  return loading
}

/** Whether any screen needed them yet. */
export const hasLaterTexts = (): boolean => loaded.size > 0

/** The code of a screen did not come. */
export class LoadTimeout extends Error {}
/** As long as code may be on its way (specification 9). */
const longestLoadMs = 120_000

/** The code of a screen or dialog, with the texts that it needs. Rejects with LoadTimeout after two minutes. */
export async function withLaterTexts<T>(module: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadTimeout('The code of the screen did not come')), longestLoadMs)
  })
  try {
    const [code] = await Promise.race([Promise.all([module, loadLaterTexts()]), late])
    return code
  } finally {
    clearTimeout(timer)
  }
}
