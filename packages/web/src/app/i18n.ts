import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { loadLaterTexts } from '../kit/text/later-texts.ts'
import { readStored, writeStored } from '../kit/client/storage.ts'

/** The languages, each by its own name. */
export const locales = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
} as const
export type Locale = keyof typeof locales
export const isLocale = (value: string | null | undefined): value is Locale =>
  value !== null && value !== undefined && value in locales

const catalogs: Record<Locale, () => Promise<{ messages: Messages }>> = {
  de: () => import('../locales/de.po'),
  en: () => import('../locales/en.po'),
  es: () => import('../locales/es.po'),
  fr: () => import('../locales/fr.po'),
  it: () => import('../locales/it.po'),
  ja: () => import('../locales/ja.po'),
}

/** The language chosen earlier, else the first that the browser asks for and we have. */
export function preferredLocale(): Locale {
  const stored = readStored('locale')
  if (isLocale(stored)) return stored
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLocale) ?? 'en'
}

/** Loads a language and switches to it, in the document too. `keep` remembers it for the next visit. */
export async function switchLanguage(locale: Locale, keep = false): Promise<void> {
  const [{ messages }] = await Promise.all([catalogs[locale](), loadLaterTexts(locale)])
  i18n.load(locale, messages)
  document.documentElement.lang = locale
  i18n.activate(locale)
  if (keep) writeStored('locale', locale)
}
