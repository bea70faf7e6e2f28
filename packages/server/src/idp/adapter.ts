import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import * as z from 'zod/mini'
import type { Seal } from '../kit/seal.ts'
import { readStored } from '../kit/stored.ts'
import {
  consumeArtifact,
  deleteGrant,
  endArtifact,
  findArtifact,
  type Holder,
  storeArtifact,
} from './artifact/store.ts'
import type { IdpTables } from './table.ts'

/** An id as it is stored: ids are random, so a plain hash says nothing of them. */
export const hashed = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** What lets somebody in, or will. */
const bound = new Set(['Session', 'AuthorizationCode', 'RefreshToken', 'Interaction'])

/** The state of an account, as sessions and tokens carry it: who has shown what they must, and when. */
export const contextOf = ({ epoch }: Pick<Holder, 'epoch'>): string => String(epoch)

/** No account has it: an earlier version said nothing of the state, and whoever comes with that signs in again. */
export const noEpoch = -1

/** Whom it lets in, and by which state of their account; null for what lets nobody in. An interaction says so in its result. */
function holderOf(kind: string, { accountId, acr, result }: AdapterPayload): Holder | null {
  const id = accountId ?? result?.login?.accountId
  const context: unknown = acr ?? result?.login?.acr
  return id === undefined || !bound.has(kind)
    ? null
    : { id, epoch: typeof context === 'string' ? Number(context) : noEpoch }
}

/** The provider knows its own; an object is all that is ours to say. */
const Payload = z.record(z.string(), z.unknown())

/**
 * oidc-provider's storage in PostgreSQL, so that several processes share sessions and a restart keeps them. What is stored
 * there signs nobody in: ids are hashed, the rest is sealed.
 */
export function artifactAdapter(db: Kysely<IdpTables>, seal: Seal): AdapterFactory {
  const deps = { db }
  function adapterOf(kind: string): Adapter {
    const sealContext = (hash: string) => `sign-in ${kind} ${hash}`
    async function one(column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> {
      const row = await findArtifact(deps, { kind, column, hash: hashed(value) })
      // What another key sealed is as good as gone: its owner signs in again.
      const text = row ? seal.open(row.sealed, sealContext(row.id)) : null
      if (!row || text === null) return undefined
      const payload: AdapterPayload = readStored(Payload, JSON.parse(text), `A sign-in of the kind ${kind}`)
      // Found, it would let its owner past the form, and to no token.
      if (holderOf(kind, payload)?.epoch === noEpoch) return undefined
      return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
    }
    return {
      find: (id) => one('id', id),
      findByUid: (uid) => one('uid', uid),
      // Device codes only, which are switched off.
      findByUserCode: () => Promise.resolve(undefined),
      async upsert(id, payload, expiresIn) {
        const hash = hashed(id)
        const artifact = {
          kind,
          id: hash,
          sealed: seal.close(JSON.stringify(payload), sealContext(hash)),
          account_id: payload.accountId ?? payload.result?.login?.accountId ?? null,
          grant_id: payload.grantId ? hashed(payload.grantId) : null,
          uid: payload.uid ? hashed(payload.uid) : null,
          second: (payload.amr ?? []).length > 1,
          seconds: expiresIn || null,
        }
        await storeArtifact(deps, artifact, holderOf(kind, payload))
      },
      consume: (id) => consumeArtifact(deps, kind, hashed(id)),
      destroy: (id) => endArtifact(deps, kind, hashed(id)),
      revokeByGrantId: (grantId) => deleteGrant(deps, hashed(grantId)),
    }
  }
  return adapterOf
}
