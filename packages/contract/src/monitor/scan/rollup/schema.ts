import * as z from 'zod/mini'
import { GroupId, IssueId, ScanId } from '../../../kit/id.ts'
import { paging, queryInt, queryLists, sortBy } from '../../../kit/paging.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { ImpactCounts, Severity } from '../../ruleset/schema.ts'
import { Score } from '../../run/schema.ts'

/** Which scans are summed up: of those that one may see these and those in these groups, or all when none is named. */
const scope = queryLists({ scanId: ScanId, groupId: GroupId })

export const RollupTrendQuery = z.object({
  ...scope,
  /** Days back from now. */
  days: z._default(z.optional(queryInt(1, 366)), 90),
  by: z._default(z.optional(z.enum(['day', 'week'])), 'week'),
  /** In which days and weeks begin: an IANA name. */
  timeZone: z._default(z.optional(z.string().check(z.maxLength(100))), 'UTC'),
})

/** How the scans stood at the end of a day or week: each by its newest completed run until then. */
export const RollupPoint = z.object({
  /** When the day or week begins. */
  from: Instant,
  /** Scans that had a completed run by then. */
  scans: Count,
  /** Mean of their scores. */
  score: Score,
  pages: Count,
  openIssues: ImpactCounts,
})
export const RollupTrend = z.object({ points: z.array(RollupPoint) })

export const RollupFaultQuery = z.object({
  ...paging,
  ...scope,
  sort: sortBy(['issues', 'pages', 'scans', 'severity', 'rule']),
})

const fault = {
  rule: z.string(),
  help: z.string(),
  severity: Severity,
  /** Open ones, in the newest completed run of each scan. */
  issues: Count,
  pages: Count,
  scans: Count,
}
/** A rule over all scans. */
export const RollupRule = z.object(fault)
/** The same element pattern failing the same rule: the fault of a template, whichever scans show it. */
export const RollupTemplate = z.object({
  ...fault,
  selector: z.string(),
  /** One of them, to open. */
  issueId: IssueId,
})

export const RollupChangesQuery = z.object({ ...scope, days: z._default(z.optional(queryInt(1, 366)), 7) })

const changes = { new: Count, newCritical: Count, fixed: Count, back: Count }
/** What the completed runs of the last days said against the ones before. */
export const RollupChanges = z.object({
  since: Instant,
  total: z.object(changes),
  /** Scans with such runs, the most new issues first, five hundred at most. */
  scans: z.array(
    z.object({
      scanId: ScanId,
      scanName: z.string(),
      runs: Count,
      /** Those of them that had a run before to compare with. */
      compared: Count,
      ...changes,
    }),
  ),
})

export const RollupGroupsQuery = z.object(scope)
/** How the scans of a group do, by their newest completed runs. */
export const RollupGroup = z.object({
  groupId: GroupId,
  name: z.string(),
  /** Those that the caller may see. */
  scans: Count,
  /** Mean of their scores. */
  score: Score,
  /** Open critical issues. */
  critical: Count,
})
