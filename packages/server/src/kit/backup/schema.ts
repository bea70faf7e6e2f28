import * as z from 'zod/mini'

/** Written before the data: describes the tables to create. */
export const BackupHead = z.object({
  format: z.literal(1),
  product: z.string(),
  /** Missing in backups of versions without named builds. */
  build: z.optional(z.string()),
  createdAt: z.string(),
  /** Migration names of each schema, in order. */
  migrations: z.record(z.string(), z.array(z.string())),
  /** Ordered so that each row is inserted after the rows that it references. */
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })),
  secretKey: z.object({
    /** Distinguishes keys without revealing them. */
    fingerprint: z.string(),
    /** The key, sealed with a passphrase; null if it is stored separately. */
    sealed: z.nullable(z.object({ salt: z.string(), bytes: z.string() })),
  }),
})
export type BackupHead = z.output<typeof BackupHead>

/** Written after the data: totals to verify. A file without it is incomplete. */
export const BackupTail = z.object({
  tables: z.array(z.object({ rows: z.number(), sha256: z.string() })),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), next: z.string() })),
  /** Number of objects; missing in backups of versions without objects. */
  objects: z.optional(z.number()),
})
export type BackupTail = z.output<typeof BackupTail>

/** A failed backup or restore; the message tells the operator how to proceed. */
export class BackupError extends Error {}
