import type { Kysely } from 'kysely'
import type { MemberTables } from './member/table.ts'
import type { NoticeTables } from './notice/table.ts'
import type { TeamTables } from './team/table.ts'

export type AccountTables = MemberTables & TeamTables & NoticeTables
export type AccountDb = Kysely<AccountTables>
