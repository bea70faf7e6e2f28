import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { expect, test } from 'vitest'
import { getWords } from '../packages/server/src/idp/word/word.ts'
import { mailTexts } from '../packages/server/src/monitor/notification/mail/model.ts'
import { readGlossary, findWordFaults } from '../packages/web/glossary.ts'

// The server's own texts, in mails and on the sign-in pages. The web's dictionaries have a separate check.

const listTexts = (table: object): string[] =>
  Object.values(table).flatMap((text: string | object) => (typeof text === 'string' ? [text] : listTexts(text)))
/** Maps each English text to its translation. */
const buildDictionary = (english: object, translated: object): Map<string, string> => {
  const translatedTexts = listTexts(translated)
  return new Map(listTexts(english).map((text, i) => [text, translatedTexts[i]!]))
}

test.each(languages)('mails use the words of docs/WORDS.md: %s', async (language) => {
  expect(findWordFaults(await readGlossary(), language, buildDictionary(mailTexts.en, mailTexts[language]))).toEqual([])
})
test.each(languages)('sign-in pages use the words of docs/WORDS.md: %s', async (language) => {
  expect(findWordFaults(await readGlossary(), language, buildDictionary(getWords('en'), getWords(language)))).toEqual([])
})
test('finds a forbidden word, and a wrong term', async () => {
  const english = { state: 'Canceled', more: { run: 'Run' } }
  const german = { state: 'Storniert', more: { run: 'Etikett' } }
  expect(findWordFaults(await readGlossary(), 'de', buildDictionary(english, german))).toHaveLength(3)
})
