import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import * as z from 'zod/mini'
import type { Seal } from '../kit/seal.ts'
import { readStored } from '../kit/stored.ts'
import { type IdpTables, isLive } from './table.ts'

/** An id as it is stored: ids are random, so a plain hash says nothing of them. */
export const hashed = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** What lets somebody in, or will. */
const bound = new Set(['Session', 'AuthorizationCode', 'RefreshToken', 'Interaction'])

type Holder = { id: string; epoch: number }

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

/** Ends one thing. What is left of a session is swept later: a request on the way does not store it anew. */
async function destroyArtifact(db: Kysely<IdpTables>, kind: string, hash: string): Promise<void> {
  const own = sql`kind = ${kind} and id = ${hash}`
  await (
    kind === 'Session'
      ? sql`update artifact set expires_at = now() where ${own} and ${isLive}`
      : sql`delete from artifact where ${own}`
  ).execute(db)
}

/**
 * oidc-provider's storage in PostgreSQL, so that several processes share sessions and a restart keeps them. What is stored
 * there signs nobody in: ids are hashed, the rest is sealed.
 */
export function artifactAdapter(db: Kysely<IdpTables>, seal: Seal): AdapterFactory {
  function adapterOf(kind: string): Adapter {
    const sealContext = (hash: string) => `sign-in ${kind} ${hash}`
    async function one(column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> {
      const row = await db
        .selectFrom('artifact')
        .select(['id', 'sealed', 'consumed_at'])
        .where('kind', '=', kind)
        .where(column, '=', hashed(value))
        .where(isLive)
        .executeTakeFirst()
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
      /**
       * Stores nothing for whose sessions were ended since, or for what was ended itself: a request that was on the way
       * brings neither back. The lock makes it wait for whoever is ending them.
       */
      async upsert(id, payload, expiresIn) {
        const hash = hashed(id)
        const holder = holderOf(kind, payload)
        const accountId = payload.accountId ?? payload.result?.login?.accountId ?? null
        const row = sql`${kind}, ${hash}, ${seal.close(JSON.stringify(payload), sealContext(hash))}::bytea,
          ${accountId}::text, ${payload.grantId ? hashed(payload.grantId) : null}::text,
          ${payload.uid ? hashed(payload.uid) : null}::text, ${(payload.amr ?? []).length > 1},
          now() + make_interval(secs => ${expiresIn || null}::float8)`
        const holds = holder
          ? sql`select from person where id = ${holder.id}::uuid and epoch = ${holder.epoch} for share`
          : sql`select`
        await sql`with holder as (${holds})
          insert into artifact (kind, id, sealed, account_id, grant_id, uid, second, expires_at)
          select ${row} where exists (select from holder)
          on conflict (kind, id) do update set sealed = excluded.sealed, account_id = excluded.account_id,
            grant_id = excluded.grant_id, uid = excluded.uid, second = excluded.second, expires_at = excluded.expires_at
          where ${isLive}`.execute(db)
      },
      async consume(id) {
        await db
          .updateTable('artifact')
          .set({ consumed_at: sql<number>`extract(epoch from now())::bigint` })
          .where('kind', '=', kind)
          .where('id', '=', hashed(id))
          .execute()
      },
      destroy: (id) => destroyArtifact(db, kind, hashed(id)),
      async revokeByGrantId(grantId) {
        await db.deleteFrom('artifact').where('grant_id', '=', hashed(grantId)).execute()
      },
    }
  }
  return adapterOf
}
