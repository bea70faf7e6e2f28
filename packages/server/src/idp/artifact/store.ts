import { type Kysely, type Selectable, sql } from 'kysely'
import { type IdpTables, isLive } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
type Row = Selectable<IdpTables['artifact']>
/** Whom a thing lets in, and by which state of their account. */
export type Holder = { id: string; epoch: number }
/** Something that the provider keeps, by hashes of its ids. Without seconds it does not end by itself. */
type Artifact = Pick<Row, 'kind' | 'id' | 'sealed' | 'account_id' | 'grant_id' | 'uid' | 'second'> & {
  seconds: number | null
}

/** One that has not ended, by the hash of its id or of its session's. */
export const findArtifact = (
  { db }: Db,
  { kind, column, hash }: { kind: string; column: 'id' | 'uid'; hash: string },
): Promise<Pick<Row, 'id' | 'sealed' | 'consumed_at'> | undefined> =>
  db
    .selectFrom('artifact')
    .select(['id', 'sealed', 'consumed_at'])
    .where('kind', '=', kind)
    .where(column, '=', hash)
    .where(isLive)
    .executeTakeFirst()

/**
 * Stores nothing for whose sessions were ended since, or for what was ended itself: a request that was on the way
 * brings neither back. The lock makes it wait for whoever is ending them.
 */
export async function storeArtifact({ db }: Db, artifact: Artifact, holder: Holder | null): Promise<void> {
  const row = sql`${artifact.kind}, ${artifact.id}, ${artifact.sealed}::bytea, ${artifact.account_id}::text,
    ${artifact.grant_id}::text, ${artifact.uid}::text, ${artifact.second},
    now() + make_interval(secs => ${artifact.seconds}::float8)`
  const holds = holder
    ? sql`select from person where id = ${holder.id}::uuid and epoch = ${holder.epoch} for share`
    : sql`select`
  await sql`with holder as (${holds})
    insert into artifact (kind, id, sealed, account_id, grant_id, uid, second, expires_at)
    select ${row} where exists (select from holder)
    on conflict (kind, id) do update set sealed = excluded.sealed, account_id = excluded.account_id,
      grant_id = excluded.grant_id, uid = excluded.uid, second = excluded.second, expires_at = excluded.expires_at
    where ${isLive}`.execute(db)
}

/** Keeps that a code or a token was used. */
export async function consumeArtifact({ db }: Db, kind: string, hash: string): Promise<void> {
  await db
    .updateTable('artifact')
    .set({ consumed_at: sql<number>`extract(epoch from now())::bigint` })
    .where('kind', '=', kind)
    .where('id', '=', hash)
    .execute()
}

/** Ends one thing. What is left of a session is swept later: a request on the way does not store it anew. */
export async function endArtifact({ db }: Db, kind: string, hash: string): Promise<void> {
  const own = sql`kind = ${kind} and id = ${hash}`
  await (
    kind === 'Session'
      ? sql`update artifact set expires_at = now() where ${own} and ${isLive}`
      : sql`delete from artifact where ${own}`
  ).execute(db)
}

/** Ends all that a grant gave, by the hash of its id. */
export async function deleteGrant({ db }: Db, hash: string): Promise<void> {
  await db.deleteFrom('artifact').where('grant_id', '=', hash).execute()
}
