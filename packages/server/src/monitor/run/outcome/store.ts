import type { Claim, NewEntry, StateOutcome } from '@clearway/engine/frontier.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { isLostSession } from '@clearway/contract/monitor/page/model.ts'
import { type RawBuilder, sql } from 'kysely'
import { toStoredJson } from '../../../kit/stored.ts'
import { computeHash } from '../../../kit/hash.ts'
import type { MonitorDb } from '../../database.ts'
import { severities, type StoredPage } from '../../issue/model.ts'
import { computePageHealth, toHealthNumber } from '../../page/model.ts'
import { type FrontierDeps, lockFor } from '../frontier/store.ts'
import type { Objects } from '../../page/object/model.ts'
import { buildPageScore } from '../../page/table.ts'
import { insertPage, type RunPageValues, type VersionValues } from '../../page/version/table.ts'
import { entryState } from '../table.ts'

/** Stores the findings of a page in the same transaction; implemented by the issue noun. */
export type StoreFindings = (
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
  options?: {
    /** Called after the findings are matched to issues, before any is written. */
    onMatched?: () => Promise<void>
    /** The findings are all of the page, which is the default; otherwise others that the run has of it stay. */
    isWhole: boolean
  },
) => Promise<{ open: number[]; total: number }>

export type RecordDeps = FrontierDeps & {
  scanId: string
  runNumber: number
  issuesPerPage: number
  /** Days for which unchanged pages keep their findings; without it, none does. */
  reuseDays?: number
  /** Store for bytes; the database by default. */
  objects?: Pick<Objects, 'keep'>
}

/** Replaces NUL, which PostgreSQL rejects in texts and pages may contain. */
export const cleanText = <T>(value: T): T => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value) as T

type VisitedOutcome = { finalUrl?: string; httpStatus?: number | null; mimeType?: string | null }

function toVersion(claim: Pick<Claim, 'url' | 'foundOn' | 'depth'>, outcome: PageOutcome): VersionValues {
  const visitedOutcome = outcome as VisitedOutcome
  return {
    url: claim.url,
    final_url: visitedOutcome.finalUrl ?? null,
    // A script's label of a state is more specific than the document title, which several states may share.
    title: outcome.kind === 'completed' ? (outcome.stateLabel ?? outcome.title) : null,
    http_status: visitedOutcome.httpStatus ?? null,
    mime_type: visitedOutcome.mimeType ?? null,
    signed_in: outcome.kind === 'completed' ? (outcome.isProved ?? null) : null,
    driven: outcome.kind === 'completed' ? (outcome.driven ?? null) : null,
    found_on: claim.foundOn,
    depth: claim.depth,
  }
}

function toRunPage(outcome: PageOutcome) {
  const isOtherDomain = outcome.kind === 'excluded' && outcome.reason === 'other-domain'
  return {
    status: isOtherDomain ? ('otherDomainIgnored' as const) : outcome.kind,
    failure: outcome.kind === 'failed' ? outcome.reason : null,
    exclusion: outcome.kind === 'excluded' ? outcome.reason : null,
    detail: cleanText(outcome.detail ?? null),
    requests: outcome.requests ? toStoredJson(outcome.requests) : null,
    leads_to: outcome.kind === 'excluded' ? (outcome.leadsTo ?? null) : null,
    duration_ms: Math.round(outcome.durationMs),
    analysed_at: sql<Date>`now()`,
  }
}

/** Structure of a page, and what tells whether it is the same as another one. */
export const getContentColumns = (outcome: PageOutcome) => {
  const signature = outcome.kind === 'completed' ? outcome.signature : null
  const template = signature?.template ?? null
  if (!signature || signature.isSeparate) return { content_key: null, canonical: null, template }
  return { content_key: signature.content, canonical: signature.canonical ?? null, template }
}

