import * as z from 'zod/mini'
import { GroupId, ScanId, UserId } from '../../kit/id.ts'
import { NameText } from '../../kit/name.ts'
import { pagingOrAllQuery, searchTextQuery, sortByFieldQuery } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { ScanRole, TeamRole } from '../access/schema.ts'
import { Score } from '../run/schema.ts'
import { ScoreTarget } from '../scan/goal/schema.ts'

const groupName = NameText

export const ScanGroup = z.object({
  scanGroupId: GroupId,
  scanGroupName: z.string(),
  admins: z.array(z.object({ id: z.string(), name: z.string() })),
  scanCount: Count,
  /** Names of the first scans, in alphabetical order. */
  scanNames: z._default(z.array(z.string()), []),
  teams: z.array(z.object({ teamId: z.string(), teamName: z.string(), role: ScanRole })),
  /** Mean score of the newest results of its scans; null without results. */
  score: z._default(Score, null),
  target: z._default(z.nullable(ScoreTarget), null),
  createdAt: Instant,
  /** Version of the form's data. Send it back on update: if anything has changed since, the update fails with `edit-conflict`. */
  version: Count,
})
export type ScanGroup = z.output<typeof ScanGroup>

export const GroupListQuery = z.object({
  ...pagingOrAllQuery,
  search: searchTextQuery,
  ...sortByFieldQuery(['scanGroupName', 'scanCount', 'createdAt']),
  /** Time zone in which the client displays dates. */
  timeZone: z.optional(z.string().check(z.maxLength(100))),
})

const groupPartSchemas = {
  admins: z.array(UserId.check(z.minLength(1), z.maxLength(200))).check(z.maxLength(500)),
  scans: z.array(ScanId).check(z.maxLength(10_000)),
  teams: z.array(TeamRole).check(z.maxLength(500)),
}
export const GroupBody = z.strictObject({
  scanGroupName: groupName,
  admins: z._default(groupPartSchemas.admins, []),
  scans: z._default(groupPartSchemas.scans, []),
  teams: z._default(groupPartSchemas.teams, []),
  target: z._default(z.nullable(ScoreTarget), null),
})
/** Omitted fields stay unchanged. */
export const GroupChange = z.strictObject({
  scanGroupName: z.optional(groupName),
  admins: z.optional(groupPartSchemas.admins),
  scans: z.optional(groupPartSchemas.scans),
  teams: z.optional(groupPartSchemas.teams),
  target: z.optional(z.nullable(ScoreTarget)),
  /** Omitted: overwrites concurrent changes. */
  version: z.optional(Count),
})
export type GroupChange = z.output<typeof GroupChange>

export const TeamName = z.object({ id: z.string(), name: z.string() })
