import type { PlannedForm } from '@clearway/contract/monitor/session/model.ts'
import { readOptionFile, WrongArgument } from './wrong-argument.ts'

/** Environment variable with the password of the sign-in: arguments are visible to other users of the machine. */
export const passwordVariable = 'CLEARWAY_SIGN_IN_PASSWORD'

export type SignInOptions = { url: string | undefined; user: string | undefined; passwordFile: string | undefined }

/**
 * Resolves the options of a sign-in by form; null if there are none.
 * @throws WrongArgument
 */
export function resolveSignIn(
  { url, user, passwordFile }: SignInOptions,
  environment: Readonly<Record<string, string | undefined>>,
  parseUrl: (text: string) => string,
): PlannedForm | null {
  if (url === undefined && user === undefined && passwordFile === undefined) return null
  if (url === undefined) throw new WrongArgument('--user and --password-file need --sign-in URL, the page with the form.')
  if (user === undefined) throw new WrongArgument('--sign-in needs --user NAME.')
  const password = passwordFile === undefined ? environment[passwordVariable] : readPassword(passwordFile)
  if (!password)
    throw new WrongArgument(
      `--sign-in needs a password: in the variable ${passwordVariable}, or in a file named by --password-file.`,
    )
  return { url: parseUrl(url), username: user, password }
}

const maxPasswordLength = 1000

/** Reads the first line of a file. */
const readPassword = (file: string): string =>
  readOptionFile('password-file', file).toString('utf8').split(/\r?\n/, 1)[0]!.slice(0, maxPasswordLength)
