import * as z from 'zod/mini'
import { NameText } from '../../../kit/name.ts'
import { Instant } from '../../../kit/time.ts'

/** Permissions of a key: read; start and cancel runs; create, change and delete scans, groups and presets. */
export const ApiScope = z.enum(['read', 'run', 'manage'])
export type ApiScope = z.output<typeof ApiScope>

/** A key of the public API. It acts on behalf of its creator, with their current roles. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters, to distinguish keys. */
  hint: z.string(),
  scopes: z.array(ApiScope),
  createdAt: Instant,
  expiresAt: Instant,
  expired: z.boolean(),
  usedAt: z.nullable(Instant),
})
/** A key as visible to admins, with its owner. */
export const AnyApiKey = z.extend(ApiKey, { person: z.object({ id: z.string(), name: z.string(), hasAccess: z.boolean() }) })
/** The key is returned once, on creation; only its hash is stored. */
export const MadeApiKey = z.extend(ApiKey, { key: z.string() })

export const maxKeyLifetimeDays = 366
export const NewApiKey = z.strictObject({
  name: NameText,
  scopes: z.array(ApiScope).check(z.minLength(1), z.maxLength(ApiScope.options.length)),
  /** At most 366 days from now. */
  expiresAt: Instant,
})
