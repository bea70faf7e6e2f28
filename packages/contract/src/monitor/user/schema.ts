import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

/** Permissions of the caller beyond single scans. */
export const UserPermissions = z.object({
  /** Id used by issues for their assignee; empty for a guest. */
  id: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  isAdmin: z.boolean(),
  isGuest: z.boolean(),
  /** End of the link of a guest; null if it has none. Only guests have it. */
  sharedUntil: z.exactOptional(z.nullable(z.string())),
  canCreateScans: z.boolean(),
  canCreateGroups: z.boolean(),
  canSaveViews: z.boolean(),
  groupsAdministered: Count,
})
export type UserPermissions = z.output<typeof UserPermissions>

export const OwnSettings = z.strictObject({
  /** True if comments that mention the person are also sent by mail. */
  mentionMails: z.boolean(),
})
export type OwnSettings = z.output<typeof OwnSettings>
export const StoredOwnSettings = z.object({
  mentionMails: z.boolean(),
  /** Email address for the person's mail; null if the sign-in provides none. */
  email: z.nullable(z.string()),
  sendsMail: z.boolean(),
})
export type StoredOwnSettings = z.output<typeof StoredOwnSettings>

export const languages = ['de', 'en', 'es', 'fr', 'it', 'ja'] as const
export type Language = (typeof languages)[number]
