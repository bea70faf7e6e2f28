import type { Member } from '@clearway/contract/account/member/schema.ts'
import type { Kysely } from 'kysely'
import type { AccountTables } from './table.ts'

type Db = { db: Kysely<AccountTables> }
type Known = Omit<Member, 'agreedAt'>

/** The member that a token names, kept up to date with what the token says. */
export async function meet({ db }: Db, known: Known): Promise<Member> {
  const row = {
    username: known.username,
    first_name: known.firstName,
    last_name: known.lastName,
    email: known.email,
    seen_at: new Date(),
  }
  const { agreed_at } = await db
    .insertInto('member')
    .values({ id: known.id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .returning('agreed_at')
    .executeTakeFirstOrThrow()
  return { ...known, agreedAt: agreed_at?.toISOString() ?? null }
}
