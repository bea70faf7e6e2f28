import { roleMay } from '@clearway/contract/kit/permission.ts'
import type * as z from 'zod/mini'
import type {
  IssueGroupQuery,
  IssueListQuery,
  RunsInViewQuery,
} from '@clearway/contract/monitor/issue/schema.ts'
import { type Caller, refuse, type Subject } from '../../kit/http/answer.ts'
import { visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { type BlobDeps, pictureOf } from '../page/service.ts'
import { runsInView } from '../page/store.ts'
import { changes, impacts, issueStatuses, lastPresentChange, severities, tagKind } from './model.ts'
import {
  countIssues,
  type IssueRow,
  listIssues,
  findIssue,
  type IssueFull,
  momentsOf,
  otherPages,
  type CommentRow,
  deleteComment,
  insertComment,
  listComments,
  updateComment,
  mentionsOf,
} from './store.ts'
import { pageReply } from '../../kit/paging.ts'
import { deleteIgnore, listIgnores, rulesInView, tagsInView } from './filter/store.ts'
import { listIssueGroups } from './group/store.ts'
import { filterDiscussants, listScanPeople } from './assignee/store.ts'
import { criteriaOf } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { mentionedIn } from '@clearway/contract/monitor/issue/mention/model.ts'
import { inTransaction } from '../../kit/database.ts'
import { deleteMentions, insertEntries } from '../notification/inbox/store.ts'
import { editMentionMails, mailMentioned, type MentionDeps } from '../notification/mention/service.ts'

type Deps = { db: MonitorDb }
export type PictureDeps = BlobDeps
export type CommentDeps = Deps & MentionDeps

/** A guest reads what was found, not who works on it, where, or what they write. */
const forGuest = <T extends { assignedTo: unknown; ticketUrl: unknown }>(issue: T): T => ({
  ...issue,
  assignedTo: null,
  ticketUrl: null,
  ...('ignore' in issue && { ignore: null, remediationComment: null }),
})

const summary = (row: IssueRow) => ({
  id: row.id,
  scanId: row.scan_id,
  scanName: row.scan_name,
  runId: row.run_id,
  runNumber: row.run_number,
  pageId: row.page_id,
  pageUrl: row.page_url,
  source: row.source,
  rule: row.rule,
  help: row.help,
  impact: row.impact === null ? null : impacts[row.impact]!,
  severity: severities[row.severity]!,
  needsReview: severities[row.severity] === 'needs review',
  status: issueStatuses[row.status]!,
  change: changes[row.change] ?? null,
  selector: row.selector,
  pages: row.change <= lastPresentChange ? Math.max(1, row.pages) : row.pages,
  assignedTo: row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name },
  labels: row.labels,
  criteria: criteriaOf(row.tags),
  markedAsIssue: row.marked ?? (issueStatuses[row.status] === 'none' ? false : null),
  component: row.component,
  ticketUrl: row.ticket_url,
  templateId: row.group_id,
  firstSeenAt: row.first_seen_at.toISOString(),
  createdAt: row.first_seen_at.toISOString(),
  carriedFrom: row.carried_from,
})

const ignoreOf = ({ authorId, author, createdAt, ...ignore }: NonNullable<IssueFull['ignore']>) => ({
  ...ignore,
  author: { id: authorId, name: author },
  createdAt: new Date(createdAt).toISOString(),
})

async function detail(deps: Deps, row: IssueFull) {
  const [x, y, width, height] = row.picture_box ?? []
  const hasBox = row.picture !== null && height !== undefined
  return {
    ...summary(row),
    description: row.description,
    helpUrl: row.help_url,
    tags: row.tags,
    target: row.target,
    html: row.html,
    fix: row.fix,
    pageTitle: row.page_title,
    hasPicture: row.picture !== null,
    pictureBox: hasBox ? { x: x!, y: y!, width: width!, height } : null,
    firstSeenRun: row.first_run,
    lastSeenRun: row.last_run,
    fixedInRun: row.fixed_in_run,
    matchedBy: row.matched_by,
    ignore: row.ignore && ignoreOf(row.ignore),
    remediationComment: row.remediation,
    otherPages: await otherPages(deps, { runId: row.run_id, groupId: row.group_id, pageId: row.page_id }),
    version: row.version,
  }
}

/** Issues of the scans that the caller may see, with the counts of the filter bar. */
export async function issuesFor(deps: Deps, caller: Caller, query: z.output<typeof IssueListQuery>) {
  const runs = runsInView(visibleScans(caller), query)
  const { rows, total, totalIssues, bySeverity } = await listIssues(deps, runs, query)
  const shown = rows.map(caller.guestOf === undefined ? summary : (row) => forGuest(summary(row)))
  return { ...pageReply(shown, total, query), severities: severityCounts(bySeverity), totalIssues }
}

const severityCounts = ([
  critical = 0,
  serious = 0,
  moderate = 0,
  minor = 0,
  needsReview = 0,
]: readonly number[]) => ({
  critical,
  serious,
  moderate,
  minor,
  needsReview,
})

