import type { PdfRuleId, PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useAxeRule } from './queries-axe.ts'

/** Texts of the PDF rules, loaded where one is shown. */
const loaders: Readonly<Record<string, () => Promise<PdfTexts>>> = {
  de: async () => (await import('@clearway/contract/monitor/ruleset/pdf/de.ts')).pdfTextsDe,
  es: async () => (await import('@clearway/contract/monitor/ruleset/pdf/es.ts')).pdfTextsEs,
  fr: async () => (await import('@clearway/contract/monitor/ruleset/pdf/fr.ts')).pdfTextsFr,
  it: async () => (await import('@clearway/contract/monitor/ruleset/pdf/it.ts')).pdfTextsIt,
  ja: async () => (await import('@clearway/contract/monitor/ruleset/pdf/ja.ts')).pdfTextsJa,
}

const pdfTextsQuery = (locale: string) =>
  queryOptions({
    queryKey: ['pdf-texts', locale],
    queryFn: async () => {
      const [texts, { pdfRules }] = await Promise.all([
        loaders[locale]!(),
        import('@clearway/contract/monitor/ruleset/pdf/model.ts'),
      ])
      return { texts, pdfRules }
    },
    staleTime: Infinity,
  })

/** `fix` is null where the checks say what to fix. */
export type RuleTexts = { lang: string; title: string; why: string; fix: string | null }

/** What a rule says, in the user's language where we have it; null where the server's English word has to do. */
export function useRuleTexts(locale: string, rule: string): RuleTexts | null {
  const isOurs = rule.startsWith('pdf-') && locale in loaders
  const { data } = useQuery({ ...pdfTextsQuery(locale), enabled: isOurs })
  const axe = useAxeRule(locale, rule)
  const id = rule as PdfRuleId
  const texts = isOurs ? data?.texts.rules[id] : undefined
  if (axe) return { lang: locale, ...axe, fix: null }
  if (!data || !texts) return null
  return { lang: locale, title: texts[0], why: data.texts.why[data.pdfRules[id].why], fix: texts[1] }
}
