import * as z from 'zod/mini'

/** The permissions page: who besides admins may create scans. */
export const SystemSettings = z.strictObject({
  allowScanMembersToCreateScans: z.boolean(),
  allowScanViewersToCreateScans: z.boolean(),
})
export type SystemSettings = z.output<typeof SystemSettings>
