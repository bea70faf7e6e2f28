import { isTimeZone } from '@clearway/contract/monitor/schedule/model.ts'
import type {
  RollupChangesQuery,
  RollupFaultQuery,
  RollupTrendQuery,
} from '@clearway/contract/monitor/scan/rollup/schema.ts'
import type * as z from 'zod/mini'
import { type Caller, refuse } from '../../../kit/http/answer.ts'
import { pageReply } from '../../../kit/paging.ts'
import { visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { severities } from '../../issue/model.ts'
import { changesOfAll, type ChangeRow, faultsOfAll, groupsOfAll, type Scope, trendOfAll } from './store.ts'

type Deps = { db: MonitorDb }
const shownScans = 500

/** How the scans that somebody may see stood over time. */
export async function trendFor(deps: Deps, caller: Caller, query: z.output<typeof RollupTrendQuery>) {
  if (!isTimeZone(query.timeZone))
    return refuse('validation-failed', {
      errors: [{ path: 'timeZone', code: 'unknown-value', params: { value: query.timeZone } }],
    })
  const rows = await trendOfAll(deps.db, visibleScans(caller), query)
  const points = rows.map(
    ({ from, scans, score, pages, critical, serious, moderate, minor, needs_review }) => ({
      from: from.toISOString(),
      scans,
      score,
      pages,
      openIssues: { critical, serious, moderate, minor, needsReview: needs_review },
    }),
  )
  return { points }
}

/** Rules over all scans, the most frequent first. */
export async function rulesFor(deps: Deps, caller: Caller, query: z.output<typeof RollupFaultQuery>) {
  const { rows, total } = await faultsOfAll(deps.db, visibleScans(caller), query, 'rule')
  const content = rows.map(({ rule, help, severity, issues, pages, scans }) => ({
    rule,
    help,
    severity: severities[severity]!,
    issues,
    pages,
    scans,
  }))
  return pageReply(content, total, query)
}

/** Faults of templates over all scans. */
export async function templatesFor(deps: Deps, caller: Caller, query: z.output<typeof RollupFaultQuery>) {
  const { rows, total } = await faultsOfAll(deps.db, visibleScans(caller), query, 'template')
  const content = rows.map(({ rule, help, severity, issues, pages, scans, selector, issueId }) => ({
    rule,
    help,
    severity: severities[severity]!,
    issues,
    pages,
    scans,
    selector,
    issueId,
  }))
  return pageReply(content, total, query)
}

const keys = ['new', 'newCritical', 'fixed', 'back'] as const
const sumOf = (rows: readonly ChangeRow[], key: (typeof keys)[number]) =>
  rows.reduce((sum, row) => sum + row[key], 0)

/** What the runs of the last days changed. */
export async function changesFor(deps: Deps, caller: Caller, query: z.output<typeof RollupChangesQuery>) {
  const since = new Date(Date.now() - query.days * 86_400_000)
  const rows = await changesOfAll(deps.db, visibleScans(caller), query, since)
  return {
    since: since.toISOString(),
    total: {
      new: sumOf(rows, 'new'),
      newCritical: sumOf(rows, 'newCritical'),
      fixed: sumOf(rows, 'fixed'),
      back: sumOf(rows, 'back'),
    },
    scans: rows.slice(0, shownScans),
  }
}

/** How the groups of the scans do. */
export const groupsFor = async (deps: Deps, caller: Caller, query: Scope) => ({
  content: await groupsOfAll(deps.db, visibleScans(caller), query),
})
