import { hasPermission } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { KeystoreType, SessionConnection, SessionValidation } from '@clearway/contract/monitor/session/schema.ts'
import type { Caller } from '../../kit/http/answer.ts'
import type { Seal } from '../../kit/seal.ts'
import { findRoleOnScan } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { coversDomains } from '../preset/model.ts'
import { findPreset, type PresetRow } from '../preset/store.ts'
import {
  listConnectionSecrets,
  listHeaderSecrets,
  isHeaderSecret,
  type CanKeepSecret,
  findMissingSecrets,
  type SecretField,
  replaceSecretValues,
} from './model.ts'
import { listAllSecrets, upsertSecret, replaceSealed, replaceSecrets, readSealedSecrets, extractHeaderValues } from './store.ts'

export type SecretDeps = { db: MonitorDb; seal: Seal }

/** Result of opening a keystore, as reported by the engine. */
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
  /** No worker could check it. */
  | { kind: 'not-checked'; why: string }
/** Opens a keystore. `waiting` names the person and the signal for a task on a worker; the server requires it. */
export type OpenKeystore = (
  keystore: { bytes: Uint8Array; type: KeystoreType; password: string },
  waiting?: WaitingPerson,
) => Promise<KeystoreAnswer>
type WaitingPerson = { personId: string; signal?: AbortSignal }
export type SessionDeps = SecretDeps & { openKeystore: OpenKeystore }

const getSealContext = (ownerId: string, secretName: string) => `${ownerId} ${secretName}`

/** Secrets to be stored, or errors of missing ones. */
export type SecretChanges = { errors: FieldError[]; write: (trx: MonitorDb) => Promise<void> }

/** Seals the sent secrets. Null values must be stored and allowed to be kept; secrets that are not among `fields` are deleted. */
export async function prepareSecrets(
  deps: SecretDeps,
  ownerId: string,
  fields: readonly SecretField[],
  canKeepSecret?: CanKeepSecret,
): Promise<SecretChanges> {
  const storedSecrets = await readSealedSecrets(deps, ownerId)
  const newSecrets = new Map<string, Buffer>()
  for (const { name, value } of fields)
    if (value !== null) newSecrets.set(name, deps.seal.close(value, getSealContext(ownerId, name)))
  const keptNames = fields.filter(({ value }) => value === null).map(({ name }) => name)
  return {
    errors: findMissingSecrets(fields, new Set(storedSecrets.keys()), canKeepSecret),
    write: (trx) => replaceSecrets(trx, ownerId, newSecrets, keptNames),
  }
}

/** Reads secrets by name. A secret that cannot be decrypted is treated as missing. */
export async function createSecretReader(deps: SecretDeps, ownerId: string): Promise<(name: string) => string | null> {
  const storedSecrets = await readSealedSecrets(deps, ownerId)
  return (name) => {
    const sealedSecret = storedSecrets.get(name)
    return sealedSecret ? deps.seal.open(sealedSecret, getSealContext(ownerId, name)) : null
  }
}

/** The preset that determines a scan's headers, and has their values; null when the scan does. */
export const findHeaderPreset = async (deps: { db: MonitorDb }, presetId: string | null): Promise<PresetRow | null> => {
  const presetRow = presetId === null ? null : await findPreset(deps, presetId)
  return presetRow?.settings.advanced ? presetRow : null
}

/** Reads secrets of a scan's settings by name: its own, and the headers of its preset for the domains of that preset. */
export async function createScanSecretReader(
  deps: SecretDeps,
  scanId: string | null,
  { presetId, domains }: Pick<ScanSettings, 'presetId' | 'domains'>,
): Promise<(name: string) => string | null> {
  const headerPreset = await findHeaderPreset(deps, presetId)
  const getOwnSecret = scanId === null ? () => null : await createSecretReader(deps, scanId)
  const readPresetSecrets = async ({ id, settings }: PresetRow) =>
    coversDomains(settings, domains) ? createSecretReader(deps, id) : () => null
  const getHeaderSecret = headerPreset ? await readPresetSecrets(headerPreset) : getOwnSecret
  return (name) => (isHeaderSecret(name) ? getHeaderSecret(name) : getOwnSecret(name))
}

