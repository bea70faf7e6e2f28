import { maxChangingRequests, type SentRequests } from '@clearway/contract/monitor/page/request/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { SignInWay } from '@clearway/contract/monitor/session/schema.ts'
import type * as z from 'zod/mini'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { type RunRow, runStatus } from '../table.ts'
import type { DrivenCounts, DriveLevel } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { ViolationQuery } from '@clearway/contract/monitor/run/schema.ts'
import { buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import { isOpen, isPresent, storedLiterals } from '../../issue/table.ts'
import { buildWorstScore } from '../../page/table.ts'
import { buildSignInWays } from '../../session/table.ts'
import { buildPersonName } from '../../access/table.ts'

type DatabaseDeps = { db: MonitorDb }

const fontNotice: PageNotice = 'embedded-browser-fonts'

type ExtraMetrics = {
  ownerName: string | null
  hasLimitedFonts: boolean
  signIn: SignInWay[]
  commonIssues: { onPages: number; once: number } | null
}

/** Open issues of a run inside common components: on all pages, and once for each component. */
const countCommonIssues = (run: Pick<RunRow, 'id' | 'scan_id'>) => sql`(
  select jsonb_build_object('onPages', count(*), 'once', count(distinct (i.component, f.group_id)))
  from issue i join finding f on f.run_id = ${run.id} and f.issue_id = i.id
  where i.scan_id = ${run.scan_id} and i.component is not null and ${isOpen('f')} and f.severity < ${storedLiterals.severity.review})`

/**
 * Additional data of the run overview, in one statement: the owner's name (null for a deleted account), the sign-in, and
 * whether the browser had few fonts. Each page that our browser opened has that notice, so checking a hundred is enough.
 */
export async function readExtraMetrics({ db }: DatabaseDeps, run: Pick<RunRow, 'id' | 'scan_id' | 'components'>) {
  const { rows: metricRows } = await sql<ExtraMetrics>`
    select (select ${buildPersonName('p')} from scan join person p on p.id = scan.owner_id where scan.id = ${run.scan_id}) as "ownerName",
      exists (select from (select notices from page where run_id = ${run.id} and status = 'completed' and source = 'automated'
          and mime_type is distinct from 'application/pdf' limit 100) tested
        where ${fontNotice} = any(notices)) as "hasLimitedFonts",
      (select ${buildSignInWays('plan.settings')} from run_plan plan where plan.run_id = ${run.id}) as "signIn",
      ${run.components === null || run.components.length === 0 ? sql`null` : countCommonIssues(run)} as "commonIssues"`.execute(
    db,
  )
  return metricRows[0]!
}

/** The last `count` completed runs up to a number, oldest first, each with the hash of its rule set. */
export async function readTrend({ db }: DatabaseDeps, scanId: string, maxNumber: number, maxRuns: number) {
  const { rows: runRows } = await sql<RunRow & { rule_set_hash: string; change: unknown }>`
    select * from (
      select run.*, plan.rule_set_hash, plan.change from run join run_plan plan on plan.run_id = run.id
      where scan_id = ${scanId} and number <= ${maxNumber}::int and status in ${runStatus.withResults}
      order by number desc limit ${maxRuns}) last order by number`.execute(db)
  return runRows
}

export async function countByStatus({ db }: DatabaseDeps, runId: string) {
  const { rows: statusRows } = await sql<{ open: number; fixed: number; ignored: number }>`
    select count(*) filter (where ${isOpen()}) as open, count(*) filter (where status = ${storedLiterals.status.fixed}) as fixed,
      count(*) filter (where status = ${storedLiterals.status.ignored} and ${isPresent()}) as ignored
    from finding where run_id = ${runId}`.execute(db)
  return statusRows[0]!
}

export async function countByReason({ db }: DatabaseDeps, runId: string, column: 'failure' | 'exclusion') {
  const columnRef = sql.ref(column)
  const { rows: reasonRows } = await sql<{ reason: string; pages: number }>`
    select ${columnRef} as reason, count(*) as pages from page where run_id = ${runId} and ${columnRef} is not null
    group by 1 order by 2 desc, 1`.execute(db)
  return reasonRows
}

export async function countDriven({ db }: DatabaseDeps, runId: string): Promise<DrivenCounts> {
  const countLevel = (level: DriveLevel) => sql`count(*) filter (where driven ->> 'level' = ${level})::int`
  const { rows: countRows } = await sql<DrivenCounts>`
    select ${countLevel('page')} as page, ${countLevel('narrow')} as narrow, ${countLevel('full')} as "full",
      count(*) filter (where (driven ->> 'isPartial')::boolean)::int as "inPart"
    from page where run_id = ${runId} and driven is not null`.execute(db)
  return countRows[0]!
}

/** Requests that the pages of a run sent; the addresses with the most requests first. */
export async function sumRequests({ db }: DatabaseDeps, runId: string): Promise<SentRequests> {
  const { rows: sumRows } = await sql<SentRequests>`
    with sent as materialized (select requests from page where run_id = ${runId} and requests is not null)
    select coalesce((select jsonb_agg(t) from (
        select m->>'method' as method, sum((m->>'count')::bigint)::bigint as count
        from sent, jsonb_array_elements(requests->'byMethod') m group by 1 order by 2 desc) t), '[]') as "byMethod",
      coalesce((select jsonb_agg(t) from (
        select c->>'method' as method, c->>'address' as address, sum((c->>'count')::bigint)::bigint as count,
          sum((c->>'held')::bigint)::bigint as held
        from sent, jsonb_array_elements(requests->'changing') c group by 1, 2 order by 3 desc, 2
        limit ${sql.lit(maxChangingRequests)}) t), '[]') as changing`.execute(db)
  return sumRows[0]!
}

export type ViolationRow = {
  rule: string
  impact: number | null
  help: string
  helpUrl: string
  tags: string[]
  issues: number
  needsReview: number
  pages: number
  scoreGain: number
}

/** Rules that fail in a run. A rule gains score only where it alone determines a page's health, up to the next worst issue. */
export async function listViolations(
  { db }: DatabaseDeps,
  runId: string,
  scoredPages: number,
  query: z.output<typeof ViolationQuery>,
) {
  const sortColumns = {
    scoreGain: sql`"scoreGain"`,
    issues: sql`issues`,
    pages: sql`pages`,
    impact: sql`impact`,
    rule: sql`rule`,
  }
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`"scoreGain" desc, issues desc, "needsReview" desc`, sql`rule`)
  const { rows: violationRows } = await sql<ViolationRow & { count: number }>`
    with present as (
      select f.page_key, rule.name, f.rule_id, f.severity, f.impact from finding f join rule on rule.id = f.rule_id
      where f.run_id = ${runId} and ${isOpen('f')}),
    worst as (
      select page_key, name, min(severity) as severity from present where severity <= ${storedLiterals.severity.moderate}
        and page_key in (select key_hash from page where run_id = ${runId} and health is not null) group by page_key, name),
    ranked as (
      select page_key, name, severity,
        row_number() over (partition by page_key order by severity, name) as place,
        lead(severity) over (partition by page_key order by severity, name) as next from worst),
    gain as (
      select name, sum(${buildWorstScore(sql`next`)} - ${buildWorstScore(sql`severity`)}) as gain from ranked where place = 1 group by name),
    rules as (
      select name, min(rule_id) as rule_id, min(impact) as impact, count(*) filter (where severity < ${storedLiterals.severity.review}) as issues,
        count(*) filter (where severity = ${storedLiterals.severity.review}) as "needsReview", count(distinct page_key) filter (where severity < ${storedLiterals.severity.review}) as pages
      from present group by name),
    answer as (
      select r.name as rule, r.impact, rule.help, rule.help_url as "helpUrl", rule.tags, r.issues, r."needsReview", r.pages,
        round(coalesce(gain.gain, 0) / greatest(${scoredPages}::int, 1), 4) as "scoreGain"
      from rules r join rule on rule.id = r.rule_id left join gain on gain.name = r.name)
    select *, count(*) over () as count from answer where ${query.withIssues ? sql`issues > 0` : sql`true`} ${orderClause} ${buildLimitClause(query)}`.execute(
    db,
  )
  return { rows: violationRows, total: violationRows[0]?.count ?? 0 }
}

export async function listViolationPages(
  { db }: DatabaseDeps,
  runId: string,
  rule: string,
  query: { page: number; size: number },
) {
  type ViolationPageRow = { pageId: string; url: string; title: string | null; issues: number; count: number }
  const { rows: pageRows } = await sql<ViolationPageRow>`
    select p.id as "pageId", p.url, p.title, count(*) as issues, count(*) over () as count
    from finding f join rule on rule.id = f.rule_id join page p on p.id = f.page_id
    where f.run_id = ${runId} and rule.name = ${rule} and ${isOpen('f')}
    group by p.id, p.url, p.title order by issues desc, p.url, p.id ${buildLimitClause(query)}`.execute(db)
  return { rows: pageRows.map(({ count: _count, ...pageRow }) => pageRow), total: pageRows[0]?.count ?? 0 }
}
