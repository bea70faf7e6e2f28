import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { type IdpTables, isLive } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
type ArtifactRow = Selectable<IdpTables['artifact']>
/** The person that an artifact signs in, and the account state that it was issued for. */
export type ArtifactHolder = { id: string; epoch: number }
/** An artifact of the provider, with hashed ids. Null `seconds` means that it does not expire. */
type Artifact = Pick<ArtifactRow, 'kind' | 'id' | 'sealed' | 'account_id' | 'grant_id' | 'uid' | 'second'> & {
  seconds: number | null
}

/** Finds an unexpired artifact by the hash of its id or of its session's id. */
export const findArtifact = (
  { db }: Db,
  { kind, column, hash }: { kind: string; column: 'id' | 'uid'; hash: string },
): Promise<Pick<ArtifactRow, 'id' | 'sealed' | 'consumed_at'> | undefined> =>
  db
    .selectFrom('artifact')
    .select(['id', 'sealed', 'consumed_at'])
    .where('kind', '=', kind)
    .where(column, '=', hash)
    .where(isLive)
    .executeTakeFirst()

/** Stores nothing if the holder's sessions or the artifact have ended; the lock waits for a concurrent end of sessions. */
export async function storeArtifact({ db }: Db, artifact: Artifact, holder: ArtifactHolder | null): Promise<void> {
  const rowValues = sql`${artifact.kind}, ${artifact.id}, ${artifact.sealed}::bytea, ${artifact.account_id}::text,
    ${artifact.grant_id}::text, ${artifact.uid}::text, ${artifact.second},
    now() + make_interval(secs => ${artifact.seconds}::float8)`
  const holderQuery = holder
    ? sql`select from person where id = ${holder.id}::uuid and epoch = ${holder.epoch} for share`
    : sql`select`
  await sql`with holder as (${holderQuery})
    insert into artifact (kind, id, sealed, account_id, grant_id, uid, second, expires_at)
    select ${rowValues} where exists (select from holder)
    on conflict (kind, id) do update set sealed = excluded.sealed, account_id = excluded.account_id,
      grant_id = excluded.grant_id, uid = excluded.uid, second = excluded.second, expires_at = excluded.expires_at
    where ${isLive}`.execute(db)
}

/** Deletes a grant's artifacts and ends its session and tokens. One statement: the provider revokes all kinds at once. */
const endGrant = (db: Kysely<IdpTables>, grantIds: RawBuilder<unknown>) =>
  sql`with deleted as (delete from artifact where grant_id in (${grantIds}) returning uid)
    update artifact set expires_at = now()
    where kind = 'Session' and uid in (select uid from deleted) and ${isLive}`.execute(db)

/**
 * Records the use of a code or token. If a concurrent request was first, it may be stolen: ends its grant and session.
 * @returns false if it was used before
 */
export async function consumeArtifact({ db }: Db, kind: string, hash: string): Promise<boolean> {
  const consumeResult = await db
    .updateTable('artifact')
    .set({ consumed_at: sql<number>`extract(epoch from now())::bigint` })
    .where('kind', '=', kind)
    .where('id', '=', hash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  if (consumeResult.numUpdatedRows > 0n) return true
  const grantQuery = sql`select grant_id from artifact where kind = ${kind} and id = ${hash}`
  await sql`delete from artifact where kind = 'Grant' and id in (${grantQuery})`.execute(db)
  await endGrant(db, grantQuery)
  return false
}

/** Ends one artifact. A session's row is expired, and swept later, so that a request in flight cannot store it again. */
export async function endArtifact({ db }: Db, kind: string, hash: string): Promise<void> {
  const artifactFilter = sql`kind = ${kind} and id = ${hash}`
  await (
    kind === 'Session'
      ? sql`update artifact set expires_at = now() where ${artifactFilter} and ${isLive}`
      : sql`delete from artifact where ${artifactFilter}`
  ).execute(db)
}

/** Ends a grant and its session, by the hash of the grant's id. */
export async function deleteGrant({ db }: Db, hash: string): Promise<void> {
  await endGrant(db, sql`${hash}::text`)
}