/** The same issues summed up by what they have in common. */
export async function groupsFor(deps: Deps, caller: Caller, query: z.output<typeof IssueGroupQuery>) {
  const runs = runsInView(visibleScans(caller), query)
  const [{ rows, total }, { bySeverity, totalIssues }] = await Promise.all([
    listIssueGroups(deps, runs, query),
    countIssues(deps, runs, query),
  ])
  const content = rows.map(({ severity, ...row }) => ({ ...row, severity: severities[severity]! }))
  return { ...pageReply(content, total, query), severities: severityCounts(bySeverity), totalIssues }
}

export async function issueFor(deps: Deps, caller: Caller, id: string, runNumber?: number) {
  const row = await findIssue(deps, id, runNumber)
  if (!row) return refuse('not-found')
  const issue = await detail(deps, row)
  return caller.guestOf === undefined ? issue : forGuest(issue)
}

/** What each run saw of an issue, newest first. */
export async function historyFor(deps: Deps, id: string) {
  const rows = await momentsOf(deps, id)
  return {
    content: rows.map((row) => ({
      runNumber: row.number,
      endedAt: row.ended_at?.toISOString() ?? null,
      change: changes[row.change]!,
      severity: severities[row.severity]!,
    })),
  }
}

/** The element as it looked on the page. */
export async function pictureFor(deps: PictureDeps, id: string, runNumber?: number) {
  const row = await findIssue(deps, id, runNumber)
  return pictureOf(deps, row?.picture)
}

type Query = z.output<typeof RunsInViewQuery>

const managesScan = ({ role }: Subject) => roleMay(role, 'scan.manage')

const comment = (row: CommentRow, caller: Caller, subject: Subject) => ({
  id: row.id,
  text: row.text,
  mentions: row.mentions,
  author: { id: row.author_id, name: row.author },
  canDelete: row.author_id === caller.id || managesScan(subject),
  canEdit: row.author_id === caller.id,
  createdAt: row.created_at.toISOString(),
  editedAt: row.edited_at?.toISOString() ?? null,
})

export async function commentsFor(deps: Deps, who: { caller: Caller; subject: Subject }, issueId: string) {
  const rows = await listComments(deps, issueId)
  return { content: rows.map((row) => comment(row, who.caller, who.subject)) }
}

/** People whom one comment notifies; whoever comes after them is only named. */
const mostNotified = 20

/** Notifies those of some people who discuss the scan that a comment mentions them, but for its author: in their inbox, and by mail. */
async function notifyMentioned(
  deps: CommentDeps,
  trx: MonitorDb,
  who: { caller: Caller; subject: Subject },
  { issueId, row, ids }: { issueId: string; row: CommentRow; ids: readonly string[] },
): Promise<void> {
  const { scanId } = who.subject
  const people = ids.filter((id) => id !== who.caller.id).slice(0, mostNotified)
  const mention = { scanId, issueId, people }
  await insertEntries(trx, { ...mention, kind: 'mentioned', actorId: who.caller.id, commentId: row.id })
  const comment = { ...row, author: row.author ?? who.caller.username }
  await mailMentioned(deps, trx, { ...mention, comment })
}

export async function addComment(
  deps: CommentDeps,
  who: { caller: Caller; subject: Subject },
  issueId: string,
  text: string,
) {
  return inTransaction(deps.db, async (trx) => {
    const mentions = await filterDiscussants(trx, who.subject.scanId, mentionedIn(text))
    const row = await insertComment({ db: trx }, { issueId, authorId: who.caller.id, text, mentions })
    await notifyMentioned(deps, trx, who, { issueId, row, ids: mentions })
    return comment(row, who.caller, who.subject)
  })
}

/** Changes the text of the author's own comment; nobody puts words into another's mouth. Whoever was mentioned before is not notified again. */
export async function editComment(
  deps: CommentDeps,
  who: { caller: Caller; subject: Subject },
  issueId: string,
  change: { id: string; text: string },
) {
  return inTransaction(deps.db, async (trx) => {
    const own = { issueId, id: change.id, authorId: who.caller.id }
    const before = await mentionsOf({ db: trx }, own)
    if (!before) return refuse('not-found')
    const asked = mentionedIn(change.text)
    const kept = asked.filter((id) => before.includes(id))
    const added = await filterDiscussants(
      trx,
      who.subject.scanId,
      asked.filter((id) => !before.includes(id)),
    )
    const mentions = [...kept, ...added]
    const row = (await updateComment({ db: trx }, { ...own, text: change.text, mentions }))!
    await deleteMentions(trx, change.id, mentions)
    await editMentionMails(trx, row)
    await notifyMentioned(deps, trx, who, { issueId, row, ids: added })
    return comment(row, who.caller, who.subject)
  })
}

/** Deletes the caller's own comment, or any comment if the caller manages the scan. */
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
      author: { id: author_id, name: author },
      createdAt: created_at.toISOString(),
    })),
  }
}

export const endIgnore = async (deps: Deps, scanId: string, id: string) =>
  (await deleteIgnore(deps, scanId, id)) ? undefined : refuse('not-found')

/** People who can be assigned issues of a scan. */
export const usersOfScan = async (deps: Deps, scanId: string) => ({
  content: await listScanPeople(deps.db, scanId),
})
