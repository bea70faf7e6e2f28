import { readFileSync } from 'node:fs'
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { expect, it } from 'vitest'
import { termsBody, wholePage, termsLanguage, termsWords } from './model.ts'

const asked = { chosen: undefined, kept: null, header: undefined }

it.each([
  [{}, 'en'],
  [{ header: 'pt-BR,fr-CA;q=0.8,de;q=0.5' }, 'fr'],
  [{ header: 'xx' }, 'en'],
  [{ header: 'fr', kept: 'ja' }, 'ja'],
  [{ header: 'fr', kept: 'ja', chosen: 'it' }, 'it'],
  [{ header: 'fr', kept: '"><script>', chosen: '__proto__' }, 'fr'],
])('the terms are shown in the language that was chosen, else asked for: %j', (part, expected) => {
  expect(termsLanguage({ ...asked, ...part })).toBe(expected)
})

it('the page has all of its words, and a way to the others, in each language', () => {
  const page = {
    productName: 'P&Q',
    text: null,
    username: '<b>',
    back: 'https://x.example/?a=1&b=2',
    token: 't',
  }
  for (const language of languages) {
    const words = termsWords[language]
    const body = termsBody({ ...page, language })
    expect(wholePage({ language, title: words.title, body, nonce: 'n' })).toContain(
      `<html lang="${language}">`,
    )
    for (const word of [words.title, words.agree, words.back, words.terms.split('\n')[0]!])
      expect(body).toContain(word)
    expect(body).toContain('<strong>&lt;b&gt;</strong>')
    expect(body.match(/hreflang="\w+"/g)).toHaveLength(languages.length - 1)
    expect(body).toContain('original-redirect=https%3A%2F%2Fx.example%2F%3Fa%3D1%26b%3D2')
    expect(words.terms.split('\n\n')).toHaveLength(termsWords.en.terms.split('\n\n').length)
  }
  expect(termsBody({ ...page, language: 'de', text: 'Nur <i>wir</i>' })).toContain('Nur &lt;i&gt;wir')
})

it('the page has the colors of the pages of the sign-in, between which it is shown', () => {
  const tokens = (css: string) =>
    new Map([...css.matchAll(/(--[\w-]+):\s*(light-dark\([^)]+\))/g)].map(([, name, value]) => [name, value]))
  const theirs = tokens(readFileSync(new URL('../../../idp/page.css', import.meta.url), 'utf8'))
  const ours = tokens(wholePage({ language: 'en', title: 't', body: '', nonce: 'n' }))
  expect(ours.size).toBeGreaterThan(7)
  for (const [name, value] of ours) expect([name, value]).toEqual([name, theirs.get(name)])
})
