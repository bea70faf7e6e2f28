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
}
