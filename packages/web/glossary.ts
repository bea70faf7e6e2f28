import { readFile } from 'node:fs/promises'

/** The tables of docs/WORDS.md: a row of terms in each language, and the words that a language does not use. */
export type Glossary = {
  terms: Map<string, string>[]
  avoided: { locale: string; word: string; instead: string }[]
}

const localeOf: Record<string, string> = {
  English: 'en',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Japanese: 'ja',
}

export const readGlossary = async (): Promise<Glossary> =>
  glossaryOf(await readFile(new URL('../../docs/WORDS.md', import.meta.url), 'utf8'))

/** Reads the two tables of a page in Markdown. */
export function glossaryOf(page: string): Glossary {
  const [terms = '', avoided = ''] = page.split(/^## Glossary$/m)[1]?.split(/^## Not these$/m) ?? []
  const [head = [], , ...rows] = tableRows(terms)
  const locales = head.map((language) => localeOf[language] ?? language)
  return {
    terms: rows.map((row) => new Map(row.map((term, i) => [locales[i] ?? '', term]))),
    avoided: tableRows(avoided)
      .slice(2)
      .flatMap(([language = '', words = '', instead = '']) =>
        words.split(', ').map((word) => ({ locale: localeOf[language] ?? language, word, instead })),
      ),
  }
}

const tableRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

/** Where the dictionary of a language differs from the glossary. `dictionary`: English text to translation. */
export const glossaryFaults = (
  glossary: Glossary,
  locale: string,
  dictionary: ReadonlyMap<string, string>,
): string[] => [
  ...glossary.terms
    .map((row) => row.get('en') ?? '')
    .filter((english) => !dictionary.has(english))
    .map((english) => `“${english}” is a term of docs/WORDS.md that no screen says`),
  ...wordFaults(glossary, locale, dictionary),
]

/** Where some texts of a language differ from the glossary: terms that are another word in it, and words not to use. */
export function wordFaults(
  { terms, avoided }: Glossary,
  locale: string,
  dictionary: ReadonlyMap<string, string>,
): string[] {
  const wrongTerms = terms.flatMap((row) => {
    const [english = '', term = ''] = [row.get('en'), row.get(locale)]
    const said = dictionary.get(english) ?? term
    return said === term ? [] : [`“${english}” is “${said}”, docs/WORDS.md says “${term}”`]
  })
  const wrongWords = avoided
    .filter((row) => row.locale === locale)
    .flatMap(({ word, instead }) =>
      [...dictionary]
        .filter(([, said]) => containsWord(said, word))
        .map(([english]) => `“${english}” says “${word}”, docs/WORDS.md says “${instead}”`),
    )
  return [...wrongTerms, ...wrongWords]
}

// Japanese has no spaces between words: there, a word is found wherever its signs are.
function containsWord(text: string, word: string): boolean {
  const edge = /\p{Script=Latin}/u.test(word) ? String.raw`\p{L}` : '(?!)'
  return new RegExp(`(?<!${edge})${word}(?!${edge})`, 'iu').test(text)
}
