import { codeSecretPattern } from '@clearway/contract/monitor/session/schema.ts'
import type { PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

/** Environment variable with the password of the sign-in: arguments are visible to other users of the machine. */
export const passwordVariable = 'CLEARWAY_SIGN_IN_PASSWORD'

/** Environment variable with the secret of one-time codes. */
const codeSecretVariable = 'CLEARWAY_SIGN_IN_CODE_SECRET'

export type SignInOptions = {
  url: string | undefined
  user: string | undefined
  passwordFile: string | undefined
  codeSecretFile: string | undefined
}

/**
 * Resolves the options of a sign-in by form; null if there are none.
 * @throws WrongArgument
 */
export function resolveSignIn(
  { url, user, passwordFile, codeSecretFile }: SignInOptions,
  environment: Readonly<Record<string, string | undefined>>,
  parseUrl: (text: string) => string,
): PlannedForm | null {
  if ([url, user, passwordFile, codeSecretFile].every((option) => option === undefined)) return null
  if (url === undefined)
    throw new WrongArgument('--user, --password-file and --code-secret-file need --sign-in URL, the page with the form.')
  if (user === undefined) throw new WrongArgument('--sign-in needs --user NAME.')
  const password = passwordFile === undefined ? environment[passwordVariable] : readSecret('password-file', passwordFile)
  if (!password)
    throw new WrongArgument(
      `--sign-in needs a password: in the variable ${passwordVariable}, or in a file named by --password-file.`,
    )
  const codeSecret =
    codeSecretFile === undefined ? environment[codeSecretVariable] || undefined : readSecret('code-secret-file', codeSecretFile)
  if (codeSecret !== undefined && !codeSecretPattern.test(codeSecret))
    throw new WrongArgument('The secret of one-time codes is neither Base32 nor an address that begins with otpauth://totp/.')
  return { url: parseUrl(url), username: user, password, codeSecret: codeSecret ?? null }
}

const maxSecretLength = 1000

/** Reads the first line of a file. */
const readSecret = (option: string, file: string): string =>
  readOptionFile(option, file).toString('utf8').split(/\r?\n/, 1)[0]!.slice(0, maxSecretLength)
