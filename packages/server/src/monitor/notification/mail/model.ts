import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../../../kit/html.ts'
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

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

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

const style = `body{margin:0;padding:24px;background:#ffffff;color:#1b1f24;font:16px/1.5 Arial,sans-serif}
h1{font-size:22px;line-height:1.3;margin:0 0 16px}table{border-collapse:collapse;margin:16px 0}
caption{text-align:left;font-weight:bold;padding:0 0 8px}th,td{text-align:left;padding:6px 16px 6px 0;border-bottom:1px solid #b8bfc6;font-weight:normal}
td{font-weight:bold}a{color:#0a4fa3}p.why{color:#4a5159;font-size:14px}
blockquote{margin:16px 0;padding:0 0 0 16px;border-left:4px solid #b8bfc6;white-space:pre-wrap;overflow-wrap:anywhere}`

/** A mail in HTML: its language, one heading, and what follows it. */
export const htmlOf = (mail: { language: Language; subject: string; content: string }): string =>
  `<!doctype html>
<html lang="${mail.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(mail.subject)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(mail.subject)}</h1>
${mail.content}</main></body></html>
`

/** A subject in one line: a line break would end the header. */
export const subjectOf = (title: string): string => title.replaceAll(/[\p{Cc}\s]+/gu, ' ')

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
  const subject = subjectOf(filled(title, values))
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
  return { subject, text, html: htmlOf({ language, subject, content }), language }
}
