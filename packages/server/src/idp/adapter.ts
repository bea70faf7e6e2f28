import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import * as z from 'zod/mini'
import type { Seal } from '../kit/seal.ts'
import { readStored } from '../kit/stored.ts'
import type { IdpTables } from './table.ts'

/** An id as it is stored: ids are random, so a plain hash says nothing of them. */
export const hashed = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** The provider knows its own; an object is all that is ours to say. */
const Payload = z.record(z.string(), z.unknown())

/**
 * oidc-provider's storage in PostgreSQL, so that several processes share sessions and a restart keeps them. What is stored
 * there signs nobody in: ids are hashed, the rest is sealed.
 */
export function artifactAdapter(db: Kysely<IdpTables>, seal: Seal): AdapterFactory {
  const live = sql<boolean>`(expires_at is null or expires_at > now())`
  function adapterOf(kind: string): Adapter {
    const contextOf = (hash: string) => `sign-in ${kind} ${hash}`
    async function one(column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> {
      const row = await db
        .selectFrom('artifact')
        .select(['id', 'sealed', 'consumed_at'])
        .where('kind', '=', kind)
        .where(column, '=', hashed(value))
        .where(live)
        .executeTakeFirst()
      // What another key sealed is as good as gone: its owner signs in again.
      const text = row ? seal.open(row.sealed, contextOf(row.id)) : null
      if (!row || text === null) return undefined
      const payload: AdapterPayload = readStored(Payload, JSON.parse(text), `A sign-in of the kind ${kind}`)
      return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
    }
    return {
      find: (id) => one('id', id),
      findByUid: (uid) => one('uid', uid),
      // Device codes only, which are switched off.
      findByUserCode: () => Promise.resolve(undefined),
      async upsert(id, payload, expiresIn) {
        const hash = hashed(id)
        const row = {
          sealed: seal.close(JSON.stringify(payload), contextOf(hash)),
          // An interaction names whom it lets in only in its result.
          account_id: payload.accountId ?? payload.result?.login?.accountId ?? null,
          grant_id: payload.grantId ? hashed(payload.grantId) : null,
          uid: payload.uid ? hashed(payload.uid) : null,
          expires_at: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        }
        await db
          .insertInto('artifact')
          .values({ kind, id: hash, ...row })
          .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(row))
          .execute()
      },
      async consume(id) {
        await db
          .updateTable('artifact')
          .set({ consumed_at: sql<number>`extract(epoch from now())::bigint` })
          .where('kind', '=', kind)
          .where('id', '=', hashed(id))
          .execute()
      },
      async destroy(id) {
        await db.deleteFrom('artifact').where('kind', '=', kind).where('id', '=', hashed(id)).execute()
      },
      async revokeByGrantId(grantId) {
        await db.deleteFrom('artifact').where('grant_id', '=', hashed(grantId)).execute()
      },
    }
  }
  return adapterOf
}