/** Findings to store, up to the limit; the remaining ones are only counted, with a notice on the page. */
export function limitFindings(
  deps: { issuesPerPage: number },
  outcome: PageOutcome,
): { findings: Finding[]; notStored: number; notices: PageNotice[] } {
  if (outcome.kind !== 'completed') return { findings: [], notStored: 0, notices: [] }
  const notStoredCount = Math.max(0, outcome.findings.length - deps.issuesPerPage)
  return {
    findings: outcome.findings.slice(0, deps.issuesPerPage),
    notStored: notStoredCount,
    notices: notStoredCount > 0 ? [...outcome.notices, 'issue-limit-reached'] : outcome.notices,
  }
}

export type VisitedUrl = Pick<Claim, 'url' | 'foundOn' | 'depth'> & {
  keyHash: Buffer
  attempt: number
  /** Key of the page before keys had one normal form, if it was another one. */
  formerKey?: string | null
}

/** The contribution of a page to its run. `differs`: an unchanged page nevertheless had other findings. */
export type PageContribution = {
  outcome: PageOutcome
  counts: readonly number[]
  total: number
  attempt: number
  differs?: boolean
  isBehindWall?: boolean
}

type CounterIncrement = readonly [column: string, by: number]

const listIncrements = ({ outcome, counts, total, attempt, isBehindWall }: PageContribution): CounterIncrement[] => [
  ['total_issues', total],
  ['retried', attempt > 1 ? 1 : 0],
  ['unproved', isLostSession(outcome) ? 1 : 0],
  ...(outcome.kind === 'excluded' ? [] : [[outcome.kind, 1] as const]),
  ...(outcome.kind === 'completed'
    ? ([
        ...(outcome.health === null ? [] : [[`health_${outcome.health}`, 1] as const]),
        ['walled', isBehindWall ? 1 : 0],
        ['proved', outcome.isProved === true ? 1 : 0],
        ['unproved', outcome.isProved === false ? 1 : 0],
        ['carried', outcome.unchanged ? 1 : 0],
        ['audited', outcome.audited ? 1 : 0],
      ] as const)
    : []),
  ...severities.map((name, index) => [name.replace(' ', '_'), counts[index] ?? 0] as const),
]

/** The run's common components with those of further pages; null for none. Pages with reused results have the previous run's. */
function buildFoundComponents(contributions: readonly PageContribution[]): RawBuilder<string[]> | null {
  const completed = contributions.flatMap(({ outcome }) => (outcome.kind === 'completed' ? [outcome] : []))
  const names = [...new Set(completed.flatMap(({ components = [] }) => components))]
  const hasReusedPage = completed.some(({ unchanged }) => unchanged)
  if (names.length === 0 && !hasReusedPage) return null
  const previousComponents = hasReusedPage
    ? sql`(select previous.components from scan join run previous on previous.id = scan.last_completed_run_id
        where scan.id = run.scan_id)`
    : sql`null::text[]`
  return sql`array(select distinct name from unnest(components || ${names}::text[] || ${previousComponents}) as name)`
}

/** Adds pages to the counters of their run under its lock, with a single update for any number of pages. */
export async function updateRunCounters(db: MonitorDb, runId: string, contributions: readonly PageContribution[]): Promise<void> {
  const incrementSums = new Map<string, number>()
  for (const [columnName, increment] of contributions.flatMap(listIncrements))
    incrementSums.set(columnName, (incrementSums.get(columnName) ?? 0) + increment)
  const buildIncremented = (columnName: string) => sql`(${sql.ref(columnName)} + ${incrementSums.get(columnName) ?? 0}::int)`
  const assignments = [...incrementSums].flatMap(([columnName, increment]) =>
    increment === 0 ? [] : [sql`${sql.ref(columnName)} = ${buildIncremented(columnName)}`],
  )
  const foundComponents = buildFoundComponents(contributions)
  if (foundComponents) assignments.push(sql`components = ${foundComponents}`)
  const finishedCount = (incrementSums.get('completed') ?? 0) + (incrementSums.get('failed') ?? 0)
  // The next count of the run adds URLs that were found since the last one. It may be minutes away.
  if (finishedCount > 0) assignments.push(sql`not_reached = greatest(0, not_reached - ${finishedCount}::int)`)
  const scoreColumn = buildPageScore({
    critical: buildIncremented('health_critical'),
    serious: buildIncremented('health_serious'),
    moderate: buildIncremented('health_moderate'),
    good: buildIncremented('health_good'),
  })
  await sql`with turn as materialized (select ${lockFor(runId)})
    update run set ${sql.join([sql`served_at = now()`, sql`score = ${scoreColumn}`, ...assignments])} from turn where run.id = ${runId}`.execute(
    db,
  )
}

