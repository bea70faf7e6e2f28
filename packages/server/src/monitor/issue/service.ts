import { hasPermission } from '@clearway/contract/kit/permission.ts'
import type * as z from 'zod/mini'
import type { IssueGroupQuery, IssueListQuery, RunsInViewQuery } from '@clearway/contract/monitor/issue/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { IssueId } from '@clearway/contract/kit/id.ts'
import { type Caller, type Refusal, refuse, type Subject } from '../../kit/http/answer.ts'
import { visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { type BlobDeps, readPicture } from '../page/service.ts'
import { runsInView } from '../page/store.ts'
import { changes, getEngine, impacts, issueStatuses, lastPresentChange, severities, getTagKind } from './model.ts'
import {
  countIssues,
  type IssueRow,
  listIssues,
  findIssue,
  type FullIssueRow,
  listHistory,
  listOtherPages,
  type CommentRow,
  deleteComment,
  insertComment,
  listComments,
  updateComment,
  readMentions,
} from './store.ts'
import { buildPageReply } from '../../kit/paging.ts'
import { listRulesInView, listTagsInView } from './filter/store.ts'
import { listIssueGroups } from './group/store.ts'
import { filterDiscussants, listScanPeople } from './assignee/store.ts'
import { listCriteria } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { listMentionedIds } from '@clearway/contract/monitor/issue/mention/model.ts'
import { inTransaction } from '../../kit/database.ts'
import { hideAddress } from '../../kit/text.ts'
import { deleteMentions, insertEntries } from '../notification/inbox/store.ts'
import { updateMentionMails, queueMentionMails, type MentionDeps } from '../notification/mention/service.ts'

type IssueDeps = { db: MonitorDb }
export type PictureDeps = BlobDeps
export type CommentDeps = IssueDeps & MentionDeps

/** Removes assignee, ticket, ignore and remediation comment: guests only see results. */
const toGuestView = <T extends { assignedTo: unknown; ticketUrl: unknown }>(issue: T): T => ({
  ...issue,
  assignedTo: null,
  ticketUrl: null,
  ...('ignore' in issue && { ignore: null, reviewed: null, remediationComment: null }),
})

const toIssueSummary = (issueRow: IssueRow) => ({
  id: issueRow.id,
  scanId: issueRow.scan_id,
  scanName: issueRow.scan_name,
  runId: issueRow.run_id,
  runNumber: issueRow.run_number,
  pageId: issueRow.page_id,
  pageUrl: issueRow.page_url,
  source: issueRow.source,
  rule: issueRow.rule,
  help: issueRow.help,
  impact: issueRow.impact === null ? null : impacts[issueRow.impact]!,
  severity: severities[issueRow.severity]!,
  needsReview: severities[issueRow.severity] === 'needs review',
  status: issueStatuses[issueRow.status]!,
  change: changes[issueRow.change] ?? null,
  engine: getEngine(issueRow.drive_level, issueRow.rule),
  states: issueRow.states ?? [],
  selector: issueRow.selector,
  issues: Math.max(1, issueRow.issues),
  newIssues: issueRow.new_issues,
  reappearedIssues: issueRow.back_issues,
  pages: issueRow.change <= lastPresentChange ? Math.max(1, issueRow.pages) : issueRow.pages,
  assignedTo: issueRow.assigned_to === null ? null : { id: issueRow.assigned_to, name: issueRow.assigned_name },
  labels: issueRow.labels,
  criteria: listCriteria(issueRow.tags),
  markedAsIssue: issueRow.marked ?? (issueStatuses[issueRow.status] === 'none' ? false : null),
  review: issueRow.review,
  component: issueRow.component,
  ticketUrl: issueRow.ticket_url,
  templateId: issueRow.group_id,
  firstSeenAt: issueRow.first_seen_at.toISOString(),
  createdAt: issueRow.first_seen_at.toISOString(),
  updatedAt: issueRow.updated_at.toISOString(),
  carriedFrom: issueRow.carried_from,
})

const toIgnoreReply = ({ authorId, author, createdAt, until, ...ignore }: NonNullable<FullIssueRow['ignore']>) => ({
  ...ignore,
  until: until === null ? null : new Date(until).toISOString(),
  author: { id: authorId, name: author },
  createdAt: new Date(createdAt).toISOString(),
})

const toReviewedReply = ({ authorId, author, at, reason }: NonNullable<FullIssueRow['reviewed']>) => ({
  reason: reason ?? '',
  author: authorId === null ? null : { id: authorId, name: author },
  at: new Date(at).toISOString(),
})

async function buildIssueDetail(deps: IssueDeps, issueRow: FullIssueRow) {
  const [x, y, boxWidth, boxHeight] = issueRow.picture_box ?? []
  const hasBox = issueRow.picture !== null && boxHeight !== undefined
  return {
    ...toIssueSummary(issueRow),
    description: issueRow.description,
    helpUrl: issueRow.help_url,
    tags: issueRow.tags,
    target: issueRow.target,
    html: issueRow.html,
    fix: issueRow.fix,
    pageTitle: issueRow.page_title,
    hasPicture: issueRow.picture !== null,
    pictureBox: hasBox ? { x: x!, y: y!, width: boxWidth!, height: boxHeight } : null,
    firstSeenRun: issueRow.first_run,
    lastSeenRun: issueRow.last_run,
    fixedInRun: issueRow.fixed_in_run,
    matchedBy: issueRow.matched_by,
    ignore: issueRow.ignore && toIgnoreReply(issueRow.ignore),
    reviewed: issueRow.reviewed && toReviewedReply(issueRow.reviewed),
    remediationComment: issueRow.remediation,
    otherPages: await listOtherPages(deps, {
      runId: issueRow.run_id,
      groupId: issueRow.group_id,
      pageId: issueRow.page_id,
      status: issueRow.status,
    }),
    version: issueRow.version,
  }
}

/** Refuses a guest's question about people, which filters and the order of rows would answer; null otherwise. */
function refuseGuestFilters(caller: Caller, { assignedTo, sort }: { assignedTo: readonly string[]; sort: readonly string[] }) {
  if (caller.guestOf === undefined) return null
  const errorPath = assignedTo.length > 0 ? 'assignedTo' : sort.some((one) => one.startsWith('assignedTo')) ? 'sort' : null
  return errorPath && refuse('validation-failed', { errors: [{ path: errorPath, code: 'unknown-field', params: {} }] })
}

export async function listVisibleIssues(deps: IssueDeps, caller: Caller, query: z.output<typeof IssueListQuery>) {
  const refusal = refuseGuestFilters(caller, query) ?? refuseWithCursor(query)
  if (refusal) return refusal
  const runsToShow = runsInView(visibleScans(caller), query)
  const {
    rows: issueRows,
    total: totalRows,
    totalIssues,
    bySeverity: countsBySeverity,
  } = await listIssues(deps, runsToShow, query)
  const issueSummaries = issueRows.map(caller.guestOf === undefined ? toIssueSummary : (row) => toGuestView(toIssueSummary(row)))
  return {
    ...buildPageReply(issueSummaries, totalRows, query),
    severities: toSeverityCounts(countsBySeverity),
    totalIssues,
    nextCursor: query.cursor !== undefined && issueRows.length === query.size ? (issueRows.at(-1)!.id as IssueId) : null,
  }
}

/** Refuses parameters that contradict the order of a cursor. */
function refuseWithCursor({ cursor, page, sort, grouped }: z.output<typeof IssueListQuery>): Refusal | null {
  if (cursor === undefined) return null
  const errors = Object.entries({ page: page > 0, sort: sort.length > 0, grouped }).flatMap(([path, isSet]): FieldError[] =>
    isSet ? [{ path, code: 'unknown-field', params: {} }] : [],
  )
  if (errors.length === 0) return null
  return refuse('validation-failed', { errors, detail: 'A cursor pages by id: leave out page, sort and grouped.' })
}

const toSeverityCounts = ([critical = 0, serious = 0, moderate = 0, minor = 0, needsReview = 0]: readonly number[]) => ({
  critical,
  serious,
  moderate,
  minor,
  needsReview,
})

export async function listVisibleGroups(deps: IssueDeps, caller: Caller, query: z.output<typeof IssueGroupQuery>) {
  const refusal = refuseGuestFilters(caller, query)
  if (refusal) return refusal
  const runsToShow = runsInView(visibleScans(caller), query)
  const [{ rows: groupRows, total: totalGroups }, { bySeverity: countsBySeverity, totalIssues }] = await Promise.all([
    listIssueGroups(deps, runsToShow, query),
    countIssues(deps, runsToShow, query),
  ])
  const groupReplies = groupRows.map(({ severity, ...row }) => ({ ...row, severity: severities[severity]! }))
  return { ...buildPageReply(groupReplies, totalGroups, query), severities: toSeverityCounts(countsBySeverity), totalIssues }
}

export async function getIssue(deps: IssueDeps, caller: Caller, issueId: string, runNumber?: number) {
  const issueRow = await findIssue(deps, issueId, runNumber)
  if (!issueRow) return refuse('not-found')
  const issueDetail = await buildIssueDetail(deps, issueRow)
  return caller.guestOf === undefined ? issueDetail : toGuestView(issueDetail)
}

export async function getIssueHistory(deps: IssueDeps, issueId: string) {
  const historyRows = await listHistory(deps, issueId)
  return {
    content: historyRows.map((row) => ({
      runNumber: row.number,
      endedAt: row.ended_at?.toISOString() ?? null,
      change: changes[row.change]!,
      severity: severities[row.severity]!,
    })),
  }
}

export async function getIssuePicture(deps: PictureDeps, issueId: string, runNumber?: number) {
  const issueRow = await findIssue(deps, issueId, runNumber)
  return readPicture(deps, issueRow?.picture)
}

type RunsQuery = z.output<typeof RunsInViewQuery>

const canManageScan = ({ role }: Subject) => hasPermission(role, 'scan.manage')

const toCommentReply = (commentRow: CommentRow, caller: Caller, subject: Subject) => ({
  id: commentRow.id,
  text: commentRow.text,
  mentions: commentRow.mentions,
  author: { id: commentRow.author_id, name: commentRow.author },
  canDelete: commentRow.author_id === caller.id || canManageScan(subject),
  canEdit: commentRow.author_id === caller.id,
  createdAt: commentRow.created_at.toISOString(),
  editedAt: commentRow.edited_at?.toISOString() ?? null,
})

export async function listIssueComments(deps: IssueDeps, callContext: { caller: Caller; subject: Subject }, issueId: string) {
  const commentRows = await listComments(deps, issueId)
  return { content: commentRows.map((row) => toCommentReply(row, callContext.caller, callContext.subject)) }
}

/** Maximum number of people notified by one comment; further mentions are shown without a notification. */
const maxNotified = 20

/** Notifies mentioned people who discuss the scan, except the author: in their inbox, and by mail. */
async function notifyMentionedPeople(
  deps: CommentDeps,
  trx: MonitorDb,
  callContext: { caller: Caller; subject: Subject },
  { issueId, row, ids: mentionedIds }: { issueId: string; row: CommentRow; ids: readonly string[] },
): Promise<void> {
  const { scanId } = callContext.subject
  const notifiedIds = mentionedIds.filter((id) => id !== callContext.caller.id).slice(0, maxNotified)
  const mentionEntry = { scanId, issueId, people: notifiedIds }
  await insertEntries(trx, { ...mentionEntry, kind: 'mentioned', actorId: callContext.caller.id, commentId: row.id })
  const authoredComment = { ...row, author: row.author ?? hideAddress(callContext.caller.username) }
  await queueMentionMails(deps, trx, { ...mentionEntry, comment: authoredComment })
}

export async function addComment(
  deps: CommentDeps,
  callContext: { caller: Caller; subject: Subject },
  issueId: string,
  text: string,
) {
  return inTransaction(deps.db, async (trx) => {
    const mentionedIds = await filterDiscussants(trx, callContext.subject.scanId, listMentionedIds(text))
    const commentRow = await insertComment(
      { db: trx },
      { issueId, authorId: callContext.caller.id, text, mentions: mentionedIds },
    )
    if (!commentRow) return refuse('not-found')
    await notifyMentionedPeople(deps, trx, callContext, { issueId, row: commentRow, ids: mentionedIds })
    return toCommentReply(commentRow, callContext.caller, callContext.subject)
  })
}

/** Changes the text of the caller's own comment; other users may not. People mentioned before are not notified again. */
export async function editComment(
  deps: CommentDeps,
  callContext: { caller: Caller; subject: Subject },
  issueId: string,
  change: { id: string; text: string },
) {
  return inTransaction(deps.db, async (trx) => {
    const ownComment = { issueId, id: change.id, authorId: callContext.caller.id }
    const previousMentions = await readMentions({ db: trx }, ownComment)
    if (!previousMentions) return refuse('not-found')
    const mentionedIds = listMentionedIds(change.text)
    const keptMentions = mentionedIds.filter((id) => previousMentions.includes(id))
    const addedMentions = await filterDiscussants(
      trx,
      callContext.subject.scanId,
      mentionedIds.filter((id) => !previousMentions.includes(id)),
    )
    const allMentions = [...keptMentions, ...addedMentions]
    const commentRow = (await updateComment({ db: trx }, { ...ownComment, text: change.text, mentions: allMentions }))!
    await deleteMentions(trx, change.id, allMentions)
    await updateMentionMails(trx, commentRow)
    await notifyMentionedPeople(deps, trx, callContext, { issueId, row: commentRow, ids: addedMentions })
    return toCommentReply(commentRow, callContext.caller, callContext.subject)
  })
}

/** Deletes the caller's own comment, or any comment if the caller manages the scan. */
export async function deleteIssueComment(
  deps: IssueDeps,
  callContext: { caller: Caller; subject: Subject },
  issueId: string,
  commentId: string,
) {
  const requiredAuthorId = canManageScan(callContext.subject) ? null : callContext.caller.id
  return (await deleteComment(deps, { issueId, id: commentId, authorId: requiredAuthorId })) ? undefined : refuse('not-found')
}

export async function listVisibleRules(deps: IssueDeps, caller: Caller, query: RunsQuery & { page: number; size: number }) {
  const { rows: ruleRows, total: totalRules } = await listRulesInView(deps, runsInView(visibleScans(caller), query), query)
  return buildPageReply(ruleRows, totalRules, query)
}

export async function listVisibleTags(deps: IssueDeps, caller: Caller, query: RunsQuery) {
  const tagRows = await listTagsInView(deps, runsInView(visibleScans(caller), query), query.search)
  return { content: tagRows.map(({ tag, kind, issues }) => ({ tag, kind: kind === 'tag' ? getTagKind(tag) : kind, issues })) }
}

export const listScanUsers = async (deps: IssueDeps, scanId: string) => ({ content: await listScanPeople(deps.db, scanId) })
