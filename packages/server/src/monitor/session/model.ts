import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { SessionConnection } from '@clearway/contract/monitor/session/schema.ts'

/** A field of settings that holds a secret: its name in the store, its path, what was sent (null keeps the stored one). */
export type SecretField = { name: string; path: string; value: string | null }

type Variable = { name: string; value: string | null }

export const variableSecrets = (path: string, variables: readonly Variable[]): SecretField[] =>
  variables.map(({ name, value }, index) => ({
    name: `variable ${name}`,
    path: `${path}.${index}.value`,
    value,
  }))

/** The secrets of one connection. Those of another kind of sign-in have other names, so that none is taken for another. */
export function connectionSecrets(path: string, connection: SessionConnection | null): SecretField[] {
  if (!connection) return []
  if (connection.authType === 'client_cer')
    return (['keystore', 'keystorePassword'] as const).map((key) => ({
      name: key,
      path: `${path}.${key}`,
      value: connection[key],
    }))
  return [{ name: `password ${connection.authType}`, path: `${path}.password`, value: connection.password }]
}

/** Every secret in the settings of a scan. */
export const scanSecrets = (settings: ScanSettings): SecretField[] => [
  ...connectionSecrets('session.connection', settings.session.connection),
  ...variableSecrets('scripts.variables', settings.scripts.variables),
]

/** Those that are neither sent nor stored. */
export const missingSecrets = (fields: readonly SecretField[], stored: ReadonlySet<string>): FieldError[] =>
  fields
    .filter(({ name, value }) => value === null && !stored.has(name))
    .map(({ path }) => ({ path, code: 'required', params: {} }))

/** Variables whose name is used twice. */
export const variableErrors = (path: string, variables: readonly Variable[]): FieldError[] =>
  variables.flatMap(({ name }, index): FieldError[] =>
    variables.findIndex((other) => other.name === name) < index
      ? [{ path: `${path}.${index}.name`, code: 'duplicate', params: { value: name } }]
      : [],
  )

function connectionWith(
  connection: SessionConnection,
  secret: (name: string) => string | null,
): SessionConnection {
  if (connection.authType === 'client_cer')
    return { ...connection, keystore: secret('keystore'), keystorePassword: secret('keystorePassword') }
  return { ...connection, password: secret(`password ${connection.authType}`) }
}

/** The settings with every secret replaced: by nothing before they are stored, by its value before a run. */
export function withSecrets(settings: ScanSettings, secret: (name: string) => string | null): ScanSettings {
  const { session, scripts } = settings
  return {
    ...settings,
    session: { ...session, connection: session.connection && connectionWith(session.connection, secret) },
    scripts: {
      ...scripts,
      variables: scripts.variables.map(({ name }) => ({ name, value: secret(`variable ${name}`) })),
    },
  }
}
