import type { SessionConnection } from './schema.ts'

/** A sign-in with its secrets. */
export type PlannedConnection =
  | { authType: 'basic' | 'ntlm' | 'ntlm_ss' | 'kerberos'; username: string; password: string }
  | {
      authType: 'client_cer'
      keystore: Uint8Array
      keystoreType: Extract<SessionConnection, { authType: 'client_cer' }>['keystoreType']
      keystorePassword: string
    }

/** Returns a connection with its secrets; null if one is missing. */
export function planConnection(connection: SessionConnection): PlannedConnection | null {
  if (connection.authType === 'client_cer') {
    const { authType, keystore: keystoreBase64, keystoreType, keystorePassword } = connection
    if (keystoreBase64 === null || keystorePassword === null) return null
    const keystore = Uint8Array.from(atob(keystoreBase64), (character) => character.charCodeAt(0))
    return { authType, keystoreType, keystorePassword, keystore }
  }
  const { authType, username, password } = connection
  return password === null ? null : { authType, username, password }
}
