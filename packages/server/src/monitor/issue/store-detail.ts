import { sql } from 'kysely'
import { type IgnoreScope, longestHistory } from '@clearway/contract/monitor/issue/schema.ts'
import type { MonitorDb } from '../database.ts'
import { detailJoins, details, type IssueRow } from './store.ts'

type Db = { db: MonitorDb }

export type IssueFull = IssueRow & {
  description: string
  help_url: string
  tags: string[]
  target: (string | string[])[]
  html: string
  fix: { any: string[]; all: string[]; none: string[] }
  page_title: string | null
  picture: Buffer | null
  picture_box: number[] | null
  first_run: number
  last_run: number
  fixed_in_run: number | null
  version: number
  group_id: string
  matched_by: 'key' | 'alike' | 'moved' | 'group'
  remediation: string | null
  ignore: {
    id: string
    scope: IgnoreScope
    reason: string
    authorId: string
    author: string | null
    createdAt: string
  } | null
}

const ignoreOf = sql`(select jsonb_build_object('id', n.id, 'scope', n.scope, 'reason', n.reason, 'authorId', n.author_id,
    'author', coalesce(nullif(trim(q.first_name || ' ' || q.last_name), ''), q.username), 'createdAt', n.created_at)
  from issue_ignore n left join person q on q.id = n.author_id where n.id = i.ignore_id)`

/** One issue as a run saw it: that of the number, else the newest that has a row of it. */
export async function findIssue(
  { db }: Db,
  id: string,
  runNumber: number | undefined,
): Promise<IssueFull | null> {
  const which = runNumber === undefined ? sql`true` : sql`run.number = ${runNumber}::int`
  const { rows } = await sql<IssueFull>`
    select ${details}, rule.description, rule.help_url, rule.tags, e.target, e.html, e.fix, p.title as page_title,
      f.picture, f.picture_box, i.first_run, i.last_run, i.fixed_in_run, i.version, f.group_id,
      i.matched_by, i.remediation, ${ignoreOf} as ignore
    from (select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name
          from finding one join run on run.id = one.run_id join scan s on s.id = run.scan_id
          where one.issue_id = ${id} and ${which} order by run.number desc limit 1) r
    join finding f on f.run_id = r.run_id and f.issue_id = ${id} join rule on rule.id = f.rule_id ${detailJoins}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Other pages of the same run with the same element and rule, fifty at most. */
export async function otherPages({ db }: Db, issue: { runId: string; groupId: string; id: string }) {
  const { rows } = await sql<{ issueId: string; pageId: string; url: string }>`
    select f.issue_id as "issueId", f.page_id as "pageId", p.url from finding f join page p on p.id = f.page_id
    where f.run_id = ${issue.runId} and f.group_id = ${issue.groupId} and f.issue_id <> ${issue.id} and f.change <= 2
    order by p.url, f.issue_id limit 50`.execute(db)
  return rows
}

export type MomentRow = { number: number; ended_at: Date | null; change: number; severity: number }

/** What each run saw of an issue, newest first. */
export async function momentsOf({ db }: Db, id: string): Promise<MomentRow[]> {
  const { rows } = await sql<MomentRow>`
    select run.number, run.ended_at, f.change, f.severity from finding f join run on run.id = f.run_id
    where f.issue_id = ${id} order by run.number desc limit ${longestHistory}`.execute(db)
  return rows
}
