import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openSeal, type Seal, createSeal } from '../../kit/seal.ts'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { findScan } from '../scan/store.ts'
import { createSecretReader, resealSecrets, readSettingsWithSecrets } from './service.ts'

const api = useTestApi({ worker: true })

const readFixture = (name: string) =>
  readFileSync(new URL(`../../../../../fixtures/keystores/${name}`, import.meta.url)).toString('base64')
const createCertificate = (keystore: string | null, keystorePassword: string | null, keystoreType = 'PKCS12') => ({
  authType: 'client_cer',
  keystoreName: 'client.p12',
  keystoreType,
  keystore,
  keystorePassword,
})
const validateSession = async (connection: object, scanId?: string, token?: string) => {
  const body = { connection, ...(scanId !== undefined && { scanId }) }
  return (await api.call('POST', '/session-establishment-task/validate', { body, ...(token !== undefined && { token }) }))
    .body as object
}
type Stored = { id: string; version: number; settings: { session: { connection: object } } }

it('exposes secrets neither in replies nor in the database', async () => {
  const connection = { authType: 'ntlm', username: 'corp\\ann', password: 'hush-hush-1' }
  const createdScan = await api.call('POST', '/scans', { body: buildScanBody('NTLM', { session: { connection } }) })
  const { id, version, settings } = createdScan.body as Stored
  expect(settings.session.connection).toEqual({ ...connection, password: null })
  const dump = JSON.stringify(await api.db.selectFrom('scan').selectAll().execute())
  expect(dump).not.toContain('hush')
  const readStoredValues = async () => {
    const row = (await findScan(api, id))!
    return (await readSettingsWithSecrets(api, id, row.settings)).session.connection
  }
  expect(await readStoredValues()).toEqual(connection)

  // Null keeps the stored secret. Another kind of sign-in requires its own.
  const updateConnection = (next: object, at: number) =>
    api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, session: { connection: next } }, version: at } })
  expect((await updateConnection({ ...connection, username: 'ann@corp', password: null }, version)).status).toBe(200)
  expect(await readStoredValues()).toMatchObject({ username: 'ann@corp', password: 'hush-hush-1' })
  expect((await updateConnection({ authType: 'basic', username: 'ann', password: null }, version + 1)).body).toMatchObject({
    errors: [{ path: 'settings.session.connection.password', code: 'required' }],
  })
  await updateConnection({ authType: 'basic', username: 'ann', password: 'other' }, version + 1)
  const remainingSecrets = await api.db.selectFrom('secret').select('name').where('owner_id', '=', id).execute()
  expect(remainingSecrets).toEqual([{ name: 'password basic' }])
})

it.each([
  [{ authType: 'ntlm', username: 'ann', password: 'x' }, 400],
  [{ authType: 'basic', username: '', password: 'x' }, 400],
  [{ authType: 'kerberos', username: 'ann@REALM', password: 'x' }, 201],
])('wants user names as their kind has them (%#)', async (connection, status) => {
  const body = buildScanBody(`Names ${JSON.stringify(connection)}`, { session: { connection } })
  expect((await api.call('POST', '/scans', { body })).status).toBe(status)
})

it('opens keystores, and distinguishes a broken file from a wrong password', async () => {
  expect(await validateSession(createCertificate(readFixture('rsa.p12'), 'changeit'))).toMatchObject({
    success: true,
    certificate: { subject: expect.any(String), validTo: expect.any(String) },
  })
  expect(await validateSession(createCertificate(readFixture('rsa.p12'), 'wrong'))).toMatchObject({
    success: false,
    code: 'wrong-password',
    message: 'Incorrect password!',
  })
  expect(await validateSession(createCertificate(Buffer.from('no keystore').toString('base64'), 'x', 'JKS'))).toMatchObject({
    success: false,
    message: 'Invalid keystore format!',
  })
  const bad = { session: { connection: createCertificate(readFixture('rsa.p12'), 'wrong') } }
  expect((await api.call('POST', '/scans', { body: buildScanBody('Bad store', bad) })).body).toMatchObject({
    errors: [{ path: 'session.connection.keystorePassword', params: { reason: 'wrong-password' } }],
  })
})

it('uses stored secrets only for managers of the scan', async () => {
  const connection = createCertificate(readFixture('rsa.p12'), 'changeit')
  const { id } = (await api.call('POST', '/scans', { body: buildScanBody('Stored', { session: { connection } }) })).body as Stored
  expect(await validateSession(createCertificate(null, null), id)).toMatchObject({ success: true })
  expect(await validateSession(createCertificate(null, null), id, await api.token('stranger'))).toMatchObject({
    code: 'required',
  })
  expect(await validateSession(createCertificate(null, null))).toMatchObject({ code: 'required' })
})

it('can be opened with an old key, and are resealed with a new one', async () => {
  const connection = { authType: 'basic', username: 'ann', password: 'kept over keys' }
  const createdScan = await api.call('POST', '/scans', { body: buildScanBody('Keys', { session: { connection } }) })
  const id = (createdScan.body as { id: string }).id
  const setting = Buffer.alloc(32, 7).toString('base64')
  const seal = openSeal({ setting, folder: api.config.CLEARWAY_DATA })
  const readPassword = async (by: Seal) => (await createSecretReader({ db: api.db, seal: by }, id))('password basic')
  expect(await readPassword(seal)).toBe('kept over keys')
  const only = createSeal(Buffer.alloc(32, 7))
  expect(await readPassword(only)).toBeNull()
  await resealSecrets({ db: api.db, seal })
  expect(await readPassword(only)).toBe('kept over keys')
})
