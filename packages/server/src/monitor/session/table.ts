import type { SignInWay } from '@clearway/contract/monitor/session/schema.ts'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'

export type SessionTables = {
  /** `owner_id` is a scan, a script or a preset. */
  secret: { owner_id: string; name: string; sealed: Buffer }
  /** One row: the fingerprint of the sealing key, which reveals nothing about the key. */
  secret_key: { id: Generated<boolean>; fingerprint: string; since: ColumnType<Date, Date | undefined, Date> }
}

/** The ways in which stored `ScanSettings` sign in. @param settings reference to the `jsonb` of the settings */
export const buildSignInWays = (settings: string): RawBuilder<SignInWay[]> => {
  const settingsRef = sql.ref(settings)
  const connection = sql`${settingsRef} #> '{session,connection}'`
  return sql<SignInWay[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('kind', way.kind, 'name', way.name)), '[]')
    from (
      select ${connection} ->> 'authType' as kind, coalesce(${connection} ->> 'username', ${connection} ->> 'keystoreName') as name
      union all
      select 'script', own ->> 'name' from jsonb_path_query(${settingsRef}, '$.scripts.own[*] ? (@.type == "SESSION")') own
      union all
      select 'script', script.name from script
      where script.type = 'SESSION' and ${settingsRef} #> '{scripts,shared}' @> to_jsonb(script.id::text)
    ) way
    where way.kind is not null)`
}
