import { driveTextsDe } from '@clearway/contract/monitor/ruleset/drive/de.ts'
import { driveTextsEn } from '@clearway/contract/monitor/ruleset/drive/en.ts'
import { driveTextsEs } from '@clearway/contract/monitor/ruleset/drive/es.ts'
import { driveTextsFr } from '@clearway/contract/monitor/ruleset/drive/fr.ts'
import { driveTextsIt } from '@clearway/contract/monitor/ruleset/drive/it.ts'
import { driveTextsJa } from '@clearway/contract/monitor/ruleset/drive/ja.ts'
import { driveExamples, driveRules, type DriveRuleId, type DriveTexts } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'
import { renderHelpPage, type HelpArticle, type HelpPage } from '../help/model.ts'

type DrivePageTexts = {
  title: string
  introduction: string
  action: string
  review: string
  failing: string
  passing: string
  why: string
  fix: string
  criteria: string
  texts: DriveTexts
}

const helpTexts: Readonly<Record<Language, DrivePageTexts>> = {
  en: {
    title: 'Rules for tests by keyboard and mouse',
    introduction:
      'Clearway operates pages like a person: it presses Tab, narrows the window, hovers and opens menus. These rules judge what happens then. The rules of axe-core also run at a width of 390 pixels, in the dark color scheme and in what was opened; their issues name the state in which they were seen.',
    action: 'What is tried',
    review: 'Needs review',
    failing: 'Fails',
    passing: 'Passes',
    why: 'Why it matters',
    fix: 'How to fix it',
    criteria: 'Criteria',
    texts: driveTextsEn,
  },
  de: {
    title: 'Regeln für Prüfungen mit Tastatur und Maus',
    introduction:
      'Clearway bedient Seiten wie ein Mensch: Es drückt Tab, verschmälert das Fenster, bewegt den Mauszeiger und öffnet Menüs. Diese Regeln beurteilen, was dann geschieht. Auch die Regeln von axe-core laufen bei 390 Pixeln Breite, im dunklen Farbschema und in dem, was geöffnet wurde; ihre Probleme nennen den Zustand, in dem sie zu sehen waren.',
    action: 'Was versucht wird',
    review: 'Muss geprüft werden',
    failing: 'Fällt durch',
    passing: 'Besteht',
    why: 'Warum es zählt',
    fix: 'So beheben Sie es',
    criteria: 'Kriterien',
    texts: driveTextsDe,
  },
  es: {
    title: 'Reglas para pruebas con teclado y ratón',
    introduction:
      'Clearway maneja las páginas como una persona: pulsa Tab, estrecha la ventana, mueve el puntero y abre menús. Estas reglas juzgan lo que ocurre entonces. Las reglas de axe-core también se ejecutan con 390 píxeles de ancho, en el esquema de colores oscuro y en lo que se abrió; sus problemas indican el estado en que se vieron.',
    action: 'Qué se prueba',
    review: 'Requiere revisión',
    failing: 'Falla',
    passing: 'Pasa',
    why: 'Por qué importa',
    fix: 'Cómo corregirlo',
    criteria: 'Criterios',
    texts: driveTextsEs,
  },
  fr: {
    title: 'Règles des tests au clavier et à la souris',
    introduction:
      'Clearway manipule les pages comme une personne : il presse Tab, rétrécit la fenêtre, déplace le pointeur et ouvre les menus. Ces règles jugent ce qui se passe alors. Les règles d’axe-core s’appliquent aussi à 390 pixels de large, dans le thème sombre et dans ce qui a été ouvert ; leurs problèmes indiquent l’état où ils ont été vus.',
    action: 'Ce qui est essayé',
    review: 'À vérifier',
    failing: 'Échoue',
    passing: 'Réussit',
    why: 'Pourquoi c’est important',
    fix: 'Comment corriger',
    criteria: 'Critères',
    texts: driveTextsFr,
  },
  it: {
    title: 'Regole per i test con tastiera e mouse',
    introduction:
      'Clearway usa le pagine come una persona: preme Tab, restringe la finestra, muove il puntatore e apre i menu. Queste regole giudicano ciò che accade allora. Anche le regole di axe-core vengono eseguite a 390 pixel di larghezza, nello schema di colori scuro e in ciò che è stato aperto; i loro problemi indicano lo stato in cui sono stati visti.',
    action: 'Che cosa si prova',
    review: 'Da verificare',
    failing: 'Non supera',
    passing: 'Supera',
    why: 'Perché conta',
    fix: 'Come correggere',
    criteria: 'Criteri',
    texts: driveTextsIt,
  },
  ja: {
    title: 'キーボードとマウスによるテストの規則',
    introduction:
      'Clearway は人と同じようにページを操作します。Tab を押し、ウィンドウを狭め、ポインターを合わせ、メニューを開きます。これらの規則はそのときに起こることを判定します。axe-core の規則も、幅390ピクセル、ダークカラー、開いた内容で実行され、その問題には見つかったときの状態が示されます。',
    action: '試すこと',
    review: '要確認',
    failing: '不合格の例',
    passing: '合格の例',
    why: '重要な理由',
    fix: '直し方',
    criteria: '達成基準',
    texts: driveTextsJa,
  },
}
const textsByLanguage: ReadonlyMap<string, DrivePageTexts> = new Map(Object.entries(helpTexts))

function toArticle(ruleId: DriveRuleId, pageTexts: DrivePageTexts): HelpArticle {
  const { why, wcag, isReview } = driveRules[ruleId]
  const { texts } = pageTexts
  const [ruleTitle, fixText] = texts.rules[ruleId]
  const [actionText, reviewText] = texts.tests[ruleId]
  const [wrongCode, rightCode] = driveExamples[ruleId]
  return {
    id: ruleId,
    title: ruleTitle,
    facts: [
      { name: pageTexts.why, text: texts.why[why] },
      { name: pageTexts.action, text: actionText },
      { name: pageTexts.review, text: reviewText },
      { name: isReview ? pageTexts.review : pageTexts.failing, text: wrongCode, isCode: true },
      { name: pageTexts.passing, text: rightCode, isCode: true },
      { name: pageTexts.fix, text: fixText },
      { name: pageTexts.criteria, text: wcag.map((criterion) => `WCAG ${criterion}`).join(', ') },
    ],
  }
}

/** Help page with all rules of driven pages in one language, and its content security policy. */
export function renderDriveHelpPage(language: string): HelpPage {
  const pageTexts = textsByLanguage.get(language) ?? helpTexts.en
  const { title, introduction } = pageTexts
  const ruleIds = Object.keys(driveRules) as DriveRuleId[]
  return renderHelpPage({ language, title, introduction, articles: ruleIds.map((ruleId) => toArticle(ruleId, pageTexts)) })
}
