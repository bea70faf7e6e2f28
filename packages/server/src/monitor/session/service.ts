import { roleMay } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type {
  KeystoreType,
  SessionConnection,
  SessionValidation,
} from '@clearway/contract/monitor/session/schema.ts'
import type { Caller } from '../../kit/http/answer.ts'
import type { Seal } from '../../kit/seal.ts'
import { findRoleOnScan } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { coversDomains } from '../preset/model.ts'
import { findPreset, type PresetRow } from '../preset/store.ts'
import {
  connectionSecrets,
  headerSecrets,
  isHeaderSecret,
  type MayKeep,
  missingSecrets,
  type SecretField,
  withSecrets,
} from './model.ts'
import {
  allSecrets,
  dropOrphans,
  putSecret,
  replaceSealed,
  replaceSecrets,
  secretsOf,
  takeHeaderValues,
} from './store.ts'

export type SecretDeps = { db: MonitorDb; seal: Seal }

/** What came of opening a keystore, in the words of whoever can: the engine. */
export type KeystoreAnswer =
  | { kind: 'opened'; subject: string; validTo: string }
  | { kind: 'invalid-format' }
  | { kind: 'wrong-password' }
  | { kind: 'other-key-password' }
  | { kind: 'no-key' }
  | { kind: 'no-certificate' }
  | { kind: 'several-keys'; count: number }
  | { kind: 'expired'; at: string }
  | { kind: 'not-yet-valid'; at: string }
  | { kind: 'unsupported'; what: string }
  /** Nobody could try. */
  | { kind: 'not-checked'; why: string }
/** `by`: who waits for it, and until when; the server asks a worker, and says so. */
export type OpenKeystore = (
  keystore: { bytes: Uint8Array; type: KeystoreType; password: string },
  by?: Waiting,
) => Promise<KeystoreAnswer>
type Waiting = { personId: string; signal?: AbortSignal }
export type SessionDeps = SecretDeps & { openKeystore: OpenKeystore }

const contextOf = (ownerId: string, name: string) => `${ownerId} ${name}`

/** Secrets as they will be stored, or which are missing. */
export type KeptSecrets = { errors: FieldError[]; write: (trx: MonitorDb) => Promise<void> }

/** Seals what was sent. What is null must be stored, and may be kept; what is not among `fields` is forgotten. */
export async function keepSecrets(
  deps: SecretDeps,
  ownerId: string,
  fields: readonly SecretField[],
  mayKeep?: MayKeep,
): Promise<KeptSecrets> {
  const stored = await secretsOf(deps, ownerId)
  const fresh = new Map<string, Buffer>()
  for (const { name, value } of fields)
    if (value !== null) fresh.set(name, deps.seal.close(value, contextOf(ownerId, name)))
  const keep = fields.filter(({ value }) => value === null).map(({ name }) => name)
  return {
    errors: missingSecrets(fields, new Set(stored.keys()), mayKeep),
    write: (trx) => replaceSecrets(trx, ownerId, fresh, keep),
  }
}

/** Reads secrets by name. A secret that the key does not open is as good as none. */
export async function readSecrets(
  deps: SecretDeps,
  ownerId: string,
): Promise<(name: string) => string | null> {
  const stored = await secretsOf(deps, ownerId)
  return (name) => {
    const sealed = stored.get(name)
    return sealed ? deps.seal.open(sealed, contextOf(ownerId, name)) : null
  }
}

/** The preset that decides the headers of a scan, and has their values; null when the scan itself does. */
export const headersFrom = async (
  deps: { db: MonitorDb },
  presetId: string | null,
): Promise<PresetRow | null> => {
  const preset = presetId === null ? null : await findPreset(deps, presetId)
  return preset?.settings.advanced ? preset : null
}

/** Reads what the settings of a scan may use by name: its own secrets, and the headers of its preset for that one's domains. */
export async function readScanSecrets(
  deps: SecretDeps,
  scanId: string | null,
  { presetId, domains }: Pick<ScanSettings, 'presetId' | 'domains'>,
): Promise<(name: string) => string | null> {
  const preset = await headersFrom(deps, presetId)
  const own = scanId === null ? () => null : await readSecrets(deps, scanId)
  const ofPreset = async ({ id, settings }: PresetRow) =>
    coversDomains(settings, domains) ? readSecrets(deps, id) : () => null
  const headers = preset ? await ofPreset(preset) : own
  return (name) => (isHeaderSecret(name) ? headers(name) : own(name))
}

/** The settings of a scan with its secrets in place, for a run. They never go anywhere else. */
export async function settingsWithSecrets(
  deps: SecretDeps,
  scanId: string,
  settings: ScanSettings,
): Promise<ScanSettings> {
  return withSecrets(settings, await readScanSecrets(deps, scanId, settings))
}

/** The headers of a preset that is about to go, sealed for a scan that keeps its settings and may send them. */
export async function headersToKeep(
  deps: SecretDeps,
  presetId: string,
): Promise<(trx: MonitorDb, scanId: string, domains: readonly string[]) => Promise<void>> {
  const preset = await findPreset(deps, presetId)
  const names = [...(await secretsOf(deps, presetId)).keys()]
  const read = await readSecrets(deps, presetId)
  return async (trx, scanId, domains) => {
    if (!preset || !coversDomains(preset.settings, domains)) return
    for (const name of names) {
      const value = read(name)
      if (value !== null) await putSecret(trx, scanId, name, deps.seal.close(value, contextOf(scanId, name)))
    }
  }
}

/** The settings as they are stored: without secrets. */
export const withoutSecrets = (settings: ScanSettings): ScanSettings => withSecrets(settings, () => null)

