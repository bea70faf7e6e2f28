import { sql } from 'kysely'
import type { Migrations } from '../kit/database.ts'

/** Schema of the embedded account service. */
export const accountMigrations: Migrations = {
  '0001-foundation': {
    async up(db) {
      await sql`
        create table member (
          id text primary key,
          username text not null,
          first_name text not null,
          last_name text not null,
          email text,
          agreed_at timestamptz,
          created_at timestamptz not null default now(),
          seen_at timestamptz not null default now()
        )`.execute(db)
    },
  },
  '0002-teams-and-terms': {
    async up(db) {
      await sql`alter table member add column agreed_version text`.execute(db)
      await sql`
        create table team (
          id text primary key,
          name text not null,
          created_at timestamptz not null default now()
        )`.execute(db)
      await sql`create unique index team_name on team (lower(name))`.execute(db)
      await sql`
        create table team_member (
          team_id text not null references team on delete cascade,
          member_id text not null references member on delete cascade,
          primary key (member_id, team_id)
        )`.execute(db)
      await sql`create index team_member_team on team_member (team_id)`.execute(db)
      await sql`
        create table global_config (
          id boolean primary key default true check (id),
          message text,
          version int not null default 1
        )`.execute(db)
      await sql`insert into global_config (message) values (null)`.execute(db)
      await sql`
        create table notice_answer (
          member_id text primary key references member on delete cascade,
          version int not null,
          remind_at timestamptz
        )`.execute(db)
      // Signs the forms of this service's pages; shared by all processes.
      await sql`create table secret (name text primary key, value bytea not null)`.execute(db)
    },
  },
  '0003-people': {
    // Columns for the list of people; filled by the embedded provider, else from the latest token.
    async up(db) {
      await sql`alter table member
        add column role text not null default 'user', add column state text not null default 'active',
        add column two_factor boolean, add column is_managed boolean not null default false,
        alter column seen_at drop not null, alter column seen_at drop default`.execute(db)
    },
  },
}
