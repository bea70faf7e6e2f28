import { queryOptions, useQuery } from '@tanstack/react-query'
import { type AxeLocale, type AxeReading, createMessageReader } from './model-axe.ts'

const localeLoaders: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('axe-core/locales/de.json'),
  es: () => import('axe-core/locales/es.json'),
  fr: () => import('axe-core/locales/fr.json'),
  it: () => import('axe-core/locales/it.json'),
  ja: () => import('axe-core/locales/ja.json'),
}

const messageReaderQuery = (locale: string) =>
  queryOptions({
    queryKey: ['axe-messages', locale],
    queryFn: async () => {
      const englishLocale = (await import('axe-core/locales/_template.json')) as unknown as AxeLocale
      return createMessageReader(englishLocale, ((await localeLoaders[locale]?.()) ?? englishLocale) as AxeLocale)
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

/** Returns a function that translates axe-core's check messages. Missing translations stay English and are marked as such. */
export function useAxeMessages(locale: string): (message: string) => AxeReading & { lang: string } {
  const { data: readMessage } = useQuery(messageReaderQuery(locale))
  return (message) => {
    const translatedReading = readMessage?.(message) ?? null
    return translatedReading === null ? { text: message, goal: null, lang: 'en' } : { ...translatedReading, lang: locale }
  }
}
