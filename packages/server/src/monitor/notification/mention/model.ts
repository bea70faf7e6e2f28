import { partsOf } from '@clearway/contract/monitor/issue/mention/model.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../../../kit/html.ts'
import { filled, htmlOf, languageOf, type Mail, subjectOf } from '../mail/model.ts'
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
  const texts = mentionTexts[language]
  const { issue, text: quote, url, settingsUrl } = payload
  const values = { author: payload.author, scan: payload.scanName }
  const subject = subjectOf(filled(texts.subject, values))
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
  return { subject, text, html: htmlOf({ language, subject, content }), language }
}

/** The words of such a mail. `{name}` means a value. */
type Texts = { subject: string; issue: string; open: string; why: string; settings: string }

const mentionTexts: Readonly<Record<Language, Texts>> = {
  en: {
    subject: '{author} mentioned you in “{scan}”',
    issue: 'Issue',
    open: 'Open the issue with all its comments',
    why: 'You get this message because a comment mentions you.',
    settings: 'Turn these emails off in My account',
  },
  de: {
    subject: '{author} hat Sie in „{scan}“ erwähnt',
    issue: 'Problem',
    open: 'Problem mit allen Kommentaren öffnen',
    why: 'Sie erhalten diese Nachricht, weil ein Kommentar Sie erwähnt.',
    settings: 'Diese E-Mails unter „Mein Konto“ ausschalten',
  },
  es: {
    subject: '{author} le ha mencionado en «{scan}»',
    issue: 'Problema',
    open: 'Abrir el problema con todos sus comentarios',
    why: 'Recibe este mensaje porque un comentario le menciona.',
    settings: 'Desactivar estos correos en «Mi cuenta»',
  },
  fr: {
    subject: '{author} vous a mentionné dans « {scan} »',
    issue: 'Problème',
    open: 'Ouvrir le problème avec tous ses commentaires',
    why: 'Vous recevez ce message parce qu’un commentaire vous mentionne.',
    settings: 'Désactiver ces e-mails dans « Mon compte »',
  },
  it: {
    subject: '{author} ha menzionato Lei in “{scan}”',
    issue: 'Problema',
    open: 'Aprire il problema con tutti i suoi commenti',
    why: 'Riceve questo messaggio perché un commento La menziona.',
    settings: 'Disattivare queste e-mail in “Il mio account”',
  },
  ja: {
    subject: '{author} さんが「{scan}」のコメントであなたに言及しました',
    issue: '問題',
    open: '問題とすべてのコメントを開く',
    why: 'コメントがあなたに言及しているため、このメッセージをお送りしています。',
    settings: '「マイアカウント」でこれらのメールを停止する',
  },
}
