import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AxeLocale } from './model-axe.ts'
import { messageTranslator } from './model-axe.ts'

/** axe-core's own texts in our languages but English, each loaded when somebody first reads of a rule in it. */
const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('axe-core-4.14/locales/de.json'),
  es: () => import('axe-core-4.14/locales/es.json'),
  fr: () => import('axe-core-4.14/locales/fr.json'),
  it: () => import('axe-core-4.14/locales/it.json'),
  ja: () => import('axe-core-4.14/locales/ja.json'),
}

const axeTextsQuery = (locale: string) =>
  queryOptions({
    queryKey: ['axe-texts', locale],
    queryFn: async () => (await loaders[locale]!()) as AxeLocale,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

const translatorQuery = (locale: string) =>
  queryOptions({
    queryKey: ['axe-messages', locale],
    queryFn: async () => {
      const [english, own] = await Promise.all([
        import('axe-core-4.14/locales/_template.json') as unknown as Promise<AxeLocale>,
        loaders[locale]!() as Promise<AxeLocale>,
      ])
      return messageTranslator(english, own)
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

/** What a rule of axe-core says in a language; null where axe has no text in it. */
export function useAxeRule(locale: string, rule: string): { title: string; why: string } | null {
  const known = locale in loaders && !rule.startsWith('pdf-')
  const { data } = useQuery({ ...axeTextsQuery(locale), enabled: known })
  const texts = known ? data?.rules[rule] : undefined
  return texts?.help && texts.description ? { title: texts.help, why: texts.description } : null
}

/** Says messages of axe-core's checks in a language; those that it has not stay English, and are marked so. */
export function useAxeMessages(locale: string): (message: string) => { text: string; lang: string } {
  const { data } = useQuery({ ...translatorQuery(locale), enabled: locale in loaders })
  return (message) => {
    const own = data?.(message) ?? null
    return own === null ? { text: message, lang: 'en' } : { text: own, lang: locale }
  }
}
