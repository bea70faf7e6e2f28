import { Secret, TOTP, URI } from 'otpauth'
import { sleep } from '../browser/deadline.ts'

/** Codes of an authenticator app. */
export type CodeGenerator = {
  /** Returns the current code; waits for one that was not returned before, because sites accept each code once. */
  next(): Promise<string>
  /** Codes returned so far, to be redacted. */
  listIssued(): readonly string[]
}

const maxPeriodSeconds = 120
/** A code must still be valid when the form is sent. */
const minRemainingMs = 3000

function parseSecret(secretText: string): TOTP | null {
  try {
    if (!secretText.trim().startsWith('otpauth:')) {
      const base32 = secretText.replaceAll(/[\s=-]/g, '').toUpperCase()
      return base32 === '' ? null : new TOTP({ secret: Secret.fromBase32(base32) })
    }
    const generator = URI.parse(secretText.trim())
    if (!(generator instanceof TOTP) || generator.period < 1 || generator.period > maxPeriodSeconds) return null
    return generator.digits >= 6 && generator.digits <= 10 ? generator : null
  } catch {
    return null
  }
}

/** Opens the codes of a secret in Base32, or of an `otpauth:` address; null if it is neither. */
export function openCodeGenerator(secretText: string): CodeGenerator | null {
  const generator = parseSecret(secretText)
  if (!generator) return null
  const issuedCodes: string[] = []
  return {
    async next() {
      while (generator.remaining() < minRemainingMs || generator.generate() === issuedCodes.at(-1))
        await sleep(generator.remaining() + 50)
      const code = generator.generate()
      issuedCodes.push(code)
      return code
    },
    listIssued: () => issuedCodes,
  }
}
