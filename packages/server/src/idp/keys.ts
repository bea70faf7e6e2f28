import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { ClusterError } from '../kit/postgres/cluster.ts'
import * as z from 'zod/mini'
import { deleteSecrets, replaceSecret, type SealedDeps, getOrCreateSecret } from './store.ts'

/** Checks the common members only; the others depend on the algorithm. */
const SigningKeys = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).check(z.minLength(1)) })
const OtherSecrets = z.object({ cookie: z.string(), envelope: z.string() })

export type ProviderKeys = {
  /** Private signing keys; the public halves are published. */
  jwks: { keys: JWK[] }
  cookies: string[]
  /** Signs the envelope of refresh tokens. */
  envelope: Uint8Array
}

async function createSigningKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kty: 'RSA', kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'RS256' }
}

/** Number of old keys that stay published, so that their signatures remain valid until they expire. */
const retainedKeyCount = 2

/** Adds a new signing key as the first. Running processes use it after their next start. */
export async function renewKeys(deps: SealedDeps): Promise<void> {
  const currentKeys = await loadKeys(deps).catch((error: unknown) => {
    if (!(error instanceof ClusterError)) throw error
    return null
  })
  if (currentKeys === null) return deleteSecrets(deps)
  const { jwks: keySet } = currentKeys
  const signingKeys = [await createSigningKey(), ...keySet.keys].slice(0, 1 + retainedKeyCount)
  await replaceSecret(deps, 'signing-keys', { keys: signingKeys })
}

/** The provider's keys, created at the first start and stored in the database, so that a restart signs no one out. */
export async function loadKeys(deps: SealedDeps): Promise<ProviderKeys> {
  const keySet = await getOrCreateSecret(deps, 'signing-keys', SigningKeys, async () => ({ keys: [await createSigningKey()] }))
  const otherSecrets = await getOrCreateSecret(deps, 'secrets', OtherSecrets, () =>
    Promise.resolve({ cookie: randomBytes(32).toString('base64url'), envelope: randomBytes(32).toString('base64url') }),
  )
  return { jwks: keySet, cookies: [otherSecrets.cookie], envelope: Buffer.from(otherSecrets.envelope, 'base64url') }
}
