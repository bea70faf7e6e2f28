/** The first supported language in `accept-language`; null if none is supported. */
export function firstSpoken<Language extends string>(
  acceptLanguage: string | undefined,
  supportedLanguages: readonly Language[],
): Language | null {
  const requestedLanguages = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase())
  return (
    (requestedLanguages.find((languageCode) => (supportedLanguages as readonly string[]).includes(languageCode)) as
      | Language
      | undefined) ?? null
  )
}

/** The language of a page: the chosen one, else the first supported one that the browser requests, else the fallback. */
export function choosePageLanguage<Language extends string>(
  preferences: { chosen?: string | null | undefined; header?: string | undefined },
  supportedLanguages: readonly Language[],
  fallback: Language,
): Language {
  const languageLists = [preferences.chosen ?? '', preferences.header ?? ''].filter((languageList) => languageList !== '')
  for (const languageList of languageLists) {
    const spokenLanguage = firstSpoken(languageList.replaceAll(' ', ','), supportedLanguages)
    if (spokenLanguage) return spokenLanguage
  }
  return fallback
}
