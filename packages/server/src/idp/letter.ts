import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../kit/html.ts'
import { newId } from '../kit/id.ts'
import type { Letter } from '../kit/mail.ts'
import { filled, wordsIn } from './word/word.ts'

const style = `body{margin:0;padding:24px;background:#ffffff;color:#1b1f24;font:16px/1.5 Arial,sans-serif}
h1{font-size:22px;line-height:1.3;margin:0 0 16px}a{color:#0a4fa3}`

/** The mail that brings a link to set a password: as text and as HTML, in the reader's language. */
export function linkLetter(given: {
  kind: 'invite' | 'reset'
  receiver: string
  product: string
  link: string
  expiresAt: Date
  language: Language
}): Letter {
  const { kind, receiver, link, language } = given
  const words = wordsIn(language)
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const values = { product: given.product, date: format.format(given.expiresAt) }
  const say = (text: string) => filled(text, values).replaceAll(/[\p{Cc}\s]+/gu, ' ')
  const subject = say(kind === 'invite' ? words.inviteSubject : words.resetSubject)
  const why = say(kind === 'invite' ? words.inviteText : words.resetText)
  const until = say(words.mailUntil)
  const action = kind === 'invite' ? words.inviteTitle : words.resetTitle
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(subject)}</h1>
<p>${escapeHtml(why)}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>
<p>${escapeHtml(until)}</p></main></body></html>
`
  return { id: newId(), receiver, subject, text: [why, '', link, '', until, ''].join('\n'), html, language }
}
