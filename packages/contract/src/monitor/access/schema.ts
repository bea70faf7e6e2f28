import * as z from 'zod/mini'
import { GroupId, ScanId, TeamId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { pagingQuery, queryList, searchTextQuery, sortQuery } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'

export const ScanRole = z.enum(['scanAdmin', 'scanMember', 'scanViewer'])
/** Role names as used in CSV files. */
export const scanRoleNames = {
  scanAdmin: 'Scan Admin',
  scanMember: 'Scan Member',
  scanViewer: 'Scan Viewer',
} as const satisfies Record<z.output<typeof ScanRole>, string>

/** Role of a team on the scan or group of the context. */
export const TeamRole = z.strictObject({ teamId: TeamId, role: ScanRole })

export const ScanAccess = z.object({
  teams: z.array(z.object({ teamId: z.string(), teamName: z.string(), role: ScanRole })),
  groups: z.array(
    z.object({
      scanGroupId: GroupId,
      scanGroupName: z.string(),
      teams: z.array(z.object({ teamId: z.string(), teamName: z.string(), role: ScanRole })),
    }),
  ),
  /** People with a personal role: the creator. */
  people: z.array(z.object({ id: z.string(), name: z.string(), role: ScanRole })),
  /**
   * Version of the teams and groups. Send it back on update: if they have changed since, the update fails with `edit-conflict`.
   */
  version: Count,
})

export const ScanAccessBody = z.strictObject({
  teams: z.array(TeamRole).check(z.maxLength(500)),
  /** Omitted: unchanged. */
  groups: z.optional(z.array(GroupId).check(z.maxLength(500))),
  /** Omitted: overwrites concurrent changes. */
  version: z.optional(Count),
})

export const TeamAccess = z.object({
  teamId: z.string(),
  teamName: z.string(),
  role: ScanRole,
  scan: z.nullable(z.object({ id: ScanId, name: z.string() })),
  scanGroup: z.nullable(z.object({ id: GroupId, name: z.string() })),
})

export const TeamAccessQuery = z.object({
  ...pagingQuery,
  search: searchTextQuery,
  teamId: queryList(TeamId),
  scanId: z.optional(ScanId),
  scanGroupId: z.optional(GroupId),
  sort: sortQuery(['team', 'target', 'role']),
})

/** One change: a team gets a role on a scan or a group, or, with `role: null`, loses it. */
export const Assignment = z.strictObject({
  teamId: TeamId,
  scanId: z.optional(ScanId),
  scanGroupId: z.optional(GroupId),
  role: z.nullable(ScanRole),
})
export const AssignmentsBody = z.strictObject({
  assignments: z.array(Assignment).check(z.minLength(1), z.maxLength(defaultLimits.importRows)),
  /** Returns the changes without applying them. */
  check: z._default(z.boolean(), false),
  /** Omitted: overwrites concurrent changes. */
  version: z.optional(Count),
})
export const AssignmentsReply = z.object({
  applied: Count,
  /** Previous roles, in the order of the assignments. */
  before: z.array(z.nullable(ScanRole)),
  /** Version of these roles. Sent back with the same assignments, the call fails with `edit-conflict` if they have changed. */
  version: Count,
})

/** A CSV file with the columns team, scan, scan group and role. */
export const ImportBody = z.strictObject({
  filename: z.string().check(z.minLength(1), z.maxLength(255)),
  content: z.string().check(z.maxLength(defaultLimits.importLength)),
  /** Returns the effect of each line without applying it. */
  check: z._default(z.boolean(), false),
  /** Omitted: overwrites concurrent changes. */
  version: z.optional(Count),
})
/** The role given by a line of the file, and the previous role. */
export const ImportLine = z.object({
  line: Count,
  team: z.string(),
  scan: z.nullable(z.string()),
  scanGroup: z.nullable(z.string()),
  role: ScanRole,
  before: z.nullable(ScanRole),
})
export type ImportLine = z.output<typeof ImportLine>
export const importErrorCodes = [
  'unreadable',
  'missing-column',
  'too-many-rows',
  'empty',
  'unknown-team',
  'unknown-scan',
  'unknown-group',
  'ambiguous',
  'no-target',
  'two-targets',
  'bad-role',
  'duplicate',
] as const
/** Result of an import: all rows, or none and the errors of the invalid ones. */
export const ImportReply = z.union([
  z.object({
    success: z.literal(true),
    imported: Count,
    lines: z.array(ImportLine),
    /** Version of these roles. Sent back with the same file, the call fails with `edit-conflict` if they have changed. */
    version: Count,
  }),
  z.object({
    success: z.literal(false),
    /** "Upload failed in {filename}". */
    errorMessage: z.string(),
    errors: z.array(
      z.object({
        /** Line of the file; 1 is the header. */
        line: Count,
        column: z.nullable(z.enum(['team', 'scan', 'scan group', 'role'])),
        code: z.enum(importErrorCodes),
        value: z.string(),
        message: z.string(),
      }),
    ),
  }),
])
export type ImportReply = z.output<typeof ImportReply>
