import { passwordLengthLimits } from '@clearway/contract/account/member/provider/schema.ts'
import { dictionary } from '@zxcvbn-ts/language-common'

/** What can be wrong with a password that somebody chooses. */
export type PasswordFault = 'too-short' | 'too-long' | 'common-password' | 'personal-password'

/** Passwords that leaked often, in lower case. */
const common = new Set(dictionary['passwords-common'])
/** Whatever repeats within so few characters is guessed as it is. */
const shortUnit = 4
/** Shorter parts of a name stand in many words. */
const shortName = 4

/** The part that a text repeats, or all of it. */
function unitOf(text: string): string {
  const at = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, at)
}

/** Without what people put around a word: digits and signs at its ends. */
function coreOf(text: string): string {
  const isLetter = (sign: string) => /\p{L}/u.test(sign)
  const signs = Array.from(text)
  const first = signs.findIndex(isLetter)
  const last = signs.findLastIndex(isLetter)
  return first < 0 ? text : signs.slice(first, last + 1).join('')
}

/**
 * Judges a password: long enough, none that everybody tries first, and not one's own name. Nothing else is asked of it.
 * @param names user name, email and names of whose it is to be
 * @source NIST SP 800-63B-4, 3.1.1.2
 */
export function passwordFault(password: string, names: readonly (string | null)[]): PasswordFault | null {
  const { length } = Array.from(password)
  if (length < passwordLengthLimits.min) return 'too-short'
  if (password.length > passwordLengthLimits.max) return 'too-long'
  const text = password.normalize('NFKC').toLowerCase()
  const unit = unitOf(text)
  if ([text, unit, coreOf(text), coreOf(unit)].some((part) => common.has(part))) return 'common-password'
  if (unit.length <= shortUnit) return 'common-password'
  const own = names.flatMap((name) => {
    const whole = (name ?? '').toLowerCase()
    return [whole, ...whole.split('@')[0]!.split(/[\s.]+/)]
  })
  return own.some((name) => name.length >= shortName && text.includes(name)) ? 'personal-password' : null
}