/** Settings of a scan including its secrets. Only for runs. */
export async function readSettingsWithSecrets(deps: SecretDeps, scanId: string, settings: ScanSettings): Promise<ScanSettings> {
  return replaceSecretValues(settings, await createScanSecretReader(deps, scanId, settings))
}

/** Creates a hook that reseals the headers of a preset for scans that keep its settings and may send them. */
export async function createHeaderKeeper(
  deps: SecretDeps,
  presetId: string,
): Promise<(trx: MonitorDb, scanId: string, domains: readonly string[]) => Promise<void>> {
  const presetRow = await findPreset(deps, presetId)
  const secretNames = [...(await readSealedSecrets(deps, presetId)).keys()]
  const getSecret = await createSecretReader(deps, presetId)
  return async (trx, scanId, domains) => {
    if (!presetRow || !coversDomains(presetRow.settings, domains)) return
    for (const name of secretNames) {
      const headerValue = getSecret(name)
      if (headerValue !== null) await upsertSecret(trx, scanId, name, deps.seal.close(headerValue, getSealContext(scanId, name)))
    }
  }
}

export const removeSecrets = (settings: ScanSettings): ScanSettings => replaceSecretValues(settings, () => null)

/** Reseals secrets that an older key sealed, so that this key can be discarded. */
export async function resealSecrets(deps: SecretDeps): Promise<void> {
  for (const { owner_id: ownerId, name, sealed } of await listAllSecrets(deps)) {
    const resealedSecret = deps.seal.renewed(sealed, getSealContext(ownerId, name))
    if (resealedSecret) await replaceSealed(deps, { ownerId, name, sealed, renewed: resealedSecret })
  }
}

/** Seals header values that older versions stored in plain text. */
export const sealOldHeaders = (deps: SecretDeps): Promise<void> =>
  extractHeaderValues(deps, async (trx, ownerId, headers) => {
    for (const { name, value } of listHeaderSecrets('', headers))
      if (value !== null) await upsertSecret(trx, ownerId, name, deps.seal.close(value, getSealContext(ownerId, name)))
  })

type InvalidSession = Extract<SessionValidation, { success: false }>
const createInvalidResult = (code: string, message: string, params: InvalidSession['params'] = {}): InvalidSession => ({
  success: false,
  code,
  message,
  params,
})

/** Message for each kind of keystore error. */
const keystoreErrorFactories: {
  readonly [K in Exclude<KeystoreAnswer['kind'], 'opened'>]: (answer: Extract<KeystoreAnswer, { kind: K }>) => InvalidSession
} = {
  'invalid-format': () => createInvalidResult('invalid-format', 'Invalid keystore format!'),
  'wrong-password': () => createInvalidResult('wrong-password', 'Incorrect password!'),
  'other-key-password': () =>
    createInvalidResult('other-key-password', 'The key in the keystore has a password of its own. Give both the same.'),
  'no-key': () => createInvalidResult('no-key', 'There is no private key in the keystore.'),
  'no-certificate': () => createInvalidResult('no-certificate', 'No certificate in the keystore belongs to its key.'),
  'several-keys': ({ count }) =>
    createInvalidResult('several-keys', `There are ${count} keys in the keystore. Keep one.`, { count }),
  expired: ({ at }) => createInvalidResult('expired', `The certificate ended on ${at.slice(0, 10)}.`, { at }),
  'not-yet-valid': ({ at }) =>
    createInvalidResult('not-yet-valid', `The certificate is valid from ${at.slice(0, 10)} on.`, { at }),
  unsupported: ({ what }) => createInvalidResult('unsupported', `The keystore uses ${what}, which is not supported.`, { what }),
  'not-checked': ({ why }) => createInvalidResult('not-checked', `The keystore could not be opened now. ${why}`, { why }),
}

