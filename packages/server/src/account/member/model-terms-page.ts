import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../../kit/html.ts'
import { termsWords } from './model-terms.ts'

export const termsPath = '/axe-account/terms'

const style = `:root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;margin:0 auto;padding:2rem 1rem;max-width:40rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25}button,a.button{font:inherit;font-weight:600;min-height:44px;padding:.5rem 1.25rem;border:2px solid;border-radius:6px;background:none;color:inherit}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:0}nav a,nav span{display:inline-block;min-height:24px}
nav [aria-current]{font-weight:600}:focus-visible{outline:3px solid;outline-offset:3px}`

type Whole = { language: Language; title: string; body: string; nonce: string }

/** A whole page, in one language. */
export const wholePage = ({ language, title, body, nonce }: Whole): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style nonce="${nonce}">${style}</style></head>
<body>${body}</body></html>`

/** One link for each language, in that language; they lead back to where one came from. */
function languageLinks(language: Language, back: string): string {
  const links = Object.entries(termsWords).map(([key, words]) => {
    if (key === language) return `<li><span aria-current="true">${words.language}</span></li>`
    const query = new URLSearchParams({ lang: key, 'original-redirect': back })
    const href = escapeHtml(`${termsPath}?${query.toString()}`)
    return `<li><a href="${href}" lang="${key}" hreflang="${key}">${words.language}</a></li>`
  })
  return `<nav aria-label="${escapeHtml(termsWords[language].choose)}"><ul>${links.join('')}</ul></nav>`
}

/**
 * What stands on the page of the terms.
 * @param page.text the owner's text, in whatever language he wrote it; null for our own
 */
export function termsBody(page: {
  language: Language
  productName: string
  text: string | null
  username: string
  back: string
  token: string
}): string {
  const words = termsWords[page.language]
  const paragraphs = (page.text ?? words.terms)
    .split(/\n\s*\n/)
    .map((text) => `<p>${escapeHtml(text.trim())}</p>`)
    .join('\n')
  const [before, after] = words.signedIn.split('{name}')
  return `<header>${languageLinks(page.language, page.back)}<p>${escapeHtml(page.productName)}</p></header>
<main><h1>${words.title}</h1>
${paragraphs}
<form method="post" action="${termsPath}">
<input type="hidden" name="token" value="${escapeHtml(page.token)}">
<input type="hidden" name="original-redirect" value="${escapeHtml(page.back)}">
<p>${before}<strong>${escapeHtml(page.username)}</strong>${after}</p>
<button>${words.agree}</button></form>
<p><a href="${escapeHtml(page.back)}">${words.back}</a></p></main>`
}

/** What stands there when a sign-in did not come to its end. */
export function failedBody(language: Language): string {
  const { failed, failedWhy, again } = termsWords[language]
  return `<main><h1>${failed}</h1><p>${failedWhy}</p>
<p><a class="button" href="${termsPath}">${again}</a></p></main>`
}
