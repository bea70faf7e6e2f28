import type { ScanSession } from '@clearway/contract/monitor/session/schema.ts'
import type * as z from 'zod/mini'
import type { ScanForm, SessionValues } from './values.ts'

type Session = z.output<typeof ScanSession>
type Connection = NonNullable<Session['connection']>

const blank: SessionValues = {
  authType: '',
  username: '',
  password: '',
  keystoreType: 'PKCS12',
  keystoreName: '',
  keystore: '',
  keystorePassword: '',
  markMeans: '',
  markKind: 'selector',
  markValue: '',
}

function connectionValues(connection: Connection): Partial<SessionValues> {
  if (connection.authType !== 'client_cer')
    return { authType: connection.authType, username: connection.username }
  const { authType, keystoreType, keystoreName } = connection
  return { authType, keystoreType, keystoreName }
}

/** How a scan signs in, as fields hold it. Secrets are never sent: their fields are empty. */
export function sessionValues({ connection, mark }: Session): SessionValues {
  return {
    ...blank,
    ...(connection ? connectionValues(connection) : {}),
    ...(mark ? { markMeans: mark.means, markKind: mark.kind, markValue: mark.value } : {}),
  }
}

/** The connection that the fields mean. An empty secret is null: keep what is stored. */
export function connectionOf(form: ScanForm): Connection | null {
  const { authType, username, keystoreType, keystoreName } = form
  if (authType === '') return null
  if (authType !== 'client_cer') return { authType, username, password: form.password || null }
  return {
    authType,
    keystoreType,
    keystoreName,
    keystore: form.keystore || null,
    keystorePassword: form.keystorePassword || null,
  }
}

export const sessionOf = (form: ScanForm): Session => ({
  connection: connectionOf(form),
  mark:
    form.markMeans === ''
      ? null
      : { means: form.markMeans, kind: form.markKind, value: form.markValue.trim() },
})

/** Whether the server keeps the secrets of this kind of sign-in already: each kind has its own. */
export const hasStoredSecrets = (stored: Session | undefined, { authType }: Pick<ScanForm, 'authType'>) =>
  authType !== '' && stored?.connection?.authType === authType
