import type { RunsInViewQuery } from '@clearway/contract/monitor/issue/schema.ts'
import type * as z from 'zod/mini'
import { type Caller, refuse, type Subject } from '../../kit/http/answer.ts'
import { pageReply } from '../../kit/paging.ts'
import { visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { runsInView } from '../page/store.ts'
import { tagKind } from './model.ts'
import { type CommentRow, deleteComment, insertComment, listComments } from './store-comment.ts'
import { deleteIgnore, listIgnores, rulesInView, tagsInView } from './store-facet.ts'
import { scanPeople } from './store-people.ts'

type Deps = { db: MonitorDb }
type Query = z.output<typeof RunsInViewQuery>

const managesScan = ({ role }: Subject) => role === 'admin' || role === 'scanAdmin'

const comment = (row: CommentRow, caller: Caller, subject: Subject) => ({
  id: row.id,
  text: row.text,
  author: { id: row.author_id, name: row.author ?? row.author_id },
  own: row.author_id === caller.id || managesScan(subject),
  createdAt: row.created_at.toISOString(),
})

export async function commentsFor(deps: Deps, who: { caller: Caller; subject: Subject }, issueId: string) {
  const rows = await listComments(deps, issueId)
  return { content: rows.map((row) => comment(row, who.caller, who.subject)) }
}

export async function addComment(
  deps: Deps,
  who: { caller: Caller; subject: Subject },
  issueId: string,
  text: string,
) {
  return comment(
    await insertComment(deps, { issueId, authorId: who.caller.id, text }),
    who.caller,
    who.subject,
  )
}

/** Deletes a comment: an own one, or any for who manages the scan. */
export async function dropComment(
  deps: Deps,
  who: { caller: Caller; subject: Subject },
  issueId: string,
  id: string,
) {
  const authorId = managesScan(who.subject) ? null : who.caller.id
  return (await deleteComment(deps, { issueId, id, authorId })) ? undefined : refuse('not-found')
}

/** Rules with findings in the runs that the caller may see. */
export async function rulesFor(deps: Deps, caller: Caller, query: Query & { page: number; size: number }) {
  const { rows, total } = await rulesInView(deps, runsInView(visibleScans(caller), query), query)
  return pageReply(rows, total, query)
}

/** Tags, labels and components in the runs that the caller may see. */
export async function tagsFor(deps: Deps, caller: Caller, query: Query) {
  const rows = await tagsInView(deps, runsInView(visibleScans(caller), query), query.search)
  return {
    content: rows.map(({ tag, kind, issues }) => ({
      tag,
      kind: kind === 'tag' ? tagKind(tag) : kind,
      issues,
    })),
  }
}

export async function ignoresFor(deps: Deps, scanId: string) {
  const rows = await listIgnores(deps, scanId)
  return {
    content: rows.map(({ author, author_id, created_at, ...row }) => ({
      ...row,
      author: { id: author_id, name: author ?? author_id },
      createdAt: created_at.toISOString(),
    })),
  }
}

export const endIgnore = async (deps: Deps, scanId: string, id: string) =>
  (await deleteIgnore(deps, scanId, id)) ? undefined : refuse('not-found')

/** Whom the issues of a scan can be given to. */
export const usersOfScan = async (deps: Deps, scanId: string) => ({
  content: await scanPeople(deps.db, scanId),
})