/** Opens the keystore of a connection that includes its secrets; the certificate is null without a keystore. */
async function checkKeystore(
  deps: SessionDeps,
  waitingPerson: WaitingPerson,
  connection: SessionConnection,
): Promise<{ fault: InvalidSession } | { certificate: { subject: string; validTo: string } | null }> {
  if (connection.authType !== 'client_cer') return { certificate: null }
  const { keystore: keystoreBase64, keystorePassword, keystoreType } = connection
  if (keystoreBase64 === null || keystorePassword === null)
    return { fault: createInvalidResult('required', 'A keystore file and its password are needed.') }
  const keystoreAnswer = await deps.openKeystore(
    { bytes: Buffer.from(keystoreBase64, 'base64'), type: keystoreType, password: keystorePassword },
    waitingPerson,
  )
  if (keystoreAnswer.kind === 'opened')
    return { certificate: { subject: keystoreAnswer.subject, validTo: keystoreAnswer.validTo } }
  return { fault: (keystoreErrorFactories[keystoreAnswer.kind] as (answer: KeystoreAnswer) => InvalidSession)(keystoreAnswer) }
}

/** Errors of the keystore in a scan's settings, for the field to be corrected. */
export async function findKeystoreErrors(
  deps: SessionDeps,
  caller: Caller,
  scanId: string,
  settings: ScanSettings,
): Promise<FieldError[]> {
  const { connection: sessionConnection } = settings.session
  const secretFields = listConnectionSecrets('session.connection', sessionConnection)
  // Stored secrets were checked when they were sent.
  if (sessionConnection?.authType !== 'client_cer' || secretFields.every(({ value }) => value === null)) return []
  const getStoredSecret = await createSecretReader(deps, scanId)
  const keystoreCheck = await checkKeystore(
    deps,
    { personId: caller.id },
    {
      ...sessionConnection,
      keystore: sessionConnection.keystore ?? getStoredSecret('keystore'),
      keystorePassword: sessionConnection.keystorePassword ?? getStoredSecret('keystorePassword'),
    },
  )
  if (!('fault' in keystoreCheck)) return []
  const invalidField = keystoreCheck.fault.code === 'wrong-password' ? 'keystorePassword' : 'keystore'
  return [
    {
      path: `session.connection.${invalidField}`,
      code: 'invalid',
      params: { reason: keystoreCheck.fault.code },
    },
  ]
}

/** Checks that a connection is complete and that its keystore opens. An invalid value is a result, not an error. */
export async function validateSession(
  deps: SessionDeps,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
  task: { connection: SessionConnection; scanId?: string | undefined },
): Promise<SessionValidation> {
  const { connection: sessionConnection, scanId } = task
  // Users who may not manage the scan learn nothing about its stored secrets.
  const scanRole = scanId === undefined ? null : await findRoleOnScan(deps, caller, scanId)
  const getStoredSecret =
    scanRole && hasPermission(scanRole, 'scan.manage') ? await createSecretReader(deps, scanId!) : () => null
  const secretFields = listConnectionSecrets('connection', sessionConnection)
  const missingField = secretFields.find(({ name, value }) => value === null && getStoredSecret(name) === null)
  if (missingField) return createInvalidResult('required', 'A password is needed.', { path: missingField.path })
  const keystoreCheck = await checkKeystore(
    deps,
    { personId: caller.id, signal },
    sessionConnection.authType === 'client_cer'
      ? {
          ...sessionConnection,
          keystore: sessionConnection.keystore ?? getStoredSecret('keystore'),
          keystorePassword: sessionConnection.keystorePassword ?? getStoredSecret('keystorePassword'),
        }
      : sessionConnection,
  )
  return 'fault' in keystoreCheck ? keystoreCheck.fault : { success: true, certificate: keystoreCheck.certificate }
}
