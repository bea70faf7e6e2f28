/** Returns a text without case and accents, and with the minus sign of keyboards. */
const foldText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('\u2212', '-').toLocaleLowerCase()

/** Returns the folded words of a search; none for an empty search. */
export const splitSearch = (searchText: string): string[] => foldText(searchText).split(/\s+/).filter(Boolean)

type FindOptions<Item> = {
  getText: (item: Item) => string
  /** Returns true for an entry that is one of the words: a number also matches days and years of other entries. */
  isExactMatch?: ((item: Item, searchedWords: readonly string[]) => boolean) | undefined
}

/** Returns the items whose text contains all words, in their order; exact matches first. */
export function findByWords<Item>(
  items: readonly Item[],
  searchedWords: readonly string[],
  { getText, isExactMatch = () => false }: FindOptions<Item>,
): Item[] {
  const matchingItems = items.filter((item) => {
    const text = foldText(getText(item))
    return searchedWords.every((word) => text.includes(word))
  })
  const rank = (item: Item) => Number(!isExactMatch(item, searchedWords))
  return matchingItems.toSorted((a, b) => rank(a) - rank(b))
}
