import type { SessionConnection } from './schema.ts'

/** Maximum number of links of a scan that are known to end its session. */
export const maxSignOutUrls = 50

/** A sign-in with its secrets. */
export type PlannedConnection =
  | { authType: 'basic' | 'ntlm' | 'ntlm_ss' | 'kerberos'; username: string; password: string }
  | {
      authType: 'client_cer'
      keystore: Uint8Array
      keystoreType: Extract<SessionConnection, { authType: 'client_cer' }>['keystoreType']
      keystorePassword: string
    }

export type PlannedForm = {
  url: string
  username: string
  password: string
  /** Secret of its one-time codes; null if it asks for none. */
  codeSecret?: string | null
}

/** The sign-in of a session with its secrets, by its server or by a form. */
export type PlannedSignIn = { connection: PlannedConnection | null; form: PlannedForm | null }

/** Returns the sign-in of a session with its secrets; null if one is missing. */
export function planSignIn(connection: SessionConnection | null): PlannedSignIn | null {
  if (connection === null) return { connection: null, form: null }
  if (connection.authType !== 'form') {
    const plannedConnection = planConnection(connection)
    return plannedConnection && { connection: plannedConnection, form: null }
  }
  const { url, username, password, hasCode, codeSecret } = connection
  if (password === null || (hasCode && codeSecret === null)) return null
  return { connection: null, form: { url, username, password, codeSecret: hasCode ? codeSecret : null } }
}

function planConnection(connection: Exclude<SessionConnection, { authType: 'form' }>): PlannedConnection | null {
  if (connection.authType === 'client_cer') {
    const { authType, keystore: keystoreBase64, keystoreType, keystorePassword } = connection
    if (keystoreBase64 === null || keystorePassword === null) return null
    const keystore = Uint8Array.from(atob(keystoreBase64), (character) => character.charCodeAt(0))
    return { authType, keystoreType, keystorePassword, keystore }
  }
  const { authType, username, password } = connection
  return password === null ? null : { authType, username, password }
}
