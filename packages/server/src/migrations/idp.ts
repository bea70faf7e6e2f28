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
      // Artifacts of oidc-provider: sessions, codes, refresh tokens, grants. One table for all kinds.
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
      // Wrong passwords by name and address, so that all processes share the counts.
      await sql`
        create table attempt (
          subject text primary key,
          failures int not null,
          since timestamptz not null default now()
        )`.execute(db)
    },
  },
  '0002-sealed-artifacts': {
    // Deletes sessions and tokens, which were stored in plain text; people sign in again.
    async up(db) {
      await sql`delete from artifact`.execute(db)
      await sql`alter table artifact drop column payload, add column sealed bytea not null,
        add column consumed_at bigint, add column account_id text`.execute(db)
      await sql`create index artifact_account on artifact (account_id) where account_id is not null`.execute(db)
      await sql`delete from attempt`.execute(db)
    },
  },
  '0003-accounts': {
    async up(db) {
      // `epoch` grows when a person is signed out everywhere: earlier tokens are refused.
      await sql`alter table person add column deactivated_at timestamptz, add column epoch int not null default 0`.execute(db)
      // Makes addresses unique: the oldest account keeps a shared one.
      await sql`update person set email = null where email is not null and exists
        (select from person o where lower(o.email) = lower(person.email) and o.id < person.id)`.execute(db)
      await sql`create unique index person_email on person (lower(email)) where email is not null`.execute(db)
      // Single-use links whose token allows setting a password. Only the hash is stored.
      await sql`create table ticket (
        hash bytea primary key,
        kind text not null,
        person_id uuid references person on delete cascade,
        expires_at timestamptz not null
      )`.execute(db)
      await sql`create index ticket_person on ticket (person_id, kind)`.execute(db)
      // The origin of each session; by the hash of its uid, as in artifact.
      await sql`create table device (
        uid text primary key,
        person_id uuid not null references person on delete cascade,
        agent text not null,
        address text not null,
        started_at timestamptz not null default now(),
        seen_at timestamptz not null default now()
      )`.execute(db)
      await sql`create index device_person on device (person_id)`.execute(db)
    },
  },
  '0004-second-factor': {
    async up(db) {
      // The sealed secret of the authenticator app, and the last used time step, so that a code works once.
      await sql`alter table person add column totp bytea, add column totp_step bigint not null default 0`.execute(db)
      await sql`create table recovery_code (
        person_id uuid not null references person on delete cascade,
        hash bytea not null,
        primary key (person_id, hash)
      )`.execute(db)
      await sql`create table passkey (
        id text primary key,
        person_id uuid not null references person on delete cascade,
        name text not null,
        public_key bytea not null,
        counter bigint not null,
        created_at timestamptz not null default now(),
        used_at timestamptz
      )`.execute(db)
      await sql`create index passkey_person on passkey (person_id)`.execute(db)
    },
  },
  '0005-bound-sign-in': {
    async up(db) {
      // True for a session that began with a second factor.
      await sql`alter table artifact add column second boolean not null default false`.execute(db)
      // The account state when a step began: steps from before an end of sessions are refused.
      await sql`alter table ticket add column epoch int`.execute(db)
    },
  },
  '0006-email': {
    async up(db) {
      // The address that a link confirms.
      await sql`alter table ticket add column email text`.execute(db)
    },
  },
}
