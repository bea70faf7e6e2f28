import type { ScanSession } from '@clearway/contract/monitor/session/schema.ts'
import type * as z from 'zod/mini'
import type { ScanForm, SessionValues } from './values.ts'

type StoredSession = z.output<typeof ScanSession>
type SessionConnection = NonNullable<StoredSession['connection']>

const blankSession: SessionValues = {
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

function toConnectionValues(connection: SessionConnection): Partial<SessionValues> {
  if (connection.authType !== 'client_cer')
    return { authType: connection.authType, username: connection.username }
  const { authType, keystoreType, keystoreName } = connection
  return { authType, keystoreType, keystoreName }
}

/** Converts a session to field values. Secrets are never sent, so their fields are empty. */
export function toSessionValues({ connection, mark }: StoredSession): SessionValues {
  return {
    ...blankSession,
    ...(connection ? toConnectionValues(connection) : {}),
    ...(mark ? { markMeans: mark.means, markKind: mark.kind, markValue: mark.value } : {}),
  }
}

/** Converts the fields to a connection. An empty secret becomes null, which keeps the stored value. */
export function toConnection(formValues: ScanForm): SessionConnection | null {
  const { authType, username, keystoreType, keystoreName } = formValues
  if (authType === '') return null
  if (authType !== 'client_cer') return { authType, username, password: formValues.password || null }
  return {
    authType,
    keystoreType,
    keystoreName,
    keystore: formValues.keystore || null,
    keystorePassword: formValues.keystorePassword || null,
  }
}

export const toSession = (formValues: ScanForm): StoredSession => ({
  connection: toConnection(formValues),
  mark:
    formValues.markMeans === ''
      ? null
      : { means: formValues.markMeans, kind: formValues.markKind, value: formValues.markValue.trim() },
})

/** Returns true if the server already stores the secrets of this sign-in type. Each type has its own secrets. */
export const hasStoredSecrets = (
  storedSession: StoredSession | undefined,
  { authType }: Pick<ScanForm, 'authType'>,
) => authType !== '' && storedSession?.connection?.authType === authType