/** Stores the row of a page. `row` and `version` are what depends on its findings, or comes from its previous version. */
export async function insertPageRow(
  db: MonitorDb,
  page: StoredPage,
  visitedUrl: VisitedUrl,
  outcome: PageOutcome,
  openCounts: readonly number[],
  { row, version }: { row: Partial<RunPageValues> & { notices: PageNotice[] }; version: Partial<VersionValues> },
): Promise<void> {
  await insertPage(
    db,
    page.scanId,
    {
      ...toRunPage(outcome),
      // Ignored issues do not count, so the health may be better than in the engine's outcome.
      health: toHealthNumber(
        computePageHealth({ kind: outcome.kind, notices: row.notices, foundOn: visitedUrl.foundOn, openCounts }),
      ),
      id: page.id,
      run_id: page.runId,
      key_hash: page.keyHash,
      attempts: visitedUrl.attempt,
      critical: openCounts[0]!,
      serious: openCounts[1]!,
      moderate: openCounts[2]!,
      minor: openCounts[3]!,
      needs_review: openCounts[4]!,
      ...row,
    },
    { ...toVersion(visitedUrl, outcome), ...version },
  )
}

/**
 * Records a frontier entry for a state, so that the numbers of found and finished URLs match.
 * @returns false if the run already has the state
 */
export async function insertStateEntry(
  db: MonitorDb,
  deps: RecordDeps,
  claim: Claim,
  state: StateOutcome,
  keyHash: Buffer,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, depth, url, key, found_on, exclusion)
    values (${deps.runId}, ${keyHash}, ${entryState.done}, ${claim.wave}, 0, 0, ${claim.depth}, ${state.url}, ${state.key},
      ${claim.url}, ${state.outcome.kind === 'excluded' ? state.outcome.reason : null})
    on conflict (run_id, key_hash) do nothing`.execute(db)
  return numAffectedRows === 1n
}

/** Maximum number of links stored for one page; a page with more is an index. */
const maxStoredLinks = 2000
const maxListedReferrers = 20

/** The first eight bytes of a key's hash as a signed integer, like `bigint` in the database. */
const toLinkTarget = (hash: Buffer): string => hash.readBigInt64BE(0).toString()

/** Stores the links of a page in one row. */
export async function insertLinks(
  db: MonitorDb,
  runId: string,
  { url, keyHash }: { url: string; keyHash: Buffer },
  newEntries: readonly NewEntry[],
): Promise<void> {
  if (newEntries.length === 0) return
  const linkTargets = [...new Set(newEntries.slice(0, maxStoredLinks).map(({ key }) => toLinkTarget(computeHash(key))))]
  await sql`insert into page_link (run_id, url, key_hash, targets)
    values (${runId}, ${url}, ${keyHash}, ${linkTargets}::bigint[])`.execute(db)
}

/** Other pages of a run that link to a key, in the order of their visits: the first twenty, and the total count. */
export async function findReferrers(
  { db }: { db: MonitorDb },
  runId: string,
  keyHash: Buffer,
): Promise<{ first: string[]; pages: (string | null)[]; count: number }> {
  const { rows: referrerRows } = await sql<{ url: string; page: string | null; count: number }>`
    select top.url, top.count, p.id as page
    from (select id, url, key_hash, count(*) over ()::int as count from page_link
      where run_id = ${runId} and targets @> array[${toLinkTarget(keyHash)}::bigint]
        and key_hash is distinct from ${keyHash}
      order by id limit ${maxListedReferrers}) top
    left join page p on p.run_id = ${runId} and p.key_hash = top.key_hash
    order by top.id`.execute(db)
  return {
    first: referrerRows.map(({ url }) => url),
    pages: referrerRows.map(({ page }) => page),
    count: referrerRows[0]?.count ?? 0,
  }
}
