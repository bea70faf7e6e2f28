import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import { sharedSecret } from './store.ts'
import type { IdpTables } from './table.ts'

export type Keys = {
  /** Private signing keys; the public halves are published. */
  jwks: { keys: JWK[] }
  /** Signs cookies. */
  cookies: string[]
  /** Signs the envelope of refresh tokens. */
  envelope: Uint8Array
}

/** The provider's keys, made at the first start and kept in the database, so that a restart signs nobody out. */
export async function loadKeys(deps: { db: Kysely<IdpTables> }): Promise<Keys> {
  const jwks = await sharedSecret(deps, 'signing-keys', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const key = await exportJWK(privateKey)
    return { keys: [{ ...key, kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'RS256' }] }
  })
  const other = await sharedSecret(deps, 'secrets', () =>
    Promise.resolve({
      cookie: randomBytes(32).toString('base64url'),
      envelope: randomBytes(32).toString('base64url'),
    }),
  )
  return { jwks, cookies: [other.cookie], envelope: Buffer.from(other.envelope, 'base64url') }
}
