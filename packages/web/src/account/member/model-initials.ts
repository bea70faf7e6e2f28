const graphemeSegmenter = new Intl.Segmenter()

/** A letter may consist of several code points. */
const getFirstLetter = (word: string): string => [...graphemeSegmenter.segment(word)][0]?.segment ?? ''

/** First letters of the first and the last word of a name, at most two. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const namingWords = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return namingWords.map(getFirstLetter).join('').toUpperCase()
}
