import { readFileSync } from 'node:fs'
import type { PlannedForm } from '@clearway/engine/settings.ts'

/** Environment variable with the password of the sign-in: arguments are visible to other users of the machine. */
export const passwordVariable = 'CLEARWAY_SIGN_IN_PASSWORD'

export type SignInOptions = { url: string | undefined; user: string | undefined; passwordFile: string | undefined }

/**
 * Resolves the options of a sign-in by form; null if there are none.
 * @param fail creates the error of a wrong option
 */
export function resolveSignIn(
  { url, user, passwordFile }: SignInOptions,
  environment: Readonly<Record<string, string | undefined>>,
  parseUrl: (text: string) => string,
  fail: (message: string) => Error,
): PlannedForm | null {
  if (url === undefined && user === undefined && passwordFile === undefined) return null
  if (url === undefined) throw fail('--user and --password-file need --sign-in URL, the page with the form.')
  if (user === undefined) throw fail('--sign-in needs --user NAME.')
  const password = passwordFile === undefined ? environment[passwordVariable] : readPassword(passwordFile, fail)
  if (!password)
    throw fail(`--sign-in needs a password: in the variable ${passwordVariable}, or in a file named by --password-file.`)
  return { url: parseUrl(url), username: user, password }
}

const maxPasswordLength = 1000

/** Reads the first line of a file. */
function readPassword(file: string, fail: (message: string) => Error): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0]!.slice(0, maxPasswordLength)
  } catch (error) {
    throw fail(`--password-file cannot read ${file}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}
