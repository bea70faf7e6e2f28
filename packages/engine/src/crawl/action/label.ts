import { readPart } from './part.ts'
import { isCollectionPhrase, isFirmPhrase, isManaged } from './phrase.ts'
import { foldText } from './text.ts'
import * as words from './words.ts'

const maxLabelWords = 6

/** Returns true for a verb with its object: `Supprimer la photo`, `Foto löschen`, `写真を削除`. */
function isVerbWithObject(label: string): boolean {
  const { words: labelWords, compact } = readPart(label)
  const partWords = compact.includes('を') ? compact.split('を') : labelWords
  const contentWords = partWords.filter((word) => !words.labelArticles.has(word))
  if (partWords.length > maxLabelWords || contentWords.length === 0) return false
  const [first, last] = [contentWords[0]!, contentWords.at(-1)!]
  const isFirst = words.firmVerbSet.has(first) && contentWords.slice(1).every(isManaged)
  const isLast = words.firmVerbSet.has(last) && contentWords.slice(0, -1).every(isManaged)
  return isFirst || isLast || isFirmPhrase(compact)
}

/**
 * Returns true for the text of a link that changes something.
 * @param isAboutOne its address has a number
 */
export function isActingLabel(
  label: string,
  { isAboutOne, hasParameters }: { isAboutOne: boolean; hasParameters: boolean },
): boolean {
  if (label === '') return false
  if (words.immediateLabels.test(foldText(label).trim())) return true
  return isAboutOne && (isVerbWithObject(label) || (hasParameters && isCollectionPhrase(readPart(label).compact)))
}
