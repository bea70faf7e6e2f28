import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml, htmlMail } from '../../../kit/html.ts'
import { filled, oneLine } from '../../../kit/text.ts'
import type { RunPayload } from '../model.ts'
import { mailTextsDe } from './de.ts'
import { type MailTexts, mailTextsEn } from './en.ts'
import { mailTextsEs } from './es.ts'
import { mailTextsFr } from './fr.ts'
import { mailTextsIt } from './it.ts'
import { mailTextsJa } from './ja.ts'

/** The mails in the languages of the product. */
export const mailTexts: Readonly<Record<Language, MailTexts>> = {
  de: mailTextsDe,
  en: mailTextsEn,
  es: mailTextsEs,
  fr: mailTextsFr,
  it: mailTextsIt,
  ja: mailTextsJa,
}

export type Mail = { subject: string; text: string; html: string; language: Language }

/** A language of the product; English for any other word. */
export const languageOf = (word: string | undefined): Language =>
  languages.find((language) => language === word) ?? 'en'

type Run = NonNullable<RunPayload['run']>

/** The content of the mail, row by row: the same in text and in HTML. */
function factsOf(texts: MailTexts, run: Run, language: Language): [label: string, value: string][] {
  const count = (value: number) => new Intl.NumberFormat(language).format(value)
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const status = texts.statuses[run.status as keyof MailTexts['statuses']] ?? run.status
  const severities = Object.entries(texts.severities) as [keyof MailTexts['severities'], string][]
  return [
    [texts.run, count(run.number)],
    [texts.status, status],
    ...(run.problem ? [[texts.problem, run.problem] as [string, string]] : []),
    ...(run.startedAt ? [[texts.started, moment.format(new Date(run.startedAt))] as [string, string]] : []),
    ...(run.score === null ? [] : [[texts.score, share.format(run.score)] as [string, string]]),
    [texts.pages, count(run.pages.completed)],
    ...(run.pages.failed > 0 ? [[texts.pagesFailed, count(run.pages.failed)] as [string, string]] : []),
    ...(run.change
      ? ([
          [texts.newCount, count(run.change.new)],
          [texts.backCount, count(run.change.back)],
          [texts.fixedCount, count(run.change.fixed)],
        ] as [string, string][])
      : []),
    ...severities.map(([key, label]): [string, string] => [label, count(run.openIssues[key])]),
  ]
}

/**
 * A mail about an ended run, as text and as HTML, in the reader's language. The HTML has a language, one heading, a table with
 * row heads and a caption, and a link whose words say where it leads. What comes from a scan is escaped.
 */
export function mailOf(payload: RunPayload, product: string): Mail {
  const language = languageOf(payload.language)
  const texts = mailTexts[language]
  const { run } = payload
  if (!run) throw new Error('A mail tells of a run')
  const values = { run: String(run.number), scan: payload.scanName, product }
  const title =
    run.status === 'cancelled'
      ? texts.cancelled
      : ({ failed: texts.failed, 'new-issues': texts.newIssues }[payload.event as string] ?? texts.finished)
  const subject = oneLine(filled(title, values))
  const facts = factsOf(texts, run, language)
  const text = [
    subject,
    '',
    filled(texts.intro, values),
    '',
    `${texts.facts}:`,
    ...facts.map(([label, value]) => `- ${label}: ${value}`),
    '',
    `${filled(texts.open, values)}:`,
    payload.url,
    '',
    texts.why,
    '',
  ].join('\n')
  const rows = facts
    .map(
      ([label, value]) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
    )
    .join('\n')
  const content = `<p>${escapeHtml(filled(texts.intro, values))}</p>
<table><caption>${escapeHtml(texts.facts)}</caption><tbody>
${rows}
</tbody></table>
<p><a href="${escapeHtml(payload.url)}">${escapeHtml(filled(texts.open, values))}</a></p>
<p class="why">${escapeHtml(texts.why)}</p>`
  return { subject, text, html: htmlMail({ language, subject, content }), language }
}
