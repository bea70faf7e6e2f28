import type { AxeRuleId, AxeTexts } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import type { DriveRuleId, DriveTexts } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { PdfRuleId, PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** Title, reason and fix of a rule, with a failing and a passing code example. */
export type RuleTexts = { lang: string; title: string; why: string; fix: string; wrong: string; right: string }

const textLoaders: Readonly<Record<string, () => Promise<[AxeTexts, PdfTexts, DriveTexts]>>> = {
  en: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/en.ts')).axeTextsEn,
    (await import('@clearway/contract/monitor/ruleset/pdf/en.ts')).pdfTextsEn,
    (await import('@clearway/contract/monitor/ruleset/drive/en.ts')).driveTextsEn,
  ],
  de: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/de.ts')).axeTextsDe,
    (await import('@clearway/contract/monitor/ruleset/pdf/de.ts')).pdfTextsDe,
    (await import('@clearway/contract/monitor/ruleset/drive/de.ts')).driveTextsDe,
  ],
  es: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/es.ts')).axeTextsEs,
    (await import('@clearway/contract/monitor/ruleset/pdf/es.ts')).pdfTextsEs,
    (await import('@clearway/contract/monitor/ruleset/drive/es.ts')).driveTextsEs,
  ],
  fr: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/fr.ts')).axeTextsFr,
    (await import('@clearway/contract/monitor/ruleset/pdf/fr.ts')).pdfTextsFr,
    (await import('@clearway/contract/monitor/ruleset/drive/fr.ts')).driveTextsFr,
  ],
  it: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/it.ts')).axeTextsIt,
    (await import('@clearway/contract/monitor/ruleset/pdf/it.ts')).pdfTextsIt,
    (await import('@clearway/contract/monitor/ruleset/drive/it.ts')).driveTextsIt,
  ],
  ja: async () => [
    (await import('@clearway/contract/monitor/ruleset/axe/ja.ts')).axeTextsJa,
    (await import('@clearway/contract/monitor/ruleset/pdf/ja.ts')).pdfTextsJa,
    (await import('@clearway/contract/monitor/ruleset/drive/ja.ts')).driveTextsJa,
  ],
}

async function loadTexts(lang: string): Promise<ReadonlyMap<string, RuleTexts>> {
  const [[axeTexts, pdfTexts, driveTexts], { axeRules }, { pdfRules, pdfExamples }, { driveRules, driveExamples }] =
    await Promise.all([
      textLoaders[lang]!(),
      import('@clearway/contract/monitor/ruleset/axe/model.ts'),
      import('@clearway/contract/monitor/ruleset/pdf/model.ts'),
      import('@clearway/contract/monitor/ruleset/drive/model.ts'),
    ])
  const toAxeEntry = (id: AxeRuleId): [string, RuleTexts] => {
    const [ruleTitle, ruleFix] = axeTexts.rules[id]
    const { why: reasonKey, wrong: wrongCode, right: rightCode } = axeRules[id]
    return [id, { lang, title: ruleTitle, why: axeTexts.why[reasonKey], fix: ruleFix, wrong: wrongCode, right: rightCode }]
  }
  const toPdfEntry = (id: PdfRuleId): [string, RuleTexts] => {
    const [ruleTitle, ruleFix] = pdfTexts.rules[id]
    const [wrongCode, rightCode] = pdfExamples[id]
    return [id, { lang, title: ruleTitle, why: pdfTexts.why[pdfRules[id].why], fix: ruleFix, wrong: wrongCode, right: rightCode }]
  }
  const toDriveEntry = (id: DriveRuleId): [string, RuleTexts] => {
    const [ruleTitle, ruleFix] = driveTexts.rules[id]
    const [wrongCode, rightCode] = driveExamples[id]
    return [
      id,
      { lang, title: ruleTitle, why: driveTexts.why[driveRules[id].why], fix: ruleFix, wrong: wrongCode, right: rightCode },
    ]
  }
  return new Map([
    ...(Object.keys(axeRules) as AxeRuleId[]).map(toAxeEntry),
    ...(Object.keys(pdfRules) as PdfRuleId[]).map(toPdfEntry),
    ...(Object.keys(driveRules) as DriveRuleId[]).map(toDriveEntry),
  ])
}

const ruleTextsQuery = (locale: string) =>
  queryOptions({
    queryKey: ['rule-texts', locale],
    queryFn: () => loadTexts(locale in textLoaders ? locale : 'en'),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

/** Returns our texts of a rule; null for an unknown rule, which keeps the server's English. */
export function useRuleTexts(locale: string, rule: string): RuleTexts | null {
  const { data: ruleTexts } = useQuery(ruleTextsQuery(locale))
  return ruleTexts?.get(rule) ?? null
}

/** Returns a function that gets the title of a rule, for labels of controls. */
export function useRuleTitle(locale: string): (rule: string, help: string) => string {
  const { data: ruleTexts } = useQuery(ruleTextsQuery(locale))
  return (rule, help) => ruleTexts?.get(rule)?.title ?? help
}
