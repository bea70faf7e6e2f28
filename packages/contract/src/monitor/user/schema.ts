import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

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

/** The settings that people make for themselves. */
export const OwnSettings = z.strictObject({
  /** Whether comments that mention the person come by mail, too. */
  mentionMails: z.boolean(),
})
export type OwnSettings = z.output<typeof OwnSettings>
export const StoredOwnSettings = z.object({
  mentionMails: z.boolean(),
  /** Where the person's mail goes; null when their sign-in names no email address. */
  email: z.nullable(z.string()),
  /** Whether this server sends mail. */
  sendsMail: z.boolean(),
})
export type StoredOwnSettings = z.output<typeof StoredOwnSettings>

/** The languages of the product. */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'ja'] as const
export type Language = (typeof languages)[number]
