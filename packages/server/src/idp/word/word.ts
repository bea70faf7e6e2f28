import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import { choosePageLanguage } from '../../kit/language.ts'
import { germanWords } from './de.ts'
import { englishWords, type Words } from './en.ts'
import { spanishWords } from './es.ts'
import { frenchWords } from './fr.ts'
import { italianWords } from './it.ts'
import { japaneseWords } from './ja.ts'

const wordsByLanguage: Readonly<Record<Language, Words>> = {
  de: germanWords,
  en: englishWords,
  es: spanishWords,
  fr: frenchWords,
  it: italianWords,
  ja: japaneseWords,
}

export const getWords = (language: Language): Words => wordsByLanguage[language]

/** The language of a page: `chosen` by a parameter or the application, else the one that the browser requests. */
export const chooseLanguage = (preferences: { chosen?: string | null | undefined; header?: string | undefined }): Language =>
  choosePageLanguage(preferences, languages, 'en')
