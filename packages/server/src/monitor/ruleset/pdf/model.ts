import { createHash } from 'node:crypto'
import { pdfRules, type PdfRuleId, type PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { pdfTextsDe } from '@clearway/contract/monitor/ruleset/pdf/de.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import { pdfTextsEs } from '@clearway/contract/monitor/ruleset/pdf/es.ts'
import { pdfTextsFr } from '@clearway/contract/monitor/ruleset/pdf/fr.ts'
import { pdfTextsIt } from '@clearway/contract/monitor/ruleset/pdf/it.ts'
import { pdfTextsJa } from '@clearway/contract/monitor/ruleset/pdf/ja.ts'
import { escapeHtml } from '../../../kit/html.ts'
import { firstSpoken } from '../../../kit/language.ts'

type HelpPageTexts = {
  title: string
  why: string
  fix: string
  tests: string
  review: string
  texts: PdfTexts
}

const textsByLanguage: Readonly<Record<string, HelpPageTexts>> = {
  en: {
    title: 'Rules for PDFs',
    why: 'Why it matters',
    fix: 'How to fix it',
    tests: 'Tested by',
    review: 'A person has to decide.',
    texts: pdfTextsEn,
  },
  de: {
    title: 'Regeln für PDFs',
    why: 'Warum es zählt',
    fix: 'So beheben Sie es',
    tests: 'Geprüft durch',
    review: 'Ein Mensch muss entscheiden.',
    texts: pdfTextsDe,
  },
  es: {
    title: 'Reglas para PDF',
    why: 'Por qué importa',
    fix: 'Cómo corregirlo',
    tests: 'Comprobado por',
    review: 'Una persona tiene que decidir.',
    texts: pdfTextsEs,
  },
  fr: {
    title: 'Règles pour les PDF',
    why: 'Pourquoi c’est important',
    fix: 'Comment corriger',
    tests: 'Vérifié par',
    review: 'Une personne doit décider.',
    texts: pdfTextsFr,
  },
  it: {
    title: 'Regole per i PDF',
    why: 'Perché conta',
    fix: 'Come correggere',
    tests: 'Verificato da',
    review: 'Deve decidere una persona.',
    texts: pdfTextsIt,
  },
  ja: {
    title: 'PDF の規則',
    why: '重要な理由',
    fix: '直し方',
    tests: '検査',
    review: '人の判断が必要です。',
    texts: pdfTextsJa,
  },
}

const pageStyle = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 45rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
a { color: LinkText; } a:focus-visible { outline: 3px solid; outline-offset: 2px; }
article { border-top: 1px solid; padding: .5rem 0 1rem; } dt { font-weight: bold; } dd { margin: 0 0 .5rem; }
:target { outline: 2px solid; outline-offset: .5rem; } nav ul { padding-left: 1.25rem; }`

/** The preferred supported language of a browser; English for none. */
export const selectLanguage = (acceptLanguage: string | undefined): string =>
  firstSpoken(acceptLanguage, Object.keys(textsByLanguage)) ?? 'en'

function renderArticle(ruleId: PdfRuleId, { why, fix: fixLabel, tests, review, texts }: HelpPageTexts): string {
  const pdfRule = pdfRules[ruleId]
  const [ruleTitle, fixText] = texts.rules[ruleId]
  const testNames = [
    ...pdfRule.wcag.map((criterion) => `WCAG ${criterion}`),
    ...pdfRule.matterhorn.map((condition) => `Matterhorn ${condition}`),
    ...pdfRule.tests.filter((test) => /^\d/.test(test)).map((test) => `PDF/UA-1 ${test}`),
  ]
  const articleFacts = [
    [why, texts.why[pdfRule.why]],
    [fixLabel, fixText + (pdfRule.isReview ? ` ${review}` : '')],
    [tests, testNames.join(', ')],
  ].filter(([, text]) => text !== '')
  return `<article id="${ruleId}"><h2>${escapeHtml(ruleTitle)}</h2><p><code>${ruleId}</code></p><dl>${articleFacts
    .map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text!)}</dd>`)
    .join('')}</dl></article>`
}

/** Help page with all rules of the PDF checker in one language, and its content security policy. */
export function renderPdfHelpPage(language: string): { html: string; policy: string } {
  const pageTexts = textsByLanguage[language] ?? textsByLanguage.en!
  const ruleIds = Object.keys(pdfRules) as PdfRuleId[]
  const indexItems = ruleIds.map((id) => `<li><a href="#${id}">${escapeHtml(pageTexts.texts.rules[id][0])}</a></li>`).join('')
  const pageHtml = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageTexts.title}</title><style>${pageStyle}</style></head>
<body><header><h1>${pageTexts.title}</h1></header><nav aria-label="${pageTexts.title}"><ul>${indexItems}</ul></nav>
<main>${ruleIds.map((id) => renderArticle(id, pageTexts)).join('\n')}</main></body></html>`
  const styleHash = createHash('sha256').update(pageStyle).digest('base64')
  return {
    html: pageHtml,
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  }
}
