import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import { pageLanguage } from '../../kit/language.ts'
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'

const tables: Readonly<Record<Language, Words>> = { de, en, es, fr, it, ja }

export const wordsIn = (language: Language): Words => tables[language]

/** The language of a page: `chosen` in the address or by the application, else what the browser asks for. */
export const languageFor = (asked: {
  chosen?: string | null | undefined
  header?: string | undefined
}): Language => pageLanguage(asked, languages, 'en')
