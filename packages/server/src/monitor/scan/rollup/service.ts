import { isTimeZone } from '@clearway/contract/monitor/schedule/model.ts'
import type { RollupChangesQuery, RollupFaultQuery, RollupTrendQuery } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import type * as z from 'zod/mini'
import { type Caller, refuse } from '../../../kit/http/answer.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import { visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { severities } from '../../issue/model.ts'
import { readChanges, type ChangeKey, type ChangeRow, readFaults, readGroups, type RollupScope, readTrend } from './store.ts'

type RollupDeps = { db: MonitorDb }
const maxShownScans = 500

export async function getTrend(deps: RollupDeps, caller: Caller, query: z.output<typeof RollupTrendQuery>) {
  if (!isTimeZone(query.timeZone))
    return refuse('validation-failed', {
      errors: [{ path: 'timeZone', code: 'unknown-value', params: { value: query.timeZone } }],
    })
  const trendRows = await readTrend(deps.db, visibleScans(caller), query)
  const trendPoints = trendRows.map(
    ({ from, scans, score, pages, critical, serious, moderate, minor, needs_review, ignored, decided }) => ({
      from: from.toISOString(),
      scans,
      score,
      scoreByDecisions: decided,
      pages,
      openIssues: { critical, serious, moderate, minor, needsReview: needs_review },
      ignoredIssues: ignored,
    }),
  )
  return { points: trendPoints }
}

export async function getRules(deps: RollupDeps, caller: Caller, query: z.output<typeof RollupFaultQuery>) {
  const { rows: faultRows, total: totalFaults } = await readFaults(deps.db, visibleScans(caller), query, 'rule')
  const ruleReplies = faultRows.map(({ rule, help, severity, issues, pages, scans }) => ({
    rule,
    help,
    severity: severities[severity]!,
    issues,
    pages,
    scans,
  }))
  return buildPageReply(ruleReplies, totalFaults, query)
}

export async function getTemplates(deps: RollupDeps, caller: Caller, query: z.output<typeof RollupFaultQuery>) {
  const { rows: faultRows, total: totalFaults } = await readFaults(deps.db, visibleScans(caller), query, 'template')
  const templateReplies = faultRows.map(({ rule, help, severity, issues, pages, scans, selector, issueId }) => ({
    rule,
    help,
    severity: severities[severity]!,
    issues,
    pages,
    scans,
    selector,
    issueId,
  }))
  return buildPageReply(templateReplies, totalFaults, query)
}

const sumChanges = (changeRows: readonly ChangeRow[]): Record<ChangeKey, number> => {
  const sumColumn = (changeKey: ChangeKey) => changeRows.reduce((sum, row) => sum + row[changeKey], 0)
  return {
    new: sumColumn('new'),
    newCritical: sumColumn('newCritical'),
    back: sumColumn('back'),
    fixed: sumColumn('fixed'),
    issuesGone: sumColumn('issuesGone'),
    notRechecked: sumColumn('notRechecked'),
    ignored: sumColumn('ignored'),
    newlyIgnored: sumColumn('newlyIgnored'),
  }
}

export async function getChanges(deps: RollupDeps, caller: Caller, query: z.output<typeof RollupChangesQuery>) {
  const sinceDate = new Date(Date.now() - query.days * 86_400_000)
  const changeRows = await readChanges(deps.db, visibleScans(caller), query, sinceDate)
  return {
    since: sinceDate.toISOString(),
    total: sumChanges(changeRows),
    scans: changeRows.slice(0, maxShownScans),
  }
}

export const getGroups = async (deps: RollupDeps, caller: Caller, query: RollupScope) => ({
  content: await readGroups(deps.db, visibleScans(caller), query),
})
