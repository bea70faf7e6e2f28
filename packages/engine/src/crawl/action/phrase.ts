import * as signOut from './sign-out-words.ts'
import * as words from './words.ts'

// Words without separators that are a phrase: `deletecomment`.

type PhraseTest = (compact: string) => boolean

const maxPhraseLength = 48
const maxRemembered = 5000

/** Tells words that are a phrase with nothing but certain words around it. Most parts of paths repeat, so results are kept. */
export function buildPhraseTest(
  prefixes: readonly string[],
  phrases: readonly string[],
  suffixes: readonly string[],
): PhraseTest {
  const pattern = new RegExp(`^(?:${prefixes.join('|')})*(?:${phrases.join('|')}){1,2}(?:${suffixes.join('|')})*$`, 'u')
  // Most texts have no phrase at all, which is quick to tell.
  const phrasePattern = new RegExp(phrases.join('|'), 'u')
  const results = new Map<string, boolean>()
  return (compact) => {
    if (compact.length > maxPhraseLength || !phrasePattern.test(compact)) return false
    const knownResult = results.get(compact)
    if (knownResult !== undefined) return knownResult
    const isPhrase = pattern.test(compact)
    if (results.size >= maxRemembered) results.clear()
    results.set(compact, isPhrase)
    return isPhrase
  }
}
export const isSignOutPhrase = buildPhraseTest(signOut.decorations, signOut.signOutExpressions, signOut.decorations)
export const isFirmPhrase = buildPhraseTest(['do', 'ajax', 'bulk', 'mass', 'action'], words.firmVerbList, words.actionObjects)
export const isCollectionPhrase = buildPhraseTest(['do', 'ajax'], words.collectionPhrases, [
  'do',
  'ajax',
  'action',
  'item',
  'product',
])

const objectWords: ReadonlySet<string> = new Set(words.actionObjects)
/** Returns true for a word for things that links change. */
export const isManaged = (word: string): boolean => objectWords.has(word) || words.managedNouns.has(word)
