import { sql } from 'kysely'
import type { Migrations } from '../kit/database.ts'

/** Schema of the embedded identity provider. */
export const idpMigrations: Migrations = {
  '0001-foundation': {
    async up(db) {
      await sql`
        create table person (
          id uuid primary key,
          username text not null,
          first_name text not null,
          last_name text not null,
          email text,
          password text not null,
          roles text[] not null,
          created_at timestamptz not null default now()
        )`.execute(db)
      await sql`create unique index person_username on person (lower(username))`.execute(db)
      // What oidc-provider keeps: sessions, codes, refresh tokens, grants. One table, by kind.
      await sql`
        create table artifact (
          kind text not null,
          id text not null,
          payload jsonb not null,
          grant_id text,
          uid text,
          expires_at timestamptz,
          primary key (kind, id)
        )`.execute(db)
      await sql`create index artifact_grant on artifact (grant_id) where grant_id is not null`.execute(db)
      await sql`create index artifact_uid on artifact (kind, uid) where uid is not null`.execute(db)
      await sql`create index artifact_expiry on artifact (expires_at)`.execute(db)
      await sql`create table secret (name text primary key, value jsonb not null)`.execute(db)
      // Wrong passwords, by name and by address, so that every process counts alike.
      await sql`
        create table attempt (
          subject text primary key,
          failures int not null,
          since timestamptz not null default now()
        )`.execute(db)
    },
  },
  '0002-sealed-artifacts': {
    // Sessions and tokens stood in the clear: they are forgotten, and people sign in again.
    async up(db) {
      await sql`delete from artifact`.execute(db)
      await sql`alter table artifact drop column payload, add column sealed bytea not null,
        add column consumed_at bigint, add column account_id text`.execute(db)
      await sql`create index artifact_account on artifact (account_id) where account_id is not null`.execute(
        db,
      )
      await sql`delete from attempt`.execute(db)
    },
  },
}
