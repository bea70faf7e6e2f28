import type { InboxQuery, ReadEntries } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import type * as z from 'zod/mini'
import type { Caller } from '../../../kit/http/answer.ts'
import { pageReply } from '../../../kit/paging.ts'
import { getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { inboxKinds } from '../table.ts'
import { countUnread, deleteOldEntries, type EntryRow, listEntries, markRead, type Reader } from './store.ts'

type Deps = { db: MonitorDb }

const readerOf = (caller: Caller): Reader => ({
  id: caller.id,
  visible: visibleScans(caller),
  discusses: getMaxRank('scan.discuss'),
})

const entryOf = (row: EntryRow) => ({
  id: row.id,
  kind: inboxKinds[row.kind]!,
  at: row.at.toISOString(),
  read: row.read,
  scanId: row.scan_id,
  scanName: row.scan_name,
  actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor },
  issue: row.issue_id === null ? null : { id: row.issue_id, rule: row.rule!, help: row.help ?? row.rule! },
  issues: row.issues,
  run: row.run_number === null ? null : { number: row.run_number, status: row.status! },
})

/** The caller's inbox, as far as the rights of today reach. */
export async function inboxFor({ db }: Deps, caller: Caller, query: z.output<typeof InboxQuery>) {
  const { rows, total } = await listEntries(db, readerOf(caller), query)
  return pageReply(rows.map(entryOf), total, query)
}

export const unreadFor = async ({ db }: Deps, caller: Caller) => ({
  unread: await countUnread(db, readerOf(caller)),
})

export async function readEntries({ db }: Deps, caller: Caller, which: z.output<typeof ReadEntries>) {
  await markRead(db, caller.id, which)
  return unreadFor({ db }, caller)
}

export const forgetOldInbox = ({ db }: Deps): Promise<void> => deleteOldEntries(db)
