import { splitComment } from '@clearway/contract/monitor/issue/mention/model.ts'
import { escapeHtml, renderHtmlMail } from '../../../kit/html.ts'
import { fillPlaceholders, toSingleLine } from '../../../kit/text.ts'
import { parseLanguage, type Mail, mailTexts } from '../mail/model.ts'
import type { MentionPayload } from '../model.ts'

/** Maximum length of a quoted comment in a mail, in characters. */
const maxQuoteLength = 500

/** The beginning of a comment with the names of mentioned people, cut between words if possible. */
export function quoteBeginning(
  text: string,
  people: readonly { id: string; name: string | null }[],
  maxLength = maxQuoteLength,
): string {
  const namesById = new Map(people.map(({ id, name }) => [id, name ?? id]))
  const plainText = splitComment(text, new Set(namesById.keys()))
    .map((part) => (typeof part === 'string' ? part : `@${namesById.get(part.id)}`))
    .join('')
    .trim()
  // Cut by graphemes: code units could split one.
  const graphemes = Array.from(new Intl.Segmenter().segment(plainText), ({ segment }) => segment)
  if (graphemes.length <= maxLength) return plainText
  const cutText = graphemes.slice(0, maxLength).join('')
  const lastWord = cutText.split(/\s/u).at(-1) ?? ''
  const wholeWords = cutText.slice(0, cutText.length - lastWord.length).trimEnd()
  return `${wholeWords.length > cutText.length / 2 ? wholeWords : cutText}…`
}

/** A mail about a comment as text and HTML, in the reader's language. User input is escaped. */
export function buildMentionMail(payload: MentionPayload): Mail {
  const mailLanguage = parseLanguage(payload.language)
  const mentionTexts = mailTexts[mailLanguage].mention
  const { issue: issueTitle, text: quotedText, url: issueUrl, settingsUrl } = payload
  const placeholders = { author: payload.author, scan: payload.scanName }
  const mailSubject = toSingleLine(fillPlaceholders(mentionTexts.subject, placeholders))
  const plainText = [
    mailSubject,
    '',
    `${mentionTexts.issue}: ${issueTitle}`,
    '',
    ...quotedText.split('\n').map((line) => `> ${line}`),
    '',
    `${mentionTexts.open}:`,
    issueUrl,
    '',
    `${mentionTexts.why} ${mentionTexts.settings}:`,
    settingsUrl,
    '',
  ].join('\n')
  // Rule texts are in English here; the language of a comment is unknown.
  const htmlContent = `<p>${escapeHtml(mentionTexts.issue)}: <b lang="en">${escapeHtml(issueTitle)}</b></p>
<blockquote lang="">${escapeHtml(quotedText)}</blockquote>
<p><a href="${escapeHtml(issueUrl)}">${escapeHtml(mentionTexts.open)}</a></p>
<p class="why">${escapeHtml(mentionTexts.why)} <a href="${escapeHtml(settingsUrl)}">${escapeHtml(mentionTexts.settings)}</a></p>`
  return {
    subject: mailSubject,
    text: plainText,
    html: renderHtmlMail({ language: mailLanguage, subject: mailSubject, content: htmlContent }),
    language: mailLanguage,
  }
}
