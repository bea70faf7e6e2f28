import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { expect, test } from 'vitest'
import { getWords } from '../packages/server/src/idp/word/word.ts'
import { mailTexts } from '../packages/server/src/monitor/notification/mail/model.ts'
import { readGlossary, findWordFaults } from '../packages/web/glossary.ts'

// What the server says itself, in mails and on the pages of the sign-in. The web's dictionaries have a check of their own.

const textsOf = (table: object): string[] =>
  Object.values(table).flatMap((text: string | object) => (typeof text === 'string' ? [text] : textsOf(text)))
/** English text to translation. */
const dictionaryOf = (english: object, translated: object): Map<string, string> => {
  const said = textsOf(translated)
  return new Map(textsOf(english).map((text, i) => [text, said[i]!]))
}

test.each(languages)('mails say things by the words of docs/WORDS.md: %s', async (language) => {
  expect(findWordFaults(await readGlossary(), language, dictionaryOf(mailTexts.en, mailTexts[language]))).toEqual(
    [],
  )
})
test.each(languages)(
  'pages of the sign-in say things by the words of docs/WORDS.md: %s',
  async (language) => {
    expect(
      findWordFaults(await readGlossary(), language, dictionaryOf(getWords('en'), getWords(language))),
    ).toEqual([])
  },
)
test('finds a word that is not to be used, and a term that is another word', async () => {
  const english = { state: 'Canceled', more: { run: 'Run' } }
  const german = { state: 'Storniert', more: { run: 'Etikett' } }
  expect(findWordFaults(await readGlossary(), 'de', dictionaryOf(english, german))).toHaveLength(3)
})
