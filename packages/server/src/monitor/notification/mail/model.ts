import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'
import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml, renderHtmlMail } from '../../../kit/html.ts'
import { fillPlaceholders, toSingleLine } from '../../../kit/text.ts'
import type { RunPayload } from '../model.ts'
import { mailTextsDe } from './de.ts'
import { type MailTexts, mailTextsEn } from './en.ts'
import { mailTextsEs } from './es.ts'
import { mailTextsFr } from './fr.ts'
import { mailTextsIt } from './it.ts'
import { mailTextsJa } from './ja.ts'

export const mailTexts: Readonly<Record<Language, MailTexts>> = {
  de: mailTextsDe,
  en: mailTextsEn,
  es: mailTextsEs,
  fr: mailTextsFr,
  it: mailTextsIt,
  ja: mailTextsJa,
}

export type Mail = { subject: string; text: string; html: string; language: Language }

/** Parses a product language; English for any other word. */
export const parseLanguage = (word: string | undefined): Language => languages.find((language) => language === word) ?? 'en'

type PayloadRun = NonNullable<RunPayload['run']>

const changeKeys = Object.keys(ChangeCounts.shape) as (keyof ChangeCounts)[]
/** Changes that most runs do not have; a mail names them only if they occur. */
const rareChanges: ReadonlySet<keyof ChangeCounts> = new Set(['issuesGone', 'notRechecked', 'ignored'])

/** Rows of the mail, the same in text and in HTML. */
function buildFacts(texts: MailTexts, run: PayloadRun, language: Language): [label: string, value: string][] {
  const formatCount = (value: number) => new Intl.NumberFormat(language).format(value)
  const percentFormat = new Intl.NumberFormat(language, { style: 'percent' })
  const dateTimeFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const statusText = texts.statuses[run.status as keyof MailTexts['statuses']] ?? run.status
  const severityLabels = Object.entries(texts.severities) as [keyof MailTexts['severities'], string][]
  return [
    [texts.run, formatCount(run.number)],
    [texts.status, statusText],
    ...(run.problem ? [[texts.problem, run.problem] as [string, string]] : []),
    ...(run.startedAt ? [[texts.started, dateTimeFormat.format(new Date(run.startedAt))] as [string, string]] : []),
    ...(run.score === null ? [] : [[texts.score, percentFormat.format(toScorePoints(run.score) / 100)] as [string, string]]),
    [texts.pages, formatCount(run.pages.completed)],
    ...(run.pages.failed > 0 ? [[texts.pagesFailed, formatCount(run.pages.failed)] as [string, string]] : []),
    ...(run.pages.walled > 0 ? [[texts.pagesNotSeen, formatCount(run.pages.walled)] as [string, string]] : []),
    ...(run.pages.overLimit > 0 ? [[texts.limitReached, formatCount(run.pages.overLimit)] as [string, string]] : []),
    ...changeKeys.flatMap((key): [string, string][] =>
      run.change && (run.change[key] > 0 || !rareChanges.has(key)) ? [[texts.changes[key], formatCount(run.change[key])]] : [],
    ),
    ...severityLabels.map(([key, label]): [string, string] => [label, formatCount(run.openIssues[key])]),
  ]
}

/**
 * A mail about an ended run as text and HTML, in the reader's language. The HTML has a language, one heading, a table with
 * row headers and a caption, and a link with a descriptive text. Content from the scan is escaped.
 */
export function buildRunMail(payload: RunPayload, product: string): Mail {
  const mailLanguage = parseLanguage(payload.language)
  const languageTexts = mailTexts[mailLanguage]
  const { run: endedRun } = payload
  if (!endedRun) throw new Error('A mail needs a run')
  const placeholders = { run: String(endedRun.number), scan: payload.scanName, product }
  const subjectTemplate =
    endedRun.status === 'cancelled'
      ? languageTexts.cancelled
      : ({ failed: languageTexts.failed, 'new-issues': languageTexts.newIssues }[payload.event as string] ??
        languageTexts.finished)
  const mailSubject = toSingleLine(fillPlaceholders(subjectTemplate, placeholders))
  const runFacts = buildFacts(languageTexts, endedRun, mailLanguage)
  const plainText = [
    mailSubject,
    '',
    fillPlaceholders(languageTexts.intro, placeholders),
    '',
    `${languageTexts.facts}:`,
    ...runFacts.map(([label, value]) => `- ${label}: ${value}`),
    '',
    `${fillPlaceholders(languageTexts.open, placeholders)}:`,
    payload.url,
    '',
    languageTexts.why,
    '',
  ].join('\n')
  const tableRows = runFacts
    .map(([label, value]) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`)
    .join('\n')
  const htmlContent = `<p>${escapeHtml(fillPlaceholders(languageTexts.intro, placeholders))}</p>
<table><caption>${escapeHtml(languageTexts.facts)}</caption><tbody>
${tableRows}
</tbody></table>
<p><a href="${escapeHtml(payload.url)}">${escapeHtml(fillPlaceholders(languageTexts.open, placeholders))}</a></p>
<p class="why">${escapeHtml(languageTexts.why)}</p>`
  return {
    subject: mailSubject,
    text: plainText,
    html: renderHtmlMail({ language: mailLanguage, subject: mailSubject, content: htmlContent }),
    language: mailLanguage,
  }
}
