import * as z from 'zod/mini'
import { GroupId, IssueId, ScanId } from '../../../kit/id.ts'
import { pagingQuery, queryInteger, queryLists, sortQuery } from '../../../kit/paging.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { ImpactCounts, Severity } from '../../ruleset/schema.ts'
import { ChangeCounts, Score } from '../../run/schema.ts'

/** Summarized scans: the visible ones among these and those in these groups, or all visible ones if none is given. */
const rollupScopeFields = queryLists({ scanId: ScanId, groupId: GroupId })

export const RollupTrendQuery = z.object({
  ...rollupScopeFields,
  days: z._default(z.optional(queryInteger(1, 366)), 90),
  by: z._default(z.optional(z.enum(['day', 'week'])), 'week'),
  /** Time zone of days and weeks: an IANA name. */
  timeZone: z._default(z.optional(z.string().check(z.maxLength(100))), 'UTC'),
})

/** State of the scans at the end of a day or week: by their newest completed runs until then. */
export const RollupPoint = z.object({
  from: Instant,
  /** Scans with a completed run by then. */
  scans: Count,
  /** Mean of their scores. */
  score: Score,
  /** Part of the change of this score on that day or week that decisions caused, such as ignored issues. */
  scoreByDecisions: z.number(),
  pages: Count,
  openIssues: ImpactCounts,
  ignoredIssues: Count,
})
export const RollupTrend = z.object({ points: z.array(RollupPoint) })

export const RollupFaultQuery = z.object({
  ...pagingQuery,
  ...rollupScopeFields,
  sort: sortQuery(['issues', 'pages', 'scans', 'severity', 'rule']),
})

const rollupFaultFields = {
  rule: z.string(),
  help: z.string(),
  severity: Severity,
  /** Open issues in the newest completed run of each scan. */
  issues: Count,
  pages: Count,
  scans: Count,
}
export const RollupRule = z.object(rollupFaultFields)
/** The same element pattern violating the same rule: a fault of a template, regardless of the scan. */
export const RollupTemplate = z.object({
  ...rollupFaultFields,
  selector: z.string(),
  /** One of the issues, as a link target. */
  issueId: IssueId,
})

export const RollupChangesQuery = z.object({ ...rollupScopeFields, days: z._default(z.optional(queryInteger(1, 366)), 7) })

const changeFields = {
  ...ChangeCounts.shape,
  newCritical: Count,
  /** Issues that these runs ignore and their previous runs did not. */
  newlyIgnored: z._default(Count, 0),
}
/** Changes in the completed runs of the last days against previous runs. Untested and ignored issues are those of the newest. */
export const RollupChanges = z.object({
  since: Instant,
  total: z.object(changeFields),
  /** Scans with such runs, most new issues first, at most five hundred. */
  scans: z.array(
    z.object({
      scanId: ScanId,
      scanName: z.string(),
      /** Score of the newest of these runs. */
      score: Score,
      runs: Count,
      /** Number of these runs with a previous run to compare with. */
      compared: Count,
      ...changeFields,
    }),
  ),
})

export const RollupGroupsQuery = z.object(rollupScopeFields)
/** State of a group's scans by their newest completed runs. */
export const RollupGroup = z.object({
  groupId: GroupId,
  name: z.string(),
  /** Number of scans visible to the caller. */
  scans: Count,
  /** Mean of their scores. */
  score: Score,
  critical: Count,
})
