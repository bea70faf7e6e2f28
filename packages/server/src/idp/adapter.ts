import { type Kysely, sql } from 'kysely'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { IdpTables } from './table.ts'

/** oidc-provider's storage in PostgreSQL, so that several processes share sessions and a restart keeps them. */
export function artifactAdapter(db: Kysely<IdpTables>): AdapterFactory {
  const live = sql<boolean>`(expires_at is null or expires_at > now())`
  function adapterOf(kind: string): Adapter {
    const one = (column: 'id' | 'uid', value: string) =>
      db
        .selectFrom('artifact')
        .select('payload')
        .where('kind', '=', kind)
        .where(column, '=', value)
        .where(live)
        .executeTakeFirst()
        .then((row) => row?.payload as AdapterPayload | undefined)
    return {
      find: (id) => one('id', id),
      findByUid: (uid) => one('uid', uid),
      // Device codes only, which are switched off.
      findByUserCode: () => Promise.resolve(undefined),
      async upsert(id, payload, expiresIn) {
        const row = {
          payload: JSON.stringify(payload),
          grant_id: payload.grantId ?? null,
          uid: payload.uid ?? null,
          expires_at: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        }
        await db
          .insertInto('artifact')
          .values({ kind, id, ...row })
          .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(row))
          .execute()
      },
      async consume(id) {
        const consumed = sql<string>`payload || jsonb_build_object('consumed', extract(epoch from now())::bigint)`
        await db
          .updateTable('artifact')
          .set({ payload: consumed })
          .where('kind', '=', kind)
          .where('id', '=', id)
          .execute()
      },
      async destroy(id) {
        await db.deleteFrom('artifact').where('kind', '=', kind).where('id', '=', id).execute()
      },
      async revokeByGrantId(grantId) {
        await db.deleteFrom('artifact').where('grant_id', '=', grantId).execute()
      },
    }
  }
  return adapterOf
}
