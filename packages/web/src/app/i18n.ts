import { type Messages, i18n } from '@lingui/core'
import { loadDeferredTexts } from '../kit/text/deferred-texts.ts'
import { languageNames } from './languages.ts'
import { readStoredValue, writeStoredValue } from '../kit/client/storage.ts'

export type Locale = keyof typeof languageNames
export const isLocale = (value: string | null | undefined): value is Locale =>
  value !== null && value !== undefined && value in languageNames

const catalogLoaders = import.meta.glob<{ messages: Messages }>('../locales/*.po', { query: '?part=first' })

/** Returns the language chosen earlier; otherwise the browser's first supported language. */
export function getPreferredLocale(): Locale {
  const storedLocale = readStoredValue('locale')
  if (isLocale(storedLocale)) return storedLocale
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLocale) ?? 'en'
}

/** Loads a language and activates it, also in the document. `keep` stores it for the next visit. */
export async function switchLanguage(locale: Locale, shouldStore = false): Promise<void> {
  const [{ messages: localeMessages }] = await Promise.all([
    catalogLoaders[`../locales/${locale}.po`]!(),
    loadDeferredTexts(locale),
  ])
  i18n.load(locale, localeMessages)
  document.documentElement.lang = locale
  i18n.activate(locale)
  if (shouldStore) writeStoredValue('locale', locale)
}
