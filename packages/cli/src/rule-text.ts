import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeRules, type AxeRuleId, type AxeTexts } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import { pdfRules, type PdfRuleId, type PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { driveTextsEn } from '@clearway/contract/monitor/ruleset/drive/en.ts'
import { driveRules, type DriveRuleId, type DriveTexts } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { labelsEn } from './label/en.ts'
import type { ReportLabels } from './label/model.ts'
import { buildAdvice } from './notice.ts'
import type { ReportIssue } from './schema.ts'

/** The product's own texts of rules in one language, the same as in the web, and the texts around them in a report. */
export type RuleTexts = { language: string; axe: AxeTexts; pdf: PdfTexts; drive: DriveTexts; labels: ReportLabels }

export const englishTexts: RuleTexts = { language: 'en', axe: axeTextsEn, pdf: pdfTextsEn, drive: driveTextsEn, labels: labelsEn }

/** Texts by language, loaded on demand. */
const textLoaders: Readonly<Record<string, () => Promise<Omit<RuleTexts, 'language'>>>> = {
  de: async () => ({
    axe: (await import('@clearway/contract/monitor/ruleset/axe/de.ts')).axeTextsDe,
    pdf: (await import('@clearway/contract/monitor/ruleset/pdf/de.ts')).pdfTextsDe,
    drive: (await import('@clearway/contract/monitor/ruleset/drive/de.ts')).driveTextsDe,
    labels: (await import('./label/de.ts')).labelsDe,
  }),
  es: async () => ({
    axe: (await import('@clearway/contract/monitor/ruleset/axe/es.ts')).axeTextsEs,
    pdf: (await import('@clearway/contract/monitor/ruleset/pdf/es.ts')).pdfTextsEs,
    drive: (await import('@clearway/contract/monitor/ruleset/drive/es.ts')).driveTextsEs,
    labels: (await import('./label/es.ts')).labelsEs,
  }),
  fr: async () => ({
    axe: (await import('@clearway/contract/monitor/ruleset/axe/fr.ts')).axeTextsFr,
    pdf: (await import('@clearway/contract/monitor/ruleset/pdf/fr.ts')).pdfTextsFr,
    drive: (await import('@clearway/contract/monitor/ruleset/drive/fr.ts')).driveTextsFr,
    labels: (await import('./label/fr.ts')).labelsFr,
  }),
  it: async () => ({
    axe: (await import('@clearway/contract/monitor/ruleset/axe/it.ts')).axeTextsIt,
    pdf: (await import('@clearway/contract/monitor/ruleset/pdf/it.ts')).pdfTextsIt,
    drive: (await import('@clearway/contract/monitor/ruleset/drive/it.ts')).driveTextsIt,
    labels: (await import('./label/it.ts')).labelsIt,
  }),
  ja: async () => ({
    axe: (await import('@clearway/contract/monitor/ruleset/axe/ja.ts')).axeTextsJa,
    pdf: (await import('@clearway/contract/monitor/ruleset/pdf/ja.ts')).pdfTextsJa,
    drive: (await import('@clearway/contract/monitor/ruleset/drive/ja.ts')).driveTextsJa,
    labels: (await import('./label/ja.ts')).labelsJa,
  }),
}

/** Returns the language that the environment asks for, as in other programs: `LC_ALL`, `LC_MESSAGES`, then `LANG`. */
const findLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string =>
  (LC_ALL || LC_MESSAGES || LANG || 'en').slice(0, 2).toLowerCase()

/** Loads the texts in the language of the environment, otherwise in English. */
export async function loadRuleTexts(environment: NodeJS.ProcessEnv): Promise<RuleTexts> {
  const language = findLanguage(environment)
  const loadTexts = Object.hasOwn(textLoaders, language) ? textLoaders[language] : undefined
  return loadTexts ? { language, ...(await loadTexts()) } : englishTexts
}

/** Title and ways to fix a rule. `isOwn`: they are in the language of the texts, otherwise in English. */
export type RuleDescription = { title: string; why: string | null; fixes: string[]; isOwn: boolean }

/** Describes the rule of an issue: by the product's own texts, or for other rules by the words of its checks. */
export function describeRule(
  issue: Pick<ReportIssue, 'rule' | 'help' | 'fix'>,
  { axe, pdf, drive }: Omit<RuleTexts, 'labels'>,
): RuleDescription {
  if (Object.hasOwn(axeRules, issue.rule)) {
    const ruleId = issue.rule as AxeRuleId
    const [title, fix] = axe.rules[ruleId]
    return { title, why: axe.why[axeRules[ruleId].why], fixes: [fix], isOwn: true }
  }
  if (Object.hasOwn(pdfRules, issue.rule)) {
    const ruleId = issue.rule as PdfRuleId
    const [title, fix] = pdf.rules[ruleId]
    return { title, why: pdf.why[pdfRules[ruleId].why], fixes: [fix], isOwn: true }
  }
  if (Object.hasOwn(driveRules, issue.rule)) {
    const ruleId = issue.rule as DriveRuleId
    const [title, fix] = drive.rules[ruleId]
    return { title, why: drive.why[driveRules[ruleId].why], fixes: [fix], isOwn: true }
  }
  return { title: issue.help, why: null, fixes: buildAdvice(issue), isOwn: false }
}
