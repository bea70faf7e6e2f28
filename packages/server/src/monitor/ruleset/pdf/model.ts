import { pdfRules, type PdfRuleId, type PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { pdfTextsDe } from '@clearway/contract/monitor/ruleset/pdf/de.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import { pdfTextsEs } from '@clearway/contract/monitor/ruleset/pdf/es.ts'
import { pdfTextsFr } from '@clearway/contract/monitor/ruleset/pdf/fr.ts'
import { pdfTextsIt } from '@clearway/contract/monitor/ruleset/pdf/it.ts'
import { pdfTextsJa } from '@clearway/contract/monitor/ruleset/pdf/ja.ts'
import { renderHelpPage, type HelpArticle, type HelpPage } from '../help/model.ts'

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

function toArticle(ruleId: PdfRuleId, { why, fix: fixLabel, tests, review, texts }: HelpPageTexts): HelpArticle {
  const pdfRule = pdfRules[ruleId]
  const [ruleTitle, fixText] = texts.rules[ruleId]
  const testNames = [
    ...pdfRule.wcag.map((criterion) => `WCAG ${criterion}`),
    ...pdfRule.matterhorn.map((condition) => `Matterhorn ${condition}`),
    ...pdfRule.tests.filter((test) => /^\d/.test(test)).map((test) => `PDF/UA-1 ${test}`),
  ]
  return {
    id: ruleId,
    title: ruleTitle,
    facts: [
      { name: why, text: texts.why[pdfRule.why] },
      { name: fixLabel, text: fixText + (pdfRule.isReview ? ` ${review}` : '') },
      { name: tests, text: testNames.join(', ') },
    ],
  }
}

/** Help page with all rules of the PDF checker in one language, and its content security policy. */
export function renderPdfHelpPage(language: string): HelpPage {
  const pageTexts = textsByLanguage[language] ?? textsByLanguage.en!
  const ruleIds = Object.keys(pdfRules) as PdfRuleId[]
  return renderHelpPage({
    language,
    title: pageTexts.title,
    introduction: '',
    articles: ruleIds.map((ruleId) => toArticle(ruleId, pageTexts)),
  })
}