/** Seals anew what an older key has sealed, so that it can be thrown away. */
export async function renewSecrets(deps: SecretDeps): Promise<void> {
  for (const { owner_id: ownerId, name, sealed } of await allSecrets(deps)) {
    const renewed = deps.seal.renewed(sealed, contextOf(ownerId, name))
    if (renewed) await replaceSealed(deps, { ownerId, name, sealed, renewed })
  }
}

/** Seals the values of headers that an older program stored as they are. */
export const sealOldHeaders = (deps: SecretDeps): Promise<void> =>
  takeHeaderValues(deps, async (trx, ownerId, headers) => {
    for (const { name, value } of headerSecrets('', headers))
      if (value !== null)
        await putSecret(trx, ownerId, name, deps.seal.close(value, contextOf(ownerId, name)))
  })

export const forgetOrphans = (deps: { db: MonitorDb }): Promise<void> => dropOrphans(deps)

type Wrong = Extract<SessionValidation, { success: false }>
const wrong = (code: string, message: string, params: Wrong['params'] = {}): Wrong => ({
  success: false,
  code,
  message,
  params,
})

/** What is said of each fault of a keystore. */
const keystoreFaults: {
  readonly [K in Exclude<KeystoreAnswer['kind'], 'opened'>]: (
    answer: Extract<KeystoreAnswer, { kind: K }>,
  ) => Wrong
} = {
  'invalid-format': () => wrong('invalid-format', 'Invalid keystore format!'),
  'wrong-password': () => wrong('wrong-password', 'Incorrect password!'),
  'other-key-password': () =>
    wrong('other-key-password', 'The key in the keystore has a password of its own. Give both the same.'),
  'no-key': () => wrong('no-key', 'There is no private key in the keystore.'),
  'no-certificate': () => wrong('no-certificate', 'No certificate in the keystore belongs to its key.'),
  'several-keys': ({ count }) =>
    wrong('several-keys', `There are ${count} keys in the keystore. Keep one.`, { count }),
  expired: ({ at }) => wrong('expired', `The certificate ended on ${at.slice(0, 10)}.`, { at }),
  'not-yet-valid': ({ at }) =>
    wrong('not-yet-valid', `The certificate is valid from ${at.slice(0, 10)} on.`, { at }),
  unsupported: ({ what }) =>
    wrong('unsupported', `The keystore uses ${what}, which is not supported.`, { what }),
  'not-checked': ({ why }) => wrong('not-checked', `The keystore could not be opened now. ${why}`, { why }),
}

/** Opens the keystore of a connection whose secrets are in place; null when it opens or there is none. */
async function checkKeystore(
  deps: SessionDeps,
  by: Waiting,
  connection: SessionConnection,
): Promise<{ fault: Wrong } | { certificate: { subject: string; validTo: string } | null }> {
  if (connection.authType !== 'client_cer') return { certificate: null }
  const { keystore, keystorePassword: password, keystoreType: type } = connection
  if (keystore === null || password === null)
    return { fault: wrong('required', 'A keystore file and its password are needed.') }
  const answer = await deps.openKeystore({ bytes: Buffer.from(keystore, 'base64'), type, password }, by)
  if (answer.kind === 'opened') return { certificate: { subject: answer.subject, validTo: answer.validTo } }
  return { fault: (keystoreFaults[answer.kind] as (answer: KeystoreAnswer) => Wrong)(answer) }
}

/** What is wrong with the keystore of a scan's settings, as an error of the field that has to be fixed. */
export async function keystoreErrors(
  deps: SessionDeps,
  caller: Caller,
  scanId: string,
  settings: ScanSettings,
): Promise<FieldError[]> {
  const { connection } = settings.session
  const fields = connectionSecrets('session.connection', connection)
  // What was not sent again was checked when it was.
  if (connection?.authType !== 'client_cer' || fields.every(({ value }) => value === null)) return []
  const stored = await readSecrets(deps, scanId)
  const checked = await checkKeystore(
    deps,
    { personId: caller.id },
    {
      ...connection,
      keystore: connection.keystore ?? stored('keystore'),
      keystorePassword: connection.keystorePassword ?? stored('keystorePassword'),
    },
  )
  if (!('fault' in checked)) return []
  const field = checked.fault.code === 'wrong-password' ? 'keystorePassword' : 'keystore'
  return [{ path: `session.connection.${field}`, code: 'invalid', params: { reason: checked.fault.code } }]
}

/** Whether a connection is complete and its keystore opens. Never an error for a value that is merely wrong. */
export async function validateSession(
  deps: SessionDeps,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
  task: { connection: SessionConnection; scanId?: string | undefined },
): Promise<SessionValidation> {
  const { connection, scanId } = task
  // Somebody who may not manage the scan learns nothing about its stored secrets.
  const role = scanId === undefined ? null : await findRoleOnScan(deps, caller, scanId)
  const stored = role && roleMay(role, 'scan.manage') ? await readSecrets(deps, scanId!) : () => null
  const fields = connectionSecrets('connection', connection)
  const missing = fields.find(({ name, value }) => value === null && stored(name) === null)
  if (missing) return wrong('required', 'A password is needed.', { path: missing.path })
  const checked = await checkKeystore(
    deps,
    { personId: caller.id, signal },
    connection.authType === 'client_cer'
      ? {
          ...connection,
          keystore: connection.keystore ?? stored('keystore'),
          keystorePassword: connection.keystorePassword ?? stored('keystorePassword'),
        }
      : connection,
  )
  return 'fault' in checked ? checked.fault : { success: true, certificate: checked.certificate }
}
