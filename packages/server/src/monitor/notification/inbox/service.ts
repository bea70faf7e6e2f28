import type { InboxQuery, ReadEntries } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import type * as z from 'zod/mini'
import type { Caller } from '../../../kit/http/answer.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import { getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { getScoreChange, parseRunChange } from '../../run/summary/service.ts'
import { inboxKinds } from '../table.ts'
import { countUnread, type EntryRow, listEntries, markRead, type Reader } from './store.ts'

type InboxDeps = { db: MonitorDb }

const toReader = (caller: Caller): Reader => ({
  id: caller.id,
  visible: visibleScans(caller),
  discusses: getMaxRank('scan.discuss'),
})

function toRunReply(row: EntryRow) {
  if (row.run_number === null) return null
  const { new: newIssues = null, back = null, fixed = null } = parseRunChange(row.change) ?? {}
  const counts = { new: newIssues, back, fixed }
  return { number: row.run_number, status: row.status!, score: row.score, ...counts, ...getScoreChange(row.change) }
}

const toEntryReply = (entryRow: EntryRow) => ({
  id: entryRow.id,
  kind: inboxKinds[entryRow.kind]!,
  at: entryRow.at.toISOString(),
  read: entryRow.read,
  scanId: entryRow.scan_id,
  scanName: entryRow.scan_name,
  actor: entryRow.actor_id === null ? null : { id: entryRow.actor_id, name: entryRow.actor },
  issue:
    entryRow.issue_id === null ? null : { id: entryRow.issue_id, rule: entryRow.rule!, help: entryRow.help ?? entryRow.rule! },
  issues: entryRow.issues,
  run: toRunReply(entryRow),
})

export async function getInbox({ db }: InboxDeps, caller: Caller, query: z.output<typeof InboxQuery>) {
  const { rows: entryRows, total: totalEntries } = await listEntries(db, toReader(caller), query)
  return buildPageReply(entryRows.map(toEntryReply), totalEntries, query)
}

export const getUnreadCount = async ({ db }: InboxDeps, caller: Caller) => ({ unread: await countUnread(db, toReader(caller)) })

export async function markEntriesRead({ db }: InboxDeps, caller: Caller, selection: z.output<typeof ReadEntries>) {
  await markRead(db, caller.id, selection)
  return getUnreadCount({ db }, caller)
}
