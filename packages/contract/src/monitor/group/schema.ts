import * as z from 'zod/mini'
import { GroupId, ScanId, UserId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { pagingOrAll, searchText, sortedBy } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'
import { ScanRole, TeamRole } from '../access/schema.ts'

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(defaultLimits.nameLength))

export const ScanGroup = z.object({
  scanGroupId: GroupId,
  scanGroupName: z.string(),
  admins: z.array(z.object({ id: z.string(), name: z.string() })),
  scanCount: Count,
  teams: z.array(z.object({ teamId: z.string(), teamName: z.string(), role: ScanRole })),
  createdAt: Instant,
  /** Of what a form is filled in from. Send it back on update: a change of anything meanwhile is refused as `edit-conflict`. */
  version: Count,
})
export type ScanGroup = z.output<typeof ScanGroup>

export const GroupListQuery = z.object({
  ...pagingOrAll,
  search: searchText,
  ...sortedBy(['scanGroupName', 'scanCount', 'createdAt']),
  /** The zone in which the client shows dates. */
  timeZone: z.optional(z.string().check(z.maxLength(100))),
})

const parts = {
  admins: z.array(UserId.check(z.minLength(1), z.maxLength(200))).check(z.maxLength(500)),
  scans: z.array(ScanId).check(z.maxLength(10_000)),
  teams: z.array(TeamRole).check(z.maxLength(500)),
}
export const GroupBody = z.strictObject({
  scanGroupName: name,
  admins: z._default(parts.admins, []),
  scans: z._default(parts.scans, []),
  teams: z._default(parts.teams, []),
})
/** What is left out stays as it is. */
export const GroupChange = z.strictObject({
  scanGroupName: z.optional(name),
  admins: z.optional(parts.admins),
  scans: z.optional(parts.scans),
  teams: z.optional(parts.teams),
  /** Left out: whatever somebody else changed meanwhile is written over. */
  version: z.optional(Count),
})
export type GroupChange = z.output<typeof GroupChange>

export const TeamName = z.object({ id: z.string(), name: z.string() })
