import type { PdfRuleId, PdfTexts } from '@clearway/contract/monitor/ruleset/model-pdf.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** Texts of the PDF rules, loaded where one is shown. */
const loaders: Readonly<Record<string, () => Promise<PdfTexts>>> = {
  de: async () => (await import('@clearway/contract/monitor/ruleset/model-pdf-de.ts')).pdfTextsDe,
  es: async () => (await import('@clearway/contract/monitor/ruleset/model-pdf-es.ts')).pdfTextsEs,
  fr: async () => (await import('@clearway/contract/monitor/ruleset/model-pdf-fr.ts')).pdfTextsFr,
  it: async () => (await import('@clearway/contract/monitor/ruleset/model-pdf-it.ts')).pdfTextsIt,
  ja: async () => (await import('@clearway/contract/monitor/ruleset/model-pdf-ja.ts')).pdfTextsJa,
}

const pdfTextsQuery = (locale: string) =>
  queryOptions({
    queryKey: ['pdf-texts', locale],
    queryFn: () => loaders[locale]!(),
    staleTime: Infinity,
  })

/** What a rule says, in the user's language where we have it; the server's word is English. */
export function useRuleTexts(
  locale: string,
  rule: string,
): { lang: string; title: string; fix: string } | null {
  const isOurs = rule.startsWith('pdf-') && locale in loaders
  const { data } = useQuery({ ...pdfTextsQuery(locale), enabled: isOurs })
  const texts = isOurs ? data?.rules[rule as PdfRuleId] : undefined
  return texts ? { lang: locale, title: texts[0], fix: texts[1] } : null
}
