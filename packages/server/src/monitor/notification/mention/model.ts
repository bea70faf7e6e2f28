import { partsOf } from '@clearway/contract/monitor/issue/mention/model.ts'
import { escapeHtml, htmlMail } from '../../../kit/html.ts'
import { filled, oneLine } from '../../../kit/text.ts'
import { languageOf, type Mail, mailTexts } from '../mail/model.ts'
import type { MentionPayload } from '../model.ts'

/** Characters of a comment that its mail quotes: enough to know what it is about. */
const longestQuote = 500

/** The beginning of a comment, with the names of those whom it mentions; cut between words, where there are any. */
export function beginningOf(
  text: string,
  people: readonly { id: string; name: string | null }[],
  longest = longestQuote,
): string {
  const names = new Map(people.map(({ id, name }) => [id, name ?? id]))
  const plain = partsOf(text, new Set(names.keys()))
    .map((part) => (typeof part === 'string' ? part : `@${names.get(part.id)}`))
    .join('')
    .trim()
  // Not by code units: half of a sign is none.
  const signs = Array.from(new Intl.Segmenter().segment(plain), ({ segment }) => segment)
  if (signs.length <= longest) return plain
  const cut = signs.slice(0, longest).join('')
  const last = cut.split(/\s/u).at(-1) ?? ''
  const whole = cut.slice(0, cut.length - last.length).trimEnd()
  return `${whole.length > cut.length / 2 ? whole : cut}…`
}

/** A mail about a comment, as text and as HTML, in the language of the reader. What people wrote is escaped. */
export function mentionMailOf(payload: MentionPayload): Mail {
  const language = languageOf(payload.language)
  const texts = mailTexts[language].mention
  const { issue, text: quote, url, settingsUrl } = payload
  const values = { author: payload.author, scan: payload.scanName }
  const subject = oneLine(filled(texts.subject, values))
  const text = [
    subject,
    '',
    `${texts.issue}: ${issue}`,
    '',
    ...quote.split('\n').map((line) => `> ${line}`),
    '',
    `${texts.open}:`,
    url,
    '',
    `${texts.why} ${texts.settings}:`,
    settingsUrl,
    '',
  ].join('\n')
  // Rules have English names here; which language a comment is in, nobody knows.
  const content = `<p>${escapeHtml(texts.issue)}: <b lang="en">${escapeHtml(issue)}</b></p>
<blockquote lang="">${escapeHtml(quote)}</blockquote>
<p><a href="${escapeHtml(url)}">${escapeHtml(texts.open)}</a></p>
<p class="why">${escapeHtml(texts.why)} <a href="${escapeHtml(settingsUrl)}">${escapeHtml(texts.settings)}</a></p>`
  return { subject, text, html: htmlMail({ language, subject, content }), language }
}
