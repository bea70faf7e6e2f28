import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openSeal, type Seal, sealWith } from '../../kit/seal.ts'
import { scanBody, apiOfFile } from '../../../test/api.ts'
import { findScan } from '../scan/store.ts'
import { readSecrets, renewSecrets, settingsWithSecrets } from './service.ts'

const api = apiOfFile({ worker: true })

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../../fixtures/keystores/${name}`, import.meta.url)).toString('base64')
const certificate = (keystore: string | null, keystorePassword: string | null, keystoreType = 'PKCS12') => ({
  authType: 'client_cer',
  keystoreName: 'client.p12',
  keystoreType,
  keystore,
  keystorePassword,
})
const ask = async (connection: object, scanId?: string, token?: string) => {
  const body = { connection, ...(scanId !== undefined && { scanId }) }
  return (
    await api.call('POST', '/session-establishment-task/validate', {
      body,
      ...(token !== undefined && { token }),
    })
  ).body as object
}
type Stored = { id: string; version: number; settings: { session: { connection: object } } }

it('keeps secrets out of every answer and out of the database', async () => {
  const connection = { authType: 'ntlm', username: 'corp\\ann', password: 'hush-hush-1' }
  const made = await api.call('POST', '/scans', { body: scanBody('NTLM', { session: { connection } }) })
  const { id, version, settings } = made.body as Stored
  expect(settings.session.connection).toEqual({ ...connection, password: null })
  const dump = JSON.stringify(await api.db.selectFrom('scan').selectAll().execute())
  expect(dump).not.toContain('hush')
  const stored = async () => {
    const row = (await findScan(api, id))!
    return (await settingsWithSecrets(api, id, row.settings)).session.connection
  }
  expect(await stored()).toEqual(connection)

  // Null keeps the stored one. Another way to sign in wants its own.
  const put = (next: object, at: number) =>
    api.call('PUT', `/scans/${id}`, {
      body: { settings: { ...settings, session: { connection: next } }, version: at },
    })
  expect((await put({ ...connection, username: 'ann@corp', password: null }, version)).status).toBe(200)
  expect(await stored()).toMatchObject({ username: 'ann@corp', password: 'hush-hush-1' })
  expect((await put({ authType: 'basic', username: 'ann', password: null }, version + 1)).body).toMatchObject(
    {
      errors: [{ path: 'settings.session.connection.password', code: 'required' }],
    },
  )
  await put({ authType: 'basic', username: 'ann', password: 'other' }, version + 1)
  const left = await api.db.selectFrom('secret').select('name').where('owner_id', '=', id).execute()
  expect(left).toEqual([{ name: 'password basic' }])
})

it.each([
  [{ authType: 'ntlm', username: 'ann', password: 'x' }, 400],
  [{ authType: 'basic', username: '', password: 'x' }, 400],
  [{ authType: 'kerberos', username: 'ann@REALM', password: 'x' }, 201],
])('wants user names as their kind has them (%#)', async (connection, status) => {
  const body = scanBody(`Names ${JSON.stringify(connection)}`, { session: { connection } })
  expect((await api.call('POST', '/scans', { body })).status).toBe(status)
})

it('opens keystores, and tells a broken file from a wrong password', async () => {
  expect(await ask(certificate(fixture('rsa.p12'), 'changeit'))).toMatchObject({
    success: true,
    certificate: { subject: expect.any(String), validTo: expect.any(String) },
  })
  expect(await ask(certificate(fixture('rsa.p12'), 'wrong'))).toMatchObject({
    success: false,
    code: 'wrong-password',
    message: 'Incorrect password!',
  })
  expect(await ask(certificate(Buffer.from('no keystore').toString('base64'), 'x', 'JKS'))).toMatchObject({
    success: false,
    message: 'Invalid keystore format!',
  })
  const bad = { session: { connection: certificate(fixture('rsa.p12'), 'wrong') } }
  expect((await api.call('POST', '/scans', { body: scanBody('Bad store', bad) })).body).toMatchObject({
    errors: [{ path: 'session.connection.keystorePassword', params: { reason: 'wrong-password' } }],
  })
})

it('uses what a scan has stored only for who manages it', async () => {
  const connection = certificate(fixture('rsa.p12'), 'changeit')
  const { id } = (await api.call('POST', '/scans', { body: scanBody('Stored', { session: { connection } }) }))
    .body as Stored
  expect(await ask(certificate(null, null), id)).toMatchObject({ success: true })
  expect(await ask(certificate(null, null), id, await api.token('stranger'))).toMatchObject({
    code: 'required',
  })
  expect(await ask(certificate(null, null))).toMatchObject({ code: 'required' })
})

it('are opened by an old key, and sealed anew by a new one', async () => {
  const connection = { authType: 'basic', username: 'ann', password: 'kept over keys' }
  const made = await api.call('POST', '/scans', { body: scanBody('Keys', { session: { connection } }) })
  const id = (made.body as { id: string }).id
  const setting = Buffer.alloc(32, 7).toString('base64')
  const seal = openSeal({ setting, folder: api.config.CLEARWAY_DATA })
  const read = async (by: Seal) => (await readSecrets({ db: api.db, seal: by }, id))('password basic')
  expect(await read(seal)).toBe('kept over keys')
  const only = sealWith(Buffer.alloc(32, 7))
  expect(await read(only)).toBeNull()
  await renewSecrets({ db: api.db, seal })
  expect(await read(only)).toBe('kept over keys')
})
