/** The first of some languages that a browser asks for (`accept-language`); null when it asks for none of them. */
export function firstSpoken<Language extends string>(
  header: string | undefined,
  known: readonly Language[],
): Language | null {
  const asked = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase())
  return (asked.find((word) => (known as readonly string[]).includes(word)) as Language | undefined) ?? null
}

/** The language of a page: chosen on it, kept from before, else the first that the browser asks for; English at last. */
export function pageLanguage<Language extends string>(
  asked: { chosen?: string | null | undefined; header?: string | undefined },
  known: readonly Language[],
  otherwise: Language,
): Language {
  const words = [asked.chosen ?? '', asked.header ?? ''].filter((word) => word !== '')
  for (const word of words) {
    const found = firstSpoken(word.replaceAll(' ', ','), known)
    if (found) return found
  }
  return otherwise
}
