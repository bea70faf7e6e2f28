import { passwordLengthLimits } from '@clearway/contract/account/member/provider/schema.ts'
import { dictionary } from '@zxcvbn-ts/language-common'

export type PasswordFault = 'too-short' | 'too-long' | 'common-password' | 'personal-password'

/** Passwords that leaked often, in lower case. */
const commonPasswords = new Set(dictionary['passwords-common'])
/** Repetitions of so few characters are as weak as the characters alone. */
const maxWeakUnitLength = 4
/** Shorter parts of a name occur in many words. */
const minNameLength = 4

/** The shortest part whose repetition yields the text, or the whole text. */
function findRepeatedUnit(text: string): string {
  const unitLength = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, unitLength)
}

function stripNonLetters(text: string): string {
  const isLetter = (character: string) => /\p{L}/u.test(character)
  const characters = Array.from(text)
  const firstLetterIndex = characters.findIndex(isLetter)
  const lastLetterIndex = characters.findLastIndex(isLetter)
  return firstLetterIndex < 0 ? text : characters.slice(firstLetterIndex, lastLetterIndex + 1).join('')
}

/**
 * Checks a password: long enough, not a common one, and not based on the person's name. There are no other rules.
 * @param names username, email and names of the person
 * @source NIST SP 800-63B-4, 3.1.1.2
 */
export function findPasswordFault(password: string, names: readonly (string | null)[]): PasswordFault | null {
  const { length: characterCount } = Array.from(password)
  if (characterCount < passwordLengthLimits.min) return 'too-short'
  if (password.length > passwordLengthLimits.max) return 'too-long'
  const normalizedPassword = password.normalize('NFKC').toLowerCase()
  const repeatedUnit = findRepeatedUnit(normalizedPassword)
  if (
    [normalizedPassword, repeatedUnit, stripNonLetters(normalizedPassword), stripNonLetters(repeatedUnit)].some((candidate) =>
      commonPasswords.has(candidate),
    )
  )
    return 'common-password'
  if (repeatedUnit.length <= maxWeakUnitLength) return 'common-password'
  const personalWords = names.flatMap((name) => {
    const lowerCaseName = (name ?? '').toLowerCase()
    return [lowerCaseName, ...lowerCaseName.split('@')[0]!.split(/[\s.]+/)]
  })
  return personalWords.some((personalWord) => personalWord.length >= minNameLength && normalizedPassword.includes(personalWord))
    ? 'personal-password'
    : null
}
