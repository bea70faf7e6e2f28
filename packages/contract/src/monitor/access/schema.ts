import * as z from 'zod/mini'
import { GroupId, ScanId, TeamId } from '../../kit/id.ts'
import { defaultLimits } from '../../kit/limit.ts'
import { paging, queryList, searchText, sortBy } from '../../kit/paging.ts'
import { Count } from '../../kit/count.ts'

export const ScanRole = z.enum(['scanAdmin', 'scanMember', 'scanViewer'])
/** The roles, as people write them into a CSV file. */
export const roleNames = {
  scanAdmin: 'Scan Admin',
  scanMember: 'Scan Member',
  scanViewer: 'Scan Viewer',
} as const satisfies Record<z.output<typeof ScanRole>, string>

/** A role that a team has on what the context names. */
export const TeamRole = z.strictObject({ teamId: TeamId, role: ScanRole })

/** Who has which role on one scan. */
export const ScanAccess = z.object({
  teams: z.array(z.object({ teamId: z.string(), teamName: z.string(), role: ScanRole })),
  groups: z.array(
    z.object({
      scanGroupId: GroupId,
      scanGroupName: z.string(),
      teams: z.array(z.object({ teamId: z.string(), teamName: z.string(), role: ScanRole })),
    }),
  ),
  /** People with a role of their own: the creator. */
  people: z.array(z.object({ id: z.string(), name: z.string(), role: ScanRole })),
  /** Of the teams and groups. Send it back on update: a change of them meanwhile is refused as `edit-conflict`. */
  version: Count,
})

/** The teams of a scan, and the groups that it is in, as they are to be. */
export const ScanAccessBody = z.strictObject({
  teams: z.array(TeamRole).check(z.maxLength(500)),
  /** Left out: as they are. */
  groups: z.optional(z.array(GroupId).check(z.maxLength(500))),
  /** Left out: whatever somebody else changed meanwhile is written over. */
  version: z.optional(Count),
})

/** A row of the team access page. */
export const TeamAccess = z.object({
  teamId: z.string(),
  teamName: z.string(),
  role: ScanRole,
  scan: z.nullable(z.object({ id: ScanId, name: z.string() })),
  scanGroup: z.nullable(z.object({ id: GroupId, name: z.string() })),
})

export const TeamAccessQuery = z.object({
  ...paging,
  search: searchText,
  teamId: queryList(TeamId),
  scanId: z.optional(ScanId),
  scanGroupId: z.optional(GroupId),
  sort: sortBy(['team', 'target', 'role']),
})

/** One change: a team gets a role on a scan or a group, or with `role: null` loses the one it has. */
export const Assignment = z.strictObject({
  teamId: TeamId,
  scanId: z.optional(ScanId),
  scanGroupId: z.optional(GroupId),
  role: z.nullable(ScanRole),
})
export const AssignmentsBody = z.strictObject({
  assignments: z.array(Assignment).check(z.minLength(1), z.maxLength(defaultLimits.importRows)),
  /** Only says what would change. */
  check: z._default(z.boolean(), false),
  /** Left out: whatever somebody else changed meanwhile is written over. */
  version: z.optional(Count),
})
export const AssignmentsReply = z.object({
  applied: Count,
  /** The role that each had until now, in the order of the assignments. */
  before: z.array(z.nullable(ScanRole)),
  /** Of these roles. Send it back with the same assignments: a change of them meanwhile is refused as `edit-conflict`. */
  version: Count,
})

/** A CSV file with the columns team, scan, scan group and role. */
export const ImportBody = z.strictObject({
  filename: z.string().check(z.minLength(1), z.maxLength(255)),
  content: z.string().check(z.maxLength(defaultLimits.importLength)),
  /** Only says what would become of each line. */
  check: z._default(z.boolean(), false),
  /** Left out: whatever somebody else changed meanwhile is written over. */
  version: z.optional(Count),
})
/** What a line of the file gives, and what there was until now. */
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
/** What became of an import: all rows, or none and what is wrong with which. */
export const ImportReply = z.union([
  z.object({
    success: z.literal(true),
    imported: Count,
    lines: z.array(ImportLine),
    /** Of the roles that these lines change. Send it back with the same file: a change of them meanwhile is refused as `edit-conflict`. */
    version: Count,
  }),
  z.object({
    success: z.literal(false),
    /** "Upload failed in {filename}". */
    errorMessage: z.string(),
    errors: z.array(
      z.object({
        /** Of the file, 1 is the head. */
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
