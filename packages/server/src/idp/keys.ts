import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { ClusterError } from '../kit/postgres/cluster.ts'
import * as z from 'zod/mini'
import { dropSecrets, replaceSecret, type Sealed, sharedSecret } from './store.ts'

/** A private key is more than these; its other members are numbers of the algorithm. */
const SigningKeys = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).check(z.minLength(1)),
})
const OtherSecrets = z.object({ cookie: z.string(), envelope: z.string() })

export type Keys = {
  /** Private signing keys; the public halves are published. */
  jwks: { keys: JWK[] }
  /** Signs cookies. */
  cookies: string[]
  /** Signs the envelope of refresh tokens. */
  envelope: Uint8Array
}

async function signingKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    ...(await exportJWK(privateKey)),
    kty: 'RSA',
    kid: randomBytes(8).toString('hex'),
    use: 'sig',
    alg: 'RS256',
  }
}

/** Old keys that stay published, so that what they signed stays valid until it ends. */
const keysKept = 2

/** Puts a new signing key before the others. Processes that run take it at their next start. */
export async function renewKeys(deps: Sealed): Promise<void> {
  const known = await loadKeys(deps).catch((error: unknown) => {
    if (!(error instanceof ClusterError)) throw error
    return null
  })
  if (known === null) return dropSecrets(deps)
  const { jwks } = known
  const keys = [await signingKey(), ...jwks.keys].slice(0, 1 + keysKept)
  await replaceSecret(deps, 'signing-keys', { keys })
}

/** The provider's keys, made at the first start and kept in the database, so that a restart signs nobody out. */
export async function loadKeys(deps: Sealed): Promise<Keys> {
  const jwks = await sharedSecret(deps, 'signing-keys', SigningKeys, async () => ({
    keys: [await signingKey()],
  }))
  const other = await sharedSecret(deps, 'secrets', OtherSecrets, () =>
    Promise.resolve({
      cookie: randomBytes(32).toString('base64url'),
      envelope: randomBytes(32).toString('base64url'),
    }),
  )
  return { jwks, cookies: [other.cookie], envelope: Buffer.from(other.envelope, 'base64url') }
}

/** Forgets all keys and what was signed with them: sessions and tokens end. New ones are made at the next start. */
export const revokeKeys = (deps: Pick<Sealed, 'db'>): Promise<void> => dropSecrets(deps)
