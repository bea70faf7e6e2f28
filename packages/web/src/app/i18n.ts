import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { loadLaterTexts } from '../kit/text/later-texts.ts'
import { languages } from './languages.ts'
import { readStoredValue, writeStoredValue } from '../kit/client/storage.ts'

export type Locale = keyof typeof languages
export const isLocale = (value: string | null | undefined): value is Locale =>
  value !== null && value !== undefined && value in languages

const catalogs = import.meta.glob<{ messages: Messages }>('../locales/*.po', { query: '?part=first' })

/** The language chosen earlier, else the first that the browser asks for and we have. */
export function preferredLocale(): Locale {
  const stored = readStoredValue('locale')
  if (isLocale(stored)) return stored
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLocale) ?? 'en'
}

/** Loads a language and switches to it, in the document too. `keep` remembers it for the next visit. */
export async function switchLanguage(locale: Locale, keep = false): Promise<void> {
  const [{ messages }] = await Promise.all([catalogs[`../locales/${locale}.po`]!(), loadLaterTexts(locale)])
  i18n.load(locale, messages)
  document.documentElement.lang = locale
  i18n.activate(locale)
  if (keep) writeStoredValue('locale', locale)
}
