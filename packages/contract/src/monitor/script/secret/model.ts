import type { Script } from '../schema.ts'

/** Words of fields for passwords and codes, in the languages of the product. */
const secretFieldWords =
  /passw|passwd|\bpwd\b|pass-?phrase|passcode|kennwort|mot ?de ?passe|contrase[nñ]a|clave|parola|secret|パスワード|暗証|\bpin\b|one-time|\botp\b|totp|2fa|mfa|verification|einmalcode|code[_ -]?(?:unique|monouso)|認証コード|ワンタイム|\[type=["']?password|id_pass\b|#pass\b|name=["']?pass\b/i
const codeFieldWords = /one-time|\botp\b|totp|2fa|mfa|verification|einmalcode|code[_ -]?(?:unique|monouso)|認証コード|ワンタイム/i

/** Returns the name of the variable for a field, by what its selectors and labels say; null for fields that are not secret. */
export function findSecretName(fieldTexts: readonly string[]): 'PASSWORD' | 'CODE' | null {
  const fieldText = fieldTexts.join('\n').slice(0, 5000).normalize('NFC')
  if (codeFieldWords.test(fieldText)) return 'CODE'
  return secretFieldWords.test(fieldText) ? 'PASSWORD' : null
}

const variablePattern = /<[A-Za-z_][A-Za-z0-9_]*>/

/** Texts that a script types into fields for passwords and codes, with their lines: they belong in variables. */
export const listTypedSecrets = ({ globalSteps, pages }: Script): { line: number; value: string; target: string }[] =>
  [...globalSteps, ...pages.flatMap(({ steps }) => steps)].flatMap(({ line, action }) => {
    if (action.do !== 'type' || action.text === '' || variablePattern.test(action.text)) return []
    const target = action.target.element.text
    return findSecretName([target]) === null ? [] : [{ line, value: action.text, target }]
  })
