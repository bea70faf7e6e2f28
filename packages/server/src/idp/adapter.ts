import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import * as z from 'zod/mini'
import type { Seal } from '../kit/seal.ts'
import { parseStored } from '../kit/stored.ts'
import { consumeArtifact, deleteGrant, endArtifact, findArtifact, type ArtifactHolder, storeArtifact } from './artifact/store.ts'
import type { IdpTables } from './table.ts'

/** The stored form of an id. Ids are random, so a plain hash reveals nothing. */
export const hashId = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** Artifacts that sign a person in, now or later. */
const signInKinds = new Set(['Session', 'AuthorizationCode', 'RefreshToken', 'Interaction'])

/** The account state that sessions and tokens carry: it changes when earlier proofs of identity become invalid. */
export const formatEpoch = ({ epoch }: Pick<ArtifactHolder, 'epoch'>): string => String(epoch)

/** Matches no account. Artifacts of an earlier version name no state, so their owners sign in again. */
export const unknownEpoch = -1

/** The person and account state of an artifact; null if it signs no one in. An interaction carries both in its result. */
function findHolder(artifactKind: string, { accountId, acr, result }: AdapterPayload): ArtifactHolder | null {
  const personId = accountId ?? result?.login?.accountId
  const epochText: unknown = acr ?? result?.login?.acr
  return personId === undefined || !signInKinds.has(artifactKind)
    ? null
    : { id: personId, epoch: typeof epochText === 'string' ? Number(epochText) : unknownEpoch }
}

/** Validates only that the payload is an object: the provider checks its own contents. */
const PayloadSchema = z.record(z.string(), z.unknown())

/** Storage for oidc-provider in PostgreSQL. Stored data cannot be used to sign in: ids are hashed, the rest is sealed. */
export function createArtifactAdapter(db: Kysely<IdpTables>, seal: Seal): AdapterFactory {
  const deps = { db }
  function createAdapter(artifactKind: string): Adapter {
    const buildSealContext = (idHash: string) => `sign-in ${artifactKind} ${idHash}`
    async function findPayload(column: 'id' | 'uid', columnValue: string): Promise<AdapterPayload | undefined> {
      const artifactRow = await findArtifact(deps, { kind: artifactKind, column, hash: hashId(columnValue) })
      // An artifact sealed with another key is treated as missing: its owner signs in again.
      const payloadText = artifactRow ? seal.open(artifactRow.sealed, buildSealContext(artifactRow.id)) : null
      if (!artifactRow || payloadText === null) return undefined
      const payload: AdapterPayload = parseStored(PayloadSchema, JSON.parse(payloadText), `A sign-in of the kind ${artifactKind}`)
      // Such a session would skip the sign-in form, but could get no token.
      if (findHolder(artifactKind, payload)?.epoch === unknownEpoch) return undefined
      return artifactRow.consumed_at === null ? payload : { ...payload, consumed: artifactRow.consumed_at }
    }
    return {
      find: (id) => findPayload('id', id),
      findByUid: (uid) => findPayload('uid', uid),
      // Used only by device codes, which are disabled.
      findByUserCode: () => Promise.resolve(undefined),
      async upsert(id, payload, expiresIn) {
        const idHash = hashId(id)
        // Codes and refresh tokens name the session that they belong to.
        const sessionUid = payload.uid ?? payload.sessionUid
        const storedArtifact = {
          kind: artifactKind,
          id: idHash,
          sealed: seal.close(JSON.stringify(payload), buildSealContext(idHash)),
          account_id: payload.accountId ?? payload.result?.login?.accountId ?? null,
          grant_id: payload.grantId ? hashId(payload.grantId) : null,
          uid: sessionUid ? hashId(sessionUid) : null,
          second: (payload.amr ?? []).length > 1,
          seconds: expiresIn || null,
        }
        await storeArtifact(deps, storedArtifact, findHolder(artifactKind, payload))
      },
      // The provider reads an artifact before it consumes it: of concurrent requests, one succeeds.
      async consume(id) {
        if (!(await consumeArtifact(deps, artifactKind, hashId(id))))
          throw new errors.InvalidGrant('the code or token was used by another request')
      },
      destroy: (id) => endArtifact(deps, artifactKind, hashId(id)),
      revokeByGrantId: (grantId) => deleteGrant(deps, hashId(grantId)),
    }
  }
  return createAdapter
}
