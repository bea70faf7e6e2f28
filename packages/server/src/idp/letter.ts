import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../kit/html.ts'
import { newId } from '../kit/id.ts'
import type { Letter } from '../kit/mail.ts'
import { filled, wordsIn } from './word/word.ts'

const style = `body{margin:0;padding:24px;background:#ffffff;color:#1b1f24;font:16px/1.5 Arial,sans-serif}
h1{font-size:22px;line-height:1.3;margin:0 0 16px}a{color:#0a4fa3}`

type Said = { receiver: string; subject: string; language: Language; paragraphs: readonly string[] }
type Link = { url: string; text: string }

/** A mail as text and as HTML; a link comes after the first paragraph. */
function letterOf({ receiver, subject, language, paragraphs }: Said, link?: Link): Letter {
  const [first = '', ...others] = paragraphs
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const anchor = link && `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(subject)}</h1>
${[paragraph(first), ...(anchor ? [anchor] : []), ...others.map(paragraph)].join('\n')}</main></body></html>
`
  const text = [first, ...(link ? [link.url] : []), ...others].flatMap((part) => [part, '']).join('\n')
  return { id: newId(), receiver, subject, text, html, language }
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ')

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
  const say = (text: string) => oneLine(filled(text, values))
  const subject = say(kind === 'invite' ? words.inviteSubject : words.resetSubject)
  const why = say(kind === 'invite' ? words.inviteText : words.resetText)
  const paragraphs = [why, say(words.mailUntil)]
  const text = kind === 'invite' ? words.inviteTitle : words.resetTitle
  return letterOf({ receiver, subject, language, paragraphs }, { url: link, text })
}

/** The mail to whom somebody tries to sign in as who knows the password, and guesses codes. */
export function guessedLetter(given: { receiver: string; product: string; language: Language }): Letter {
  const { receiver, product, language } = given
  const words = wordsIn(language)
  const say = (text: string) => oneLine(filled(text, { product }))
  return letterOf({
    receiver,
    language,
    subject: say(words.guessedSubject),
    paragraphs: [say(words.guessedText)],
  })
}
