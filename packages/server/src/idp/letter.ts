import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml, renderHtmlMail } from '../kit/html.ts'
import { createId } from '../kit/id.ts'
import type { Letter } from '../kit/mail.ts'
import { fillPlaceholders, toSingleLine } from '../kit/text.ts'
import { getWords } from './word/word.ts'

type LetterContent = { receiver: string; subject: string; language: Language; paragraphs: readonly string[] }
type LetterLink = { url: string; text: string }

/** Builds a mail as text and as HTML. The link follows the first paragraph. */
function buildLetter({ receiver, subject, language, paragraphs }: LetterContent, link?: LetterLink): Letter {
  const [firstParagraph = '', ...otherParagraphs] = paragraphs
  const renderParagraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const anchorHtml = link && `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`
  const htmlContent = [
    renderParagraph(firstParagraph),
    ...(anchorHtml ? [anchorHtml] : []),
    ...otherParagraphs.map(renderParagraph),
  ].join('\n')
  const plainText = [firstParagraph, ...(link ? [link.url] : []), ...otherParagraphs].flatMap((part) => [part, '']).join('\n')
  return {
    id: createId(),
    receiver,
    subject,
    text: plainText,
    html: renderHtmlMail({ language, subject, content: htmlContent }),
    language,
  }
}

const linkTexts = {
  invite: ['inviteSubject', 'inviteText', 'inviteTitle'],
  reset: ['resetSubject', 'resetText', 'resetTitle'],
  email: ['emailSubject', 'emailText', 'emailTitle'],
} as const

/** The mail with a link to set a password or to confirm an address, in the reader's language. */
export function buildLinkLetter(linkMail: {
  kind: keyof typeof linkTexts
  receiver: string
  product: string
  link: string
  expiresAt: Date
  language: Language
  name?: string
}): Letter {
  const { kind, receiver, link, language, name = receiver } = linkMail
  const languageWords = getWords(language)
  const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const textValues = { product: linkMail.product, date: dateFormat.format(linkMail.expiresAt), name }
  const fillText = (text: string) => toSingleLine(fillPlaceholders(text, textValues))
  const [subjectText, reasonText, linkLabel] = linkTexts[kind].map((key) => languageWords[key])
  const filledParagraphs = [fillText(reasonText!), fillText(languageWords.mailUntil)]
  return buildLetter(
    { receiver, subject: fillText(subjectText!), language, paragraphs: filledParagraphs },
    { url: link, text: linkLabel! },
  )
}

const warningTexts = {
  /** A person who knows the password is guessing codes. */
  guessed: ['guessedSubject', 'guessedText'],
  /** Sent to the previous address after a change. */
  'email-changed': ['emailChangedSubject', 'emailChangedText'],
} as const

export function buildWarningLetter(warningMail: {
  kind: keyof typeof warningTexts
  receiver: string
  product: string
  language: Language
  name?: string
}): Letter {
  const { kind, receiver, product, language, name = receiver } = warningMail
  const languageWords = getWords(language)
  const fillText = (text: string) => toSingleLine(fillPlaceholders(text, { product, name }))
  const [subjectKey, textKey] = warningTexts[kind]
  return buildLetter({
    receiver,
    language,
    subject: fillText(languageWords[subjectKey]),
    paragraphs: [fillText(languageWords[textKey])],
  })
}
