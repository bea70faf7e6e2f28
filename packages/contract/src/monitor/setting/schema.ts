import * as z from 'zod/mini'

/** The permissions page: who besides admins may create scans. */
export const SystemSettings = z.strictObject({
  allowScanMembersToCreateScans: z.boolean(),
  allowScanViewersToCreateScans: z.boolean(),
})
export type SystemSettings = z.output<typeof SystemSettings>

/** The most days and runs that a rule of the retention may name. */
export const longestKeepDays = 36_500
export const mostKeptRuns = 10_000
const days = z.int().check(z.minimum(0), z.maximum(longestKeepDays))

/** How long runs keep what they found. Days after which something goes, counted from the end of a run; 0 keeps it. */
export const RetentionSettings = z.strictObject({
  /** Contents of pages and pictures of elements. */
  contentDays: days,
  /** Pages and issues; the counts and the score stay. */
  archiveDays: days,
  /** Whole runs. */
  deleteDays: days,
  /** Newest runs of each scan that are neither archived nor deleted. */
  keepRuns: z.int().check(z.minimum(1), z.maximum(mostKeptRuns)),
})
export type RetentionSettings = z.output<typeof RetentionSettings>
