import type { AxeRuleId, AxeTexts } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import type { PdfRuleId, PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** What is wrong, why it matters, how to fix it, and code with the fault and without. */
export type RuleTexts = {
  lang: string
  title: string
  why: string
  fix: string
  wrong: string
  right: string
}

/** Texts of the rules, loaded where one is shown. */
const loaders: Readonly<Record<string, () => Promise<[AxeTexts, PdfTexts]>>> = {
  en: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/en.ts')).axeTextsEn,
    (await import('@clearway/contract/monitor/ruleset/pdf/en.ts')).pdfTextsEn,
  ],
  de: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/de.ts')).axeTextsDe,
    (await import('@clearway/contract/monitor/ruleset/pdf/de.ts')).pdfTextsDe,
  ],
  es: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/es.ts')).axeTextsEs,
    (await import('@clearway/contract/monitor/ruleset/pdf/es.ts')).pdfTextsEs,
  ],
  fr: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/fr.ts')).axeTextsFr,
    (await import('@clearway/contract/monitor/ruleset/pdf/fr.ts')).pdfTextsFr,
  ],
  it: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/it.ts')).axeTextsIt,
    (await import('@clearway/contract/monitor/ruleset/pdf/it.ts')).pdfTextsIt,
  ],
  ja: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/ja.ts')).axeTextsJa,
    (await import('@clearway/contract/monitor/ruleset/pdf/ja.ts')).pdfTextsJa,
  ],
}

async function textsIn(lang: string): Promise<ReadonlyMap<string, RuleTexts>> {
  const [[axe, pdf], { axeRules }, { pdfRules, pdfExamples }] = await Promise.all([
    loaders[lang]!(),
    import('@clearway/contract/monitor/ruleset/axe/model.ts'),
    import('@clearway/contract/monitor/ruleset/pdf/model.ts'),
  ])
  const ofAxe = (id: AxeRuleId): [string, RuleTexts] => {
    const [title, fix] = axe.rules[id]
    const { why, wrong, right } = axeRules[id]
    return [id, { lang, title, why: axe.why[why], fix, wrong, right }]
  }
  const ofPdf = (id: PdfRuleId): [string, RuleTexts] => {
    const [title, fix] = pdf.rules[id]
    const [wrong, right] = pdfExamples[id]
    return [id, { lang, title, why: pdf.why[pdfRules[id].why], fix, wrong, right }]
  }
  return new Map([
    ...(Object.keys(axeRules) as AxeRuleId[]).map(ofAxe),
    ...(Object.keys(pdfRules) as PdfRuleId[]).map(ofPdf),
  ])
}

const ruleTextsQuery = (locale: string) =>
  queryOptions({
    queryKey: ['rule-texts', locale],
    queryFn: () => textsIn(locale in loaders ? locale : 'en'),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

/** What we say of a rule; null for a rule that is not ours to know, where the server's English has to do. */
export function useRuleTexts(locale: string, rule: string): RuleTexts | null {
  const { data } = useQuery(ruleTextsQuery(locale))
  return data?.get(rule) ?? null
}

/** The same as a word for names of controls: what is wrong by a rule. */
export function useRuleTitle(locale: string): (rule: string, help: string) => string {
  const { data } = useQuery(ruleTextsQuery(locale))
  return (rule, help) => data?.get(rule)?.title ?? help
}
