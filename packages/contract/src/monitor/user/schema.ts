import * as z from 'zod/mini'
import { Count } from '../../kit/time.ts'

/** What the caller may do beyond single scans. */
export const UserPermissions = z.object({
  /** As issues name their assignee; empty for a guest. */
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  isAdmin: z.boolean(),
  isGuest: z.boolean(),
  canCreateScans: z.boolean(),
  canCreateGroups: z.boolean(),
  canSaveViews: z.boolean(),
  groupsAdministered: Count,
})
export type UserPermissions = z.output<typeof UserPermissions>

/** The languages of the product. */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'ja'] as const
export type Language = (typeof languages)[number]
