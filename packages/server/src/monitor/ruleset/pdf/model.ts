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

type Words = { title: string; why: string; fix: string; tests: string; review: string; texts: PdfTexts }

const languages: Readonly<Record<string, Words>> = {
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

const style = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 45rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
a { color: LinkText; } a:focus-visible { outline: 3px solid; outline-offset: 2px; }
article { border-top: 1px solid; padding: .5rem 0 1rem; } dt { font-weight: bold; } dd { margin: 0 0 .5rem; }
:target { outline: 2px solid; outline-offset: .5rem; } nav ul { padding-left: 1.25rem; }`

/** The language of ours that a browser asks for first; English when it asks for none of them. */
export const languageFor = (accepted: string | undefined): string =>
  firstSpoken(accepted, Object.keys(languages)) ?? 'en'

function article(id: PdfRuleId, { why, fix: fixLabel, tests, review, texts }: Words): string {
  const rule = pdfRules[id]
  const [title, fix] = texts.rules[id]
  const by = [
    ...rule.wcag.map((criterion) => `WCAG ${criterion}`),
    ...rule.matterhorn.map((condition) => `Matterhorn ${condition}`),
    ...rule.tests.filter((test) => /^\d/.test(test)).map((test) => `PDF/UA-1 ${test}`),
  ]
  const facts = [
    [why, texts.why[rule.why]],
    [fixLabel, fix + (rule.isReview ? ` ${review}` : '')],
    [tests, by.join(', ')],
  ].filter(([, text]) => text !== '')
  return `<article id="${id}"><h2>${escapeHtml(title)}</h2><p><code>${id}</code></p><dl>${facts
    .map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text!)}</dd>`)
    .join('')}</dl></article>`
}

/** Every rule of the PDF checker for people to read, in one language, and the content security policy that fits it. */
export function pdfHelpPage(language: string): { html: string; policy: string } {
  const words = languages[language] ?? languages.en!
  const ids = Object.keys(pdfRules) as PdfRuleId[]
  const index = ids
    .map((id) => `<li><a href="#${id}">${escapeHtml(words.texts.rules[id][0])}</a></li>`)
    .join('')
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title><style>${style}</style></head>
<body><header><h1>${words.title}</h1></header><nav aria-label="${words.title}"><ul>${index}</ul></nav>
<main>${ids.map((id) => article(id, words)).join('\n')}</main></body></html>`
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
  }
}
