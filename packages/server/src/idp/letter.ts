import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml, htmlMail } from '../kit/html.ts'
import { newId } from '../kit/id.ts'
import type { Letter } from '../kit/mail.ts'
import { filled, oneLine } from '../kit/text.ts'
import { wordsIn } from './word/word.ts'

type Said = { receiver: string; subject: string; language: Language; paragraphs: readonly string[] }
type Link = { url: string; text: string }

/** A mail as text and as HTML; a link comes after the first paragraph. */
function letterOf({ receiver, subject, language, paragraphs }: Said, link?: Link): Letter {
  const [first = '', ...others] = paragraphs
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const anchor = link && `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`
  const content = [paragraph(first), ...(anchor ? [anchor] : []), ...others.map(paragraph)].join('\n')
  const text = [first, ...(link ? [link.url] : []), ...others].flatMap((part) => [part, '']).join('\n')
  return { id: newId(), receiver, subject, text, html: htmlMail({ language, subject, content }), language }
}

/** What a mail with a link is called, says, and calls the link. */
const linkTexts = {
  invite: ['inviteSubject', 'inviteText', 'inviteTitle'],
  reset: ['resetSubject', 'resetText', 'resetTitle'],
  email: ['emailSubject', 'emailText', 'emailTitle'],
} as const

/** The mail that brings a link to set a password, or to confirm an address: as text and as HTML, in the reader's language. */
export function linkLetter(given: {
  kind: keyof typeof linkTexts
  receiver: string
  product: string
  link: string
  expiresAt: Date
  language: Language
  /** Whose account it is. */
  name?: string
}): Letter {
  const { kind, receiver, link, language, name = receiver } = given
  const words = wordsIn(language)
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const values = { product: given.product, date: format.format(given.expiresAt), name }
  const say = (text: string) => oneLine(filled(text, values))
  const [subject, why, text] = linkTexts[kind].map((key) => words[key])
  const paragraphs = [say(why!), say(words.mailUntil)]
  return letterOf({ receiver, subject: say(subject!), language, paragraphs }, { url: link, text: text! })
}

/** What a warning is called, and says. */
const warningTexts = {
  /** Somebody tries to sign in who knows the password, and guesses codes. */
  guessed: ['guessedSubject', 'guessedText'],
  /** To the address of before: the account has another one. */
  'email-changed': ['emailChangedSubject', 'emailChangedText'],
} as const

/** The mail that warns people of what was done with their account. */
export function warningLetter(given: {
  kind: keyof typeof warningTexts
  receiver: string
  product: string
  language: Language
  name?: string
}): Letter {
  const { kind, receiver, product, language, name = receiver } = given
  const words = wordsIn(language)
  const say = (text: string) => oneLine(filled(text, { product, name }))
  const [subject, text] = warningTexts[kind]
  return letterOf({ receiver, language, subject: say(words[subject]), paragraphs: [say(words[text])] })
}
