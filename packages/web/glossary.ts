import { readFile } from 'node:fs/promises'

/** Tables of docs/WORDS.md: terms in each language, and words to avoid in a language. */
export type Glossary = { terms: Map<string, string>[]; avoided: { locale: string; word: string; instead: string }[] }

const localesByLanguage: Record<string, string> = {
  English: 'en',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Japanese: 'ja',
}

export const readGlossary = async (): Promise<Glossary> =>
  parseGlossary(await readFile(new URL('../../docs/WORDS.md', import.meta.url), 'utf8'))

/** Parses the two tables of a Markdown page. */
export function parseGlossary(markdown: string): Glossary {
  const [termsSection = '', avoidedSection = ''] = markdown.split(/^## Glossary$/m)[1]?.split(/^## Not these$/m) ?? []
  const [headingCells = [], , ...termRows] = parseTableRows(termsSection)
  const columnLocales = headingCells.map((language) => localesByLanguage[language] ?? language)
  return {
    terms: termRows.map((row) => new Map(row.map((term, i) => [columnLocales[i] ?? '', term]))),
    avoided: parseTableRows(avoidedSection)
      .slice(2)
      .flatMap(([language = '', avoidedWords = '', instead = '']) =>
        avoidedWords.split(', ').map((word) => ({ locale: localesByLanguage[language] ?? language, word, instead })),
      ),
  }
}

const parseTableRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

/** Compares the dictionary of a language (English text to translation) with the glossary. */
export const findGlossaryFaults = (glossary: Glossary, locale: string, dictionary: ReadonlyMap<string, string>): string[] => [
  ...glossary.terms
    .map((row) => row.get('en') ?? '')
    .filter((english) => !dictionary.has(english))
    .map((english) => `“${english}” is a term of docs/WORDS.md that no screen uses`),
  ...findWordFaults(glossary, locale, dictionary),
]

/** Finds texts of a language that differ from the glossary: other translations of terms, and avoided words. */
export function findWordFaults({ terms, avoided }: Glossary, locale: string, dictionary: ReadonlyMap<string, string>): string[] {
  const termFaults = terms.flatMap((row) => {
    const [englishTerm = '', localTerm = ''] = [row.get('en'), row.get(locale)]
    const usedTerm = dictionary.get(englishTerm) ?? localTerm
    return usedTerm === localTerm ? [] : [`“${englishTerm}” is “${usedTerm}”, docs/WORDS.md says “${localTerm}”`]
  })
  const avoidedWordFaults = avoided
    .filter((row) => row.locale === locale)
    .flatMap(({ word, instead }) =>
      [...dictionary]
        .filter(([, translation]) => containsWord(translation, word))
        .map(([english]) => `“${english}” says “${word}”, docs/WORDS.md says “${instead}”`),
    )
  return [...termFaults, ...avoidedWordFaults]
}

// Japanese has no spaces between words, so a word matches anywhere.
function containsWord(text: string, word: string): boolean {
  const wordBoundary = /\p{Script=Latin}/u.test(word) ? String.raw`\p{L}` : '(?!)'
  return new RegExp(`(?<!${wordBoundary})${word}(?!${wordBoundary})`, 'iu').test(text)
}
