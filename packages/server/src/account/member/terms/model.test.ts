import { readFileSync } from 'node:fs'
import { languages } from '@clearway/contract/monitor/user/schema.ts'
import { expect, it } from 'vitest'
import { renderTermsBody, renderPage, chooseTermsLanguage, termsWords } from './model.ts'

const noPreferences = { chosenLanguage: undefined, storedLanguage: null, acceptLanguage: undefined }

it.each([
  [{}, 'en'],
  [{ acceptLanguage: 'pt-BR,fr-CA;q=0.8,de;q=0.5' }, 'fr'],
  [{ acceptLanguage: 'xx' }, 'en'],
  [{ acceptLanguage: 'fr', storedLanguage: 'ja' }, 'ja'],
  [{ acceptLanguage: 'fr', storedLanguage: 'ja', chosenLanguage: 'it' }, 'it'],
  [{ acceptLanguage: 'fr', storedLanguage: '"><script>', chosenLanguage: '__proto__' }, 'fr'],
])('shows the terms in the chosen language, else in the one of the browser: %j', (preferences, expectedLanguage) => {
  expect(chooseTermsLanguage({ ...noPreferences, ...preferences })).toBe(expectedLanguage)
})

it('shows all texts and links to the other languages, in each language', () => {
  const pageContent = {
    productName: 'P&Q',
    text: null,
    username: '<b>',
    back: 'https://x.example/?a=1&b=2',
    token: 't',
  }
  for (const language of languages) {
    const languageWords = termsWords[language]
    const bodyHtml = renderTermsBody({ ...pageContent, language })
    expect(renderPage({ language, title: languageWords.title, body: bodyHtml, nonce: 'n' })).toContain(
      `<html lang="${language}">`,
    )
    for (const word of [languageWords.title, languageWords.agree, languageWords.back, languageWords.terms.split('\n')[0]!])
      expect(bodyHtml).toContain(word)
    expect(bodyHtml).toContain('<strong>&lt;b&gt;</strong>')
    expect(bodyHtml.match(/hreflang="\w+"/g)).toHaveLength(languages.length - 1)
    expect(bodyHtml).toContain('original-redirect=https%3A%2F%2Fx.example%2F%3Fa%3D1%26b%3D2')
    expect(languageWords.terms.split('\n\n')).toHaveLength(termsWords.en.terms.split('\n\n').length)
  }
  expect(renderTermsBody({ ...pageContent, language: 'de', text: 'Nur <i>wir</i>' })).toContain('Nur &lt;i&gt;wir')
})

it('uses the colors of the sign-in pages', () => {
  const parseColorTokens = (css: string) =>
    new Map([...css.matchAll(/(--[\w-]+):\s*(light-dark\([^)]+\))/g)].map(([, name, value]) => [name, value]))
  const signInTokens = parseColorTokens(readFileSync(new URL('../../../idp/page.css', import.meta.url), 'utf8'))
  const termsTokens = parseColorTokens(renderPage({ language: 'en', title: 't', body: '', nonce: 'n' }))
  expect(termsTokens.size).toBeGreaterThan(7)
  for (const [name, value] of termsTokens) expect([name, value]).toEqual([name, signInTokens.get(name)])
})
