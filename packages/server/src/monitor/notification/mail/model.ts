import { type Language, languages } from '@clearway/contract/monitor/user/schema.ts'
import { escapeHtml } from '../../../kit/html.ts'
import type { RunPayload } from '../model.ts'

export type Mail = { subject: string; text: string; html: string; language: Language }

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** A language of the product; English for any other word. */
export const languageOf = (word: string | undefined): Language =>
  languages.find((language) => language === word) ?? 'en'

type Run = NonNullable<RunPayload['run']>

/** The content of the mail, row by row: the same in text and in HTML. */
function factsOf(texts: Texts, run: Run, language: Language): [label: string, value: string][] {
  const count = (value: number) => new Intl.NumberFormat(language).format(value)
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const status = texts.statuses[run.status as keyof Texts['statuses']] ?? run.status
  const severities = Object.entries(texts.severities) as [keyof Texts['severities'], string][]
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

/** The words of a mail. `{name}` means a value. */
export type Texts = {
  finished: string
  failed: string
  newIssues: string
  cancelled: string
  intro: string
  facts: string
  run: string
  status: string
  started: string
  score: string
  pages: string
  pagesFailed: string
  newCount: string
  fixedCount: string
  backCount: string
  problem: string
  severities: { critical: string; serious: string; moderate: string; minor: string; needsReview: string }
  statuses: Readonly<Record<'completed' | 'failed' | 'cancelled', string>>
  open: string
  why: string
}

const en: Texts = {
  finished: 'Run {run} of “{scan}” has finished',
  failed: 'Run {run} of “{scan}” failed',
  newIssues: 'Run {run} of “{scan}” found new issues',
  cancelled: 'Run {run} of “{scan}” was cancelled',
  intro: '{product} has checked the accessibility of “{scan}”.',
  facts: 'What was found',
  run: 'Run',
  status: 'Status',
  started: 'Started',
  score: 'Accessibility score',
  pages: 'Pages tested',
  pagesFailed: 'Pages that failed',
  newCount: 'New issues',
  fixedCount: 'Fixed issues',
  backCount: 'Issues that came back',
  problem: 'Reason',
  severities: {
    critical: 'Critical issues',
    serious: 'Serious issues',
    moderate: 'Moderate issues',
    minor: 'Minor issues',
    needsReview: 'Results to review',
  },
  statuses: { completed: 'Completed', failed: 'Failed', cancelled: 'Cancelled' },
  open: 'Open the results of run {run} of “{scan}”',
  why: 'You get this message because the notifications of this scan name you. They are changed in the settings of the scan.',
}
const de: Texts = {
  finished: 'Durchlauf {run} von „{scan}“ ist beendet',
  failed: 'Durchlauf {run} von „{scan}“ ist fehlgeschlagen',
  newIssues: 'Durchlauf {run} von „{scan}“ hat neue Probleme gefunden',
  cancelled: 'Durchlauf {run} von „{scan}“ wurde abgebrochen',
  intro: '{product} hat die Barrierefreiheit von „{scan}“ geprüft.',
  facts: 'Was gefunden wurde',
  run: 'Durchlauf',
  status: 'Status',
  started: 'Begonnen',
  score: 'Wert der Barrierefreiheit',
  pages: 'Geprüfte Seiten',
  pagesFailed: 'Fehlgeschlagene Seiten',
  newCount: 'Neue Probleme',
  fixedCount: 'Behobene Probleme',
  backCount: 'Wiedergekehrte Probleme',
  problem: 'Grund',
  severities: {
    critical: 'Kritische Probleme',
    serious: 'Ernste Probleme',
    moderate: 'Mittlere Probleme',
    minor: 'Geringe Probleme',
    needsReview: 'Zu prüfende Ergebnisse',
  },
  statuses: { completed: 'Abgeschlossen', failed: 'Fehlgeschlagen', cancelled: 'Abgebrochen' },
  open: 'Ergebnisse von Durchlauf {run} von „{scan}“ öffnen',
  why: 'Sie erhalten diese Nachricht, weil die Benachrichtigungen dieses Scans Sie nennen. Sie lassen sich in den Einstellungen des Scans ändern.',
}
const es: Texts = {
  finished: 'La ejecución {run} de «{scan}» ha terminado',
  failed: 'La ejecución {run} de «{scan}» ha fallado',
  newIssues: 'La ejecución {run} de «{scan}» ha encontrado problemas nuevos',
  cancelled: 'La ejecución {run} de «{scan}» se ha cancelado',
  intro: '{product} ha comprobado la accesibilidad de «{scan}».',
  facts: 'Lo que se ha encontrado',
  run: 'Ejecución',
  status: 'Estado',
  started: 'Inicio',
  score: 'Puntuación de accesibilidad',
  pages: 'Páginas comprobadas',
  pagesFailed: 'Páginas con error',
  newCount: 'Problemas nuevos',
  fixedCount: 'Problemas corregidos',
  backCount: 'Problemas que han vuelto',
  problem: 'Motivo',
  severities: {
    critical: 'Problemas críticos',
    serious: 'Problemas graves',
    moderate: 'Problemas moderados',
    minor: 'Problemas leves',
    needsReview: 'Resultados por revisar',
  },
  statuses: { completed: 'Completada', failed: 'Fallida', cancelled: 'Cancelada' },
  open: 'Abrir los resultados de la ejecución {run} de «{scan}»',
  why: 'Recibe este mensaje porque las notificaciones de este análisis le incluyen. Se cambian en la configuración del análisis.',
}
const fr: Texts = {
  finished: 'L’exécution {run} de « {scan} » est terminée',
  failed: 'L’exécution {run} de « {scan} » a échoué',
  newIssues: 'L’exécution {run} de « {scan} » a trouvé de nouveaux problèmes',
  cancelled: 'L’exécution {run} de « {scan} » a été annulée',
  intro: '{product} a vérifié l’accessibilité de « {scan} ».',
  facts: 'Ce qui a été trouvé',
  run: 'Exécution',
  status: 'État',
  started: 'Début',
  score: 'Score d’accessibilité',
  pages: 'Pages testées',
  pagesFailed: 'Pages en échec',
  newCount: 'Nouveaux problèmes',
  fixedCount: 'Problèmes corrigés',
  backCount: 'Problèmes réapparus',
  problem: 'Raison',
  severities: {
    critical: 'Problèmes critiques',
    serious: 'Problèmes graves',
    moderate: 'Problèmes modérés',
    minor: 'Problèmes mineurs',
    needsReview: 'Résultats à vérifier',
  },
  statuses: { completed: 'Terminée', failed: 'Échouée', cancelled: 'Annulée' },
  open: 'Ouvrir les résultats de l’exécution {run} de « {scan} »',
  why: 'Vous recevez ce message parce que les notifications de cette analyse vous désignent. Elles se modifient dans les paramètres de l’analyse.',
}
const it: Texts = {
  finished: 'L’esecuzione {run} di “{scan}” è terminata',
  failed: 'L’esecuzione {run} di “{scan}” non è riuscita',
  newIssues: 'L’esecuzione {run} di “{scan}” ha trovato nuovi problemi',
  cancelled: 'L’esecuzione {run} di “{scan}” è stata annullata',
  intro: '{product} ha verificato l’accessibilità di “{scan}”.',
  facts: 'Che cosa è stato trovato',
  run: 'Esecuzione',
  status: 'Stato',
  started: 'Inizio',
  score: 'Punteggio di accessibilità',
  pages: 'Pagine verificate',
  pagesFailed: 'Pagine non riuscite',
  newCount: 'Nuovi problemi',
  fixedCount: 'Problemi risolti',
  backCount: 'Problemi ricomparsi',
  problem: 'Motivo',
  severities: {
    critical: 'Problemi critici',
    serious: 'Problemi seri',
    moderate: 'Problemi moderati',
    minor: 'Problemi minori',
    needsReview: 'Risultati da rivedere',
  },
  statuses: { completed: 'Completata', failed: 'Non riuscita', cancelled: 'Annullata' },
  open: 'Apri i risultati dell’esecuzione {run} di “{scan}”',
  why: 'Ricevi questo messaggio perché le notifiche di questa scansione ti includono. Si cambiano nelle impostazioni della scansione.',
}
const ja: Texts = {
  finished: '「{scan}」の実行 {run} が終了しました',
  failed: '「{scan}」の実行 {run} は失敗しました',
  newIssues: '「{scan}」の実行 {run} で新しい問題が見つかりました',
  cancelled: '「{scan}」の実行 {run} はキャンセルされました',
  intro: '{product} が「{scan}」のアクセシビリティを検査しました。',
  facts: '検査の結果',
  run: '実行',
  status: '状態',
  started: '開始',
  score: 'アクセシビリティスコア',
  pages: '検査したページ',
  pagesFailed: '失敗したページ',
  newCount: '新しい問題',
  fixedCount: '修正された問題',
  backCount: '再発した問題',
  problem: '理由',
  severities: {
    critical: '致命的な問題',
    serious: '深刻な問題',
    moderate: '中程度の問題',
    minor: '軽微な問題',
    needsReview: '確認が必要な結果',
  },
  statuses: { completed: '完了', failed: '失敗', cancelled: 'キャンセル' },
  open: '「{scan}」の実行 {run} の結果を開く',
  why: 'このスキャンの通知先に指定されているため、このメッセージをお送りしています。通知はスキャンの設定で変更できます。',
}

/** The mails in the languages of the product. */
export const mailTexts: Readonly<Record<Language, Texts>> = { de, en, es, fr, it, ja }
