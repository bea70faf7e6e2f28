import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AxeLocale, AxeReading } from './model-axe.ts'
import { messageReader } from './model-axe.ts'

/** What axe-core's checks say in our languages but English, each loaded when somebody first reads of a check in it. */
const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('axe-core/locales/de.json'),
  es: () => import('axe-core/locales/es.json'),
  fr: () => import('axe-core/locales/fr.json'),
  it: () => import('axe-core/locales/it.json'),
  ja: () => import('axe-core/locales/ja.json'),
}

const readerQuery = (locale: string) =>
  queryOptions({
    queryKey: ['axe-messages', locale],
    queryFn: async () => {
      const english = (await import('axe-core/locales/_template.json')) as unknown as AxeLocale
      return messageReader(english, ((await loaders[locale]?.()) ?? english) as AxeLocale)
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

/** Reads messages of axe-core's checks in a language; those that it has not stay English, and are marked so. */
export function useAxeMessages(locale: string): (message: string) => AxeReading & { lang: string } {
  const { data } = useQuery(readerQuery(locale))
  return (message) => {
    const own = data?.(message) ?? null
    return own === null ? { text: message, goal: null, lang: 'en' } : { ...own, lang: locale }
  }
}
